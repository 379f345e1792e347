import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asJson, isObject, type JsonValue } from '../../src/api/json/json.ts'

/** One recorded exchange, without parts that can be derived. */
export interface Exchange {
  readonly name: string
  readonly method: string
  /** Without the version; `{id}` replaces 64 hexadecimal digits. */
  readonly path: string
  readonly body?: string
  readonly status: number
  readonly type?: string
  /** Headers beyond those of every answer of the engine. */
  readonly headers?: Readonly<Record<string, string>>
  readonly text?: string
  readonly base64?: string
}

export interface Recording {
  readonly origin: string
  /** The requested version. */
  readonly version: string
  readonly lowest: string
  readonly highest: string
  readonly server: string
  readonly exchanges: readonly Exchange[]
}

export const REPLAY_FOLDER = join(import.meta.dirname, '..', 'golden', 'replay')

export function loadRecording(name: string): Recording {
  return JSON.parse(readFileSync(join(REPLAY_FOLDER, `${name}.recorded.json`), 'utf8')) as Recording
}

/** Engines of 29 that were recorded: a build of its main line and a release, with each of the two stores. */
export const RECORDED_ENGINES = ['29', '29-overlayfs', '29.1.4', '29.1.4-overlayfs'] as const
export type RecordedEngine = (typeof RECORDED_ENGINES)[number]

/** A moment after the last recorded event, in seconds: as `until` it includes all events. */
export const AFTER_RECORDINGS = 1_795_200_000

/** The recordings of an engine at its lowest version and at a newer one. */
export const loadEngine = (name: RecordedEngine): Recording[] =>
  ['1.44', '1.52'].map((version) => loadRecording(`${name}@${version}`))

export const withoutIds = (path: string): string => path.replaceAll(/[0-9a-f]{64}/g, '{id}')

/** Clients write a boolean in one of two ways. */
const TRUTH = new Map([
  ['true', '1'],
  ['false', '0'],
])

const named = (name: string, value: string): string[] => [`query.${name}=${TRUTH.get(value) ?? value}`]

/** Filters, as lists or as maps: `query.filters.label=l=v`. */
function filters(text: string): string[] {
  const value = asJson(text)
  if (!isObject(value)) return named('filters', text)
  return Object.entries(value).flatMap(([name, wanted]) => {
    const values = Array.isArray(wanted) ? wanted : isObject(wanted) ? Object.keys(wanted) : []
    return values.map((one) => `query.filters.${name}=${one}`)
  })
}

/** The values of a request, a line each: `query.name=rec-full`, `body.HostConfig.Dns.0="8.8.8.8"`. */
export function leaves(query: URLSearchParams, body: string | undefined): Set<string> {
  const found = new Set(
    [...query].flatMap(([name, value]) => (name === 'filters' ? filters(value) : named(name, value))),
  )
  const value = body === undefined || body === '' ? undefined : asJson(body)
  if (value !== undefined) collect('body', value, found)
  else if (body !== undefined && body !== '') found.add(`text=${body}`)
  return found
}

function collect(path: string, value: JsonValue, into: Set<string>): void {
  const inner = Array.isArray(value) ? value.entries() : isObject(value) ? Object.entries(value) : undefined
  if (inner === undefined) into.add(`${path}=${JSON.stringify(value)}`)
  else {
    const before = into.size
    for (const [name, member] of inner) if (member !== undefined) collect(`${path}.${name}`, member, into)
    if (into.size === before) into.add(`${path}=${Array.isArray(value) ? '[]' : '{}'}`)
  }
}
