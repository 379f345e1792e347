import { asJson, isObject, type JsonObject, listOf, memberAt } from '../../api/json/json.ts'
import { fileLines } from '../../audit/written/read-lines.ts'

/** The records of files in their order. Lines that are no JSON object (torn by a crash) come as `undefined`. */
export async function* records(files: readonly string[]): AsyncGenerator<JsonObject | undefined> {
  for await (const { bytes } of fileLines(files)) if (bytes.length > 0) yield asRecord(bytes.toString())
}

export function asRecord(line: string): JsonObject | undefined {
  const value = asJson(line)
  return isObject(value) ? value : undefined
}

/** The text at a path of member names; undefined where there is none. */
export function text(record: JsonObject, ...names: readonly string[]): string | undefined {
  const value = memberAt(record, ...names)
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function number(record: JsonObject, ...names: readonly string[]): number | undefined {
  const value = memberAt(record, ...names)
  return typeof value === 'number' ? value : undefined
}

export function objects(record: JsonObject, name: string): readonly JsonObject[] {
  return listOf(record[name]).filter(isObject)
}

/** The caller: the certificate's name, the address, or the listener where a client has neither. */
export const peerOf = (record: JsonObject): string =>
  text(record, 'peer', 'certificate', 'subject') ??
  text(record, 'peer', 'address') ??
  text(record, 'listener') ??
  'unknown'
