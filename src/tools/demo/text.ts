import { STATUS_CODES } from 'node:http'
import { asJson, isObject, isRawNumber, type JsonObject, type JsonValue, writeJson } from '../../api/json/json.ts'
import { Demultiplexer } from '../../audit/session/demultiplexer.ts'
import type { Side } from './watch.ts'

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

const STREAMS = ['stdin', 'stdout', 'stderr']

/** Frames of a multiplexed stream, one per line. */
const frames = (bytes: Buffer): string[] =>
  new Demultiplexer().push(bytes).map((piece) => `<${STREAMS[piece.stream]}> ${piece.bytes.toString().trimEnd()}`)

/** A body: JSON values, frames or text. Several JSON values are the records of a stream. */
function bodyLines(bytes: Buffer): string[] {
  if (bytes.length === 0) return []
  if (Demultiplexer.recognises(bytes) === true) return frames(bytes)
  const text = bytes.toString().trimEnd()
  const values = jsonValues(text)
  return values === undefined ? text.split('\n') : values.flatMap((value) => pretty(value, '').split('\n'))
}

function jsonValues(text: string): JsonValue[] | undefined {
  for (const parts of [[text], text.split(/\r?\n/), text.replaceAll('}{', '}\n{').split('\n')]) {
    const values = parts.map(asJson).filter((value) => value !== undefined)
    if (values.length === parts.length) return values
  }
  return undefined
}

export function requestLines({ line, upgrade, sent, input }: Side): string[] {
  const typed = Buffer.concat(input).toString().trimEnd()
  return [
    decodeURIComponent(line),
    ...(upgrade === undefined ? [] : [`Upgrade: ${upgrade}`]),
    ...bodyLines(Buffer.concat(sent)),
    ...(typed === '' ? [] : [`<stdin> ${typed}`]),
  ]
}

export const answerLines = ({ status, type, got }: Side): string[] => [
  `${status} ${STATUS_CODES[status] ?? ''}`,
  ...(type === undefined ? [] : [`Content-Type: ${type}`]),
  ...bodyLines(Buffer.concat(got)),
]
