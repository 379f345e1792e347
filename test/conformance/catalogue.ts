import { readFileSync } from 'node:fs'
import type { JsonValue } from '../../src/api/json/json.ts'
import { findOperation, type OperationName } from '../../src/api/operations.ts'
import { apiVersion, parseVersion } from '../../src/api/version.ts'
import { newestCalls } from './newest-calls.ts'
import type { View } from './support/view.ts'

/**
 * One call of the scenario. Names of things begin with `rx`; what only a running engine knows stands in braces:
 * `{345-create-run}` is the id that this call was answered (`{345-create-run:12}` its first 12 digits), `{start}`,
 * `{now}` and `{later}` are moments in Unix seconds.
 */
export interface CatalogueCall {
  readonly name: string
  readonly method: string
  /** Without version prefix, unless the call is `raw`. */
  readonly path: string
  /** The path is sent as it stands. */
  readonly raw?: true
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: JsonValue
  /** A body that is no JSON, byte for byte. */
  readonly text?: string
  /** The files of a tar archive. */
  readonly tar?: Readonly<Record<string, string>>
  /** The body is the answer to another call. */
  readonly bodyOf?: string
  /** Bytes to write after the head of a hijacked connection; then the client's side ends. */
  readonly stdin?: string
  /** The call is repeated until its answer holds this, or one of these: what happens meanwhile takes its time. */
  readonly until?: string | readonly string[]
  /** The answer does not end by itself: what has come when nothing more comes counts. */
  readonly endless?: true
}

/** The answer of the engine of one version to the same call. */
export interface RecordedAnswer {
  /** null: the connection closed, or nothing came. */
  readonly status: number | null
  readonly type?: string
  /** Of an error. */
  readonly text?: string
  /** Index into the file's table of bodies. */
  readonly body?: number
}

export interface RecordedEngine {
  readonly origin: { readonly engine: string; readonly version: string }
  /** Bodies reduced to their shape: scalars are empty, of equal elements one stays. */
  readonly bodies: readonly (readonly JsonValue[])[]
  readonly answers: Readonly<Record<string, RecordedAnswer>>
}

const FOLDER = new URL('../golden/conformance/', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8')

const callsOf = (file: string): readonly CatalogueCall[] => (JSON.parse(read(file)) as { calls: CatalogueCall[] }).calls

const laterCalls = callsOf('catalogue-later.json')

/**
 * Three scenarios: what clients of 1.18 to 1.22 say, measured by the engines of that age; what clients from 1.23 on say,
 * measured by the engine behind, asked at their version without a bridge; and what newest clients say, whose versions no
 * engine here speaks, measured by what an engine of their version answered to the same calls (`take-newest.ts`).
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
  /** Parts of answers that occur several times. */
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

/** The operation that a call belongs to, or what else it asks for. */
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
 * Calls that no client of that version makes: engines of its age do not know the endpoint, or the form. The bridge passes
 * them on as real engines that know them do at every prefix (test/journeys/newer-endpoints.test.ts); there is no answer of
 * an engine of that age to measure them by but `404 page not found`.
 */
function isNewer(call: CatalogueCall, client: string): boolean {
  if (SINCE_1_22.has(call.name)) return client < '1.22'
  const operation = operationOf(call)
  return operation !== 'no operation' && newerOperations(client).has(operation)
}

const newer = new Map<string, ReadonlySet<CellOperation>>()

/** The operations of which the engines up to that version answered every call with 404. */
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
