import { isObject, isRawNumber, type JsonObject, type JsonValue, parseJson, writeJson } from '../../api/json/json.ts'
import type { Exchange } from './relay.ts'

/** Formats calls as text, in the same way for both sides, so that only real differences show. */

const INDENT = '  '

/** Indented JSON; lists of scalars on one line. */
function pretty(value: JsonValue, indent: string): string {
  const deeper = indent + INDENT
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object' || item === null || isRawNumber(item))) return writeJson(value)
    return `[\n${value.map((item) => deeper + pretty(item, deeper)).join(',\n')}\n${indent}]`
  }
  if (!isObject(value) || isShort(value)) return writeJson(value)
  const members = Object.entries(value).map(
    ([name, member]) => `${deeper}${JSON.stringify(name)}: ${pretty(member ?? null, deeper)}`,
  )
  return `{\n${members.join(',\n')}\n${indent}}`
}

/** Empty, or one scalar: `{"message": …}`. */
const isShort = (value: JsonObject): boolean =>
  Object.keys(value).length <= 1 && Object.values(value).every((member) => typeof member !== 'object')

const STREAMS: Readonly<Record<number, string>> = { 0: 'stdin', 1: 'stdout', 2: 'stderr' }

/** Frames of a multiplexed stream, one per line; undefined for other bytes. */
function frames(bytes: Buffer): string[] | undefined {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const stream = STREAMS[bytes[at] ?? -1]
    if (stream === undefined || bytes.length < at + 8 || bytes.readUIntBE(at + 1, 3) !== 0) return undefined
    const end = at + 8 + bytes.readUInt32BE(at + 4)
    lines.push(
      `<${stream}> ${bytes
        .subarray(at + 8, end)
        .toString()
        .trimEnd()}`,
    )
    at = end
  }
  return lines
}

/** A body: JSON values, frames or text. Several JSON values are the records of a stream. */
export function bodyLines(bytes: Buffer): string[] {
  if (bytes.length === 0) return []
  if ((bytes[0] ?? 0xff) <= 2) return frames(bytes) ?? [`${bytes.length} bytes`]
  const text = bytes.toString().trimEnd()
  const values = jsonValues(text)
  return values === undefined ? text.split('\n') : values.flatMap((value) => pretty(value, '').split('\n'))
}

function jsonValues(text: string): JsonValue[] | undefined {
  for (const parts of [[text], text.split(/\r?\n/), text.replaceAll('}{', '}\n{').split('\n')]) {
    try {
      return parts.map(parseJson)
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause // not this format: try the next one, or text
    }
  }
  return undefined
}

/** A leading `{…}`, and the bytes after it: exec start sends both on one connection. */
export function requestLines({ method, url, headers, sent }: Exchange): string[] {
  const upgrade = headers['upgrade'] ?? headers['Upgrade']
  const length = Number(headers['content-length'] ?? headers['Content-Length'] ?? sent.length)
  const input = sent.subarray(length).toString().trimEnd()
  return [
    `${method} ${decodeURIComponent(url)}`,
    ...(upgrade === undefined ? [] : [`Upgrade: ${String(upgrade)}`]),
    ...bodyLines(sent.subarray(0, length)),
    ...(input === '' ? [] : [`<stdin> ${input}`]),
  ]
}

export function answerLines({ status, reason, answerHeaders, got }: Exchange): string[] {
  const type = answerHeaders['content-type']
  return [`${status} ${reason}`, ...(type === undefined ? [] : [`Content-Type: ${String(type)}`]), ...bodyLines(got)]
}
