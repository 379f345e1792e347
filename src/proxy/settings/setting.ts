import { z } from 'zod'
import { messageOf } from '../../config/text.ts'
import { type Address, type EngineAddress, parseAddress, parseEngineAddress } from '../../http/address.ts'

const readBy = <T>(read: (text: string) => T) =>
  z.string().transform((text, context): T => {
    try {
      return read(text)
    } catch (cause) {
      context.addIssue({ code: 'custom', message: messageOf(cause) })
      return z.NEVER
    }
  })

/** A listening address. */
export const address = readBy<Address>(parseAddress)
export const engineAddress = readBy<EngineAddress>(parseEngineAddress)

const switchSchema = z.stringbool({ error: 'must be true or false' }).optional()

/** One setting: flag `--name`, environment variable `ENGINEBRIDGE_NAME`, file key `name`. */
export interface Setting<Schema extends z.ZodType> {
  readonly schema: Schema
  readonly default: string | undefined
  readonly value: string
  readonly help: string
  readonly repeats?: true
  /** Without a value the flag means true: `--insecure`, `--insecure=false`. */
  readonly isSwitch?: true
}

export const setting = <Schema extends z.ZodType>(
  schema: Schema,
  value: string,
  fallback: string | undefined,
  help: string,
): Setting<Schema> => ({ schema, value, default: fallback, help })

/** A flag that defaults to true if given without a value. */
export const toggle = <Fallback extends 'true' | 'false' | undefined>(fallback: Fallback, help: string) => ({
  ...setting(switchSchema, '', fallback, help),
  isSwitch: true as const,
})
