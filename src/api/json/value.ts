/**
 * Lossless JSON. Limits and counters of the Engine API are 64-bit integers (a memory limit of 9223372036854771712,
 * `timeNano`), which a JavaScript number would round. Numbers that a double cannot hold keep their source text
 * (`JSON.rawJSON`); all other values are ordinary JSON.
 */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject | RawNumber
export interface JsonObject {
  [member: string]: JsonValue | undefined
}
/** A number kept as text; read it with `numberText`. */
export interface RawNumber {
  readonly rawJSON: string
}
/** Any JSON value. A number that a double cannot hold is a `RawNumber` (see `parseJson`). */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [member: string]: Json | undefined }
  | RawNumber
