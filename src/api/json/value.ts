/**
 * JSON without loss. Limits and counters of the Engine API are 64-bit integers (a memory limit of
 * 9223372036854771712, `timeNano`), which a JavaScript number rounds. Numbers that a double cannot hold are kept as
 * their source text (`JSON.rawJSON`); everything else is ordinary JSON.
 */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject | RawNumber
export interface JsonObject {
  [member: string]: JsonValue | undefined
}
/** A number kept as its text. Opaque: `numberText` reads it. */
export interface RawNumber {
  readonly rawJSON: string
}
