import { readFileSync } from 'node:fs'
import type { JsonValue } from '../../src/api/json/json.ts'
import { findOperation, type OperationName } from '../../src/api/operations.ts'
import { apiVersion, parseVersion } from '../../src/api/version.ts'
import { newestCalls } from './newest-calls.ts'
import type { View } from './support/view.ts'

/**
 * One call of the scenario. Names of objects begin with `rx`; braces stand for values of the running engine:
 * `{345-create-run}` is the id in the answer to this call (`{345-create-run:12}` its first 12 digits), `{start}`,
 * `{now}` and `{later}` are moments in Unix seconds.
 */
export interface CatalogueCall {
  readonly name: string
  readonly method: string
  /** Without version prefix, unless the call is `raw`. */
  readonly path: string
  /** The path is sent unchanged. */
  readonly raw?: true
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: JsonValue
  /** A body that is not JSON, byte for byte. */
  readonly text?: string
  /** The files of a tar archive. */
  readonly tar?: Readonly<Record<string, string>>
  /** The body is the answer to another call. */
  readonly bodyOf?: string
  /** Bytes to write after the head of a hijacked connection; then the client's side ends. */
  readonly stdin?: string
  /** The call is repeated until its answer contains this text, or one of these: the engine needs some time. */
  readonly until?: string | readonly string[]
  /** The answer does not end by itself: it is read until nothing more comes. */
  readonly endless?: true
}

/** The answer of the engine of one version to the same call. */
export interface RecordedAnswer {
  /** null: the connection closed, or nothing came. */
  readonly status: number | null
  readonly type?: string
  /** The text of an error. */
  readonly text?: string
  /** Index into the file's table of bodies. */
  readonly body?: number
}

export interface RecordedEngine {
  readonly origin: { readonly engine: string; readonly version: string }
  /** Bodies reduced to their shape: scalars are empty, and of equal elements only one is kept. */
  readonly bodies: readonly (readonly JsonValue[])[]
  readonly answers: Readonly<Record<string, RecordedAnswer>>
}

const FOLDER = new URL('../golden/conformance/', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8')

const callsOf = (file: string): readonly CatalogueCall[] => (JSON.parse(read(file)) as { calls: CatalogueCall[] }).calls

const laterCalls = callsOf('catalogue-later.json')

/**
 * Three scenarios: calls of clients of 1.18 to 1.22, compared with engines of that age; calls of clients from 1.23 on, compared
 * with the engine behind, asked at their version without a bridge; and calls of newest clients, whose versions no engine here
 * speaks, compared with the recorded answers of an engine of their version to the same calls (`take-newest.ts`).
 */
export const scenarios = {
  old: callsOf('catalogue.json'),
  later: laterCalls,
  newest: newestCalls(laterCalls),
} as const
export type Scenario = keyof typeof scenarios

const LATER_FROM = apiVersion(23)
const NEWEST_FROM = apiVersion(52)
export function scenarioOf(client: string): Scenario {
  const version = parseVersion(client) ?? 0
  return version < LATER_FROM ? 'old' : version < NEWEST_FROM ? 'later' : 'newest'
}

/** The calls of a client of that version, without those that came later. */
export function callsFor(client: string): readonly CatalogueCall[] {
  const scenario = scenarioOf(client)
  return scenario === 'old' ? scenarios.old.filter((call) => !isNewer(call, client)) : scenarios[scenario]
}

const RECORDED = ['1.18', '1.19', '1.20', '1.21', '1.22'] as const
const recordings = new Map<string, RecordedEngine>()

export function recordedEngine(version: string): RecordedEngine {
  const known = recordings.get(version) ?? (JSON.parse(read(`recorded@${version}.json`)) as RecordedEngine)
  recordings.set(version, known)
  return known
}

/** The answers of an engine of a newest version to its scenario, in the form in which answers are compared. */
export interface RecordedViews {
  readonly origin: { readonly engine: string; readonly version: string }
  /** Parts that several answers share. */
  readonly bodies: readonly JsonValue[]
  readonly answers: Readonly<
    Record<string, readonly [status: number | null, type: string, text: string, ...bodies: number[]]>
  >
}

const recordedViews = new Map<string, ReadonlyMap<string, View>>()

export function viewsRecorded(version: string): ReadonlyMap<string, View> {
  const known = recordedViews.get(version)
  if (known !== undefined) return known
  const { answers, bodies } = JSON.parse(read(`newest@${version}.json`)) as RecordedViews
  const views = new Map(
    Object.entries(answers).map(([name, [status, type, text, ...at]]): [string, View] => {
      const plain = at.map((index) => bodies[index] ?? null)
      return [name, { status, type, text, values: plain, plain }]
    }),
  )
  recordedViews.set(version, views)
  return views
}

/** The operation of a call; `no operation` for a raw or unknown one. */
export type CellOperation = OperationName | 'no operation'

export function operationOf(call: CatalogueCall): CellOperation {
  if (call.raw === true) return 'no operation'
  const [path = ''] = call.path.split('?')
  return findOperation(call.method, decodeURIComponent(path))?.operation.name ?? 'no operation'
}

/** Forms of a known call that came with 1.22: the map form of filters, image ids with their algorithm. */
const SINCE_1_22: ReadonlySet<string> = new Set([
  ...['056-images-list-dangling-map', '371-list-filter-label-map'],
  '064-image-inspect-sha256',
])

/**
 * Tells whether no client of that version makes the call: engines of its age do not know the endpoint, or the form. The bridge passes
 * it on, as real engines that know it accept it at every prefix (test/journeys/newer-endpoints.test.ts); the only answer of an engine
 * of that age to compare with is `404 page not found`.
 */
function isNewer(call: CatalogueCall, client: string): boolean {
  if (SINCE_1_22.has(call.name)) return client < '1.22'
  const operation = operationOf(call)
  return operation !== 'no operation' && newerOperations(client).has(operation)
}

const newer = new Map<string, ReadonlySet<CellOperation>>()

/** The operations whose every call the engines up to that version answered with 404. */
function newerOperations(client: string): ReadonlySet<CellOperation> {
  const known = newer.get(client)
  if (known !== undefined) return known
  const older = RECORDED.filter((version) => version <= client).map(recordedEngine)
  const calls = Map.groupBy(scenarios.old, operationOf)
  const missing = [...calls].filter(([, of]) =>
    of.every(({ name }) => older.every(({ answers }) => (answers[name]?.status ?? 404) === 404)),
  )
  const operations = new Set(missing.map(([operation]) => operation))
  newer.set(client, operations)
  return operations
}
