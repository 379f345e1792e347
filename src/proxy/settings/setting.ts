import { z } from 'zod'
import { byteSize, someTimeout, wholeAmount } from '../../config/units.ts'

/** One setting: flag `--name`, environment variable `ENGINEBRIDGE_NAME`, file key `name`. */
export interface Setting<Schema extends z.ZodType> {
  readonly schema: Schema
  readonly default: string | undefined
  /** As in Flag: '' is a switch, `--insecure` or `--insecure=false`. */
  readonly value: string
  readonly help: string
  readonly repeats?: true
}

export interface Given {
  readonly value: readonly string[]
  /** Where the value was set: `--listen`, `ENGINEBRIDGE_LISTEN`, `listen in FILE`. */
  readonly source: string
}

export const setting = <Schema extends z.ZodType>(
  schema: Schema,
  value: string,
  help: string,
  fallback?: string,
): Setting<Schema> => ({ schema, value, default: fallback, help })

/** A flag that may be given several times. */
export const repeated = <Schema extends z.ZodType>(one: Schema, value: string, help: string, fallback: string) => ({
  ...setting(z.array(one).min(fallback === '' ? 0 : 1), value, `${help}; may be given several times`, fallback),
  repeats: true as const,
})

export const file = (help: string, value = 'FILE') => setting(z.string().min(1).optional(), value, help)
export const text = (value: string, help: string) => setting(z.string().optional(), value, help)
export const size = (help: string, fallback: string) => setting(byteSize, 'SIZE', help, fallback)
export const time = (help: string, fallback: string) => setting(someTimeout, 'TIME', help, fallback)
export const limit = (help: string, least: number) => setting(wholeAmount({ least }).optional(), 'N', help)

const switchSchema = z.stringbool({ error: 'must be true or false' }).optional()

/** A flag that defaults to true if given without a value. */
export const toggle = (help: string, fallback?: 'true' | 'false') => setting(switchSchema, '', help, fallback)

type Words<Text extends string> = Text extends `${infer First}|${infer Rest}` ? First | Words<Rest> : Text

/** One of several words, `on|off`: the first by default. */
export function choice<Text extends string>(
  text: Text,
  help: string,
  { value = text, fallback }: { readonly value?: string; readonly fallback?: Words<Text> } = {},
): Setting<z.ZodType<Words<Text>, Words<Text>>> {
  const words = text.split('|') as Words<Text>[]
  const schema = z.enum(words, { error: `must be one of ${words.join(', ')}` })
  return setting(schema as never, value, help, fallback ?? words[0])
}
