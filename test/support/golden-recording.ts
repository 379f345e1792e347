import { readFileSync } from 'node:fs'
import { isObject, type JsonValue, parseJson } from '../../src/api/json/json.ts'
import { findOperation } from '../../src/api/operations.ts'
import { splitPrefix } from '../../src/api/version.ts'
import { Headers } from '../../src/http/headers.ts'
import type { EngineAnswer, EngineStart } from '../../src/translate/message.ts'
import { recordedFile } from './golden-scenes.ts'

export interface Recorded {
  readonly method: string
  readonly path: string
  readonly status: number
  /** One value, or the records of a stream. */
  readonly values: readonly JsonValue[]
}

export interface Recording {
  readonly origin: { readonly engine: string; readonly version: string }
  readonly exchanges: Readonly<Record<string, Recorded>>
}

const read = new Map<string, Recording>()

export function recordingOf(engine: string, version: string): Recording {
  const file = recordedFile(engine, version)
  let recording = read.get(file)
  if (recording === undefined) {
    // parseJson: counters beyond 2^53 must come through the steps as they do in the program.
    const parsed = parseJson(readFileSync(new URL(`../golden/recorded/${file}`, import.meta.url), 'utf8'))
    recording = parsed as unknown as Recording
    read.set(file, recording)
  }
  return recording
}

export function searchOf(recorded: Recorded): { path: string; query: URLSearchParams } {
  const [path = '', search = ''] = splitPrefix(recorded.path).rest.split('?')
  return { path, query: new URLSearchParams(search) }
}

/** structuredClone cannot carry the numbers that are kept as text. */
export const structuredCloneOf = (value: JsonValue): JsonValue => parseJson(JSON.stringify(value))

/** A recorded answer to a further call: by its path, or by the id or name of what it is about. */
export function answerOf(engine: Recording, method: string, path: string): EngineAnswer {
  const wanted = findOperation(method, path)
  const key = Object.values(wanted?.params ?? {})[0]
  for (const recorded of Object.values(engine.exchanges)) {
    const [body] = recorded.values
    const own = searchOf(recorded).path
    if (recorded.method !== method || findOperation(method, own)?.operation !== wanted?.operation) continue
    if (own === path || (isObject(body) && isAbout(body, key)))
      return { status: recorded.status, headers: new Headers(), body: structuredCloneOf(body ?? null), error: '' }
  }
  const listed = wanted?.operation.name === 'NetworkInspect' ? listedNetwork(engine, key) : undefined
  if (listed !== undefined) return { status: 200, headers: new Headers(), body: listed, error: '' }
  throw new Error(`nothing was recorded for ${method} ${path} on ${engine.origin.engine}`)
}

/** A recorded stream, one record a line. */
export function streamOf(engine: Recording, method: string, path: string): EngineStart {
  const wanted = findOperation(method, path.split('?', 1)[0] ?? '')?.operation
  const recorded = Object.values(engine.exchanges).find(
    (one) => wanted !== undefined && findOperation(one.method, searchOf(one).path)?.operation === wanted,
  )
  if (recorded === undefined) throw new Error(`nothing was recorded for ${method} ${path} on ${engine.origin.engine}`)
  const start = Buffer.from(recorded.values.map((value) => `${JSON.stringify(value)}\n`).join(''))
  return { status: recorded.status, start, error: '' }
}

/** The predefined networks were recorded in lists only; asked for one by one they have their containers. */
function listedNetwork(engine: Recording, id: string | undefined): JsonValue | undefined {
  const lists = Object.values(engine.exchanges).flatMap(({ values }) => values.filter((value) => Array.isArray(value)))
  const found = lists.flat().find((network) => isObject(network) && (network['Id'] === id || network['Name'] === id))
  return isObject(found) ? structuredCloneOf({ ...found, Containers: found['Containers'] ?? {} }) : undefined
}

const isAbout = (body: { [name: string]: JsonValue | undefined }, key: string | undefined): boolean =>
  key !== undefined && (body['Id'] === key || body['ID'] === key || body['Name'] === `/${key}`)
