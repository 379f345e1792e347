import { type JsonValue, parseJson, writeJson } from '../../src/api/json/json.ts'

/** A body as a client reads it: members that a step set to undefined are not written. */
export const asWritten = (body: JsonValue | undefined): JsonValue | undefined =>
  body === undefined ? undefined : parseJson(writeJson(body))
