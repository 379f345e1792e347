import { z } from 'zod'
import { type Address, parseAddress } from '../../http/address.ts'

/** Where something listens. */
export const address = z.string().transform((text, context): Address => {
  try {
    return parseAddress(text)
  } catch (cause) {
    context.addIssue({ code: 'custom', message: cause instanceof Error ? cause.message : String(cause) })
    return z.NEVER
  }
})

const switchSchema = z.stringbool({ error: 'must be true or false' }).optional()

/** One setting: its flag is `--name`, its environment variable `ENGINEBRIDGE_NAME`, its key in a file `name`. */
export interface Setting<Schema extends z.ZodType> {
  readonly schema: Schema
  readonly default: string | undefined
  readonly value: string
  readonly help: string
  readonly repeats?: true
  /** True without a value: `--insecure`, `--insecure=false`. */
  readonly isSwitch?: true
}

export const setting = <Schema extends z.ZodType>(
  schema: Schema,
  value: string,
  fallback: string | undefined,
  help: string,
): Setting<Schema> => ({ schema, value, default: fallback, help })

/** A flag that says yes by being there. */
export const toggle = <Fallback extends 'true' | 'false' | undefined>(fallback: Fallback, help: string) => ({
  ...setting(switchSchema, '', fallback, help),
  isSwitch: true as const,
})
