import { changes } from '../../rules/index.ts'
import type { OperationName } from '../../src/api/operations.ts'
import { shapes } from '../../src/api/shapes.ts'
import { Plans } from '../../src/translate/compile.ts'
import { version } from '../support/golden-run.ts'
import { type CellOperation, callsFor, operationOf, recordedEngine, type Scenario, scenarioOf } from './catalogue.ts'
import { type Explained, explains } from './explain.ts'
import { againstRecorded, againstView, type Difference } from './support/compare.ts'
import type { View } from './support/view.ts'
import { type Way, wayName } from './support/ways.ts'

/** One thing that is not as it was expected, and where. */
export interface Finding extends Difference {
  readonly call: string
  readonly operation: CellOperation
  readonly scenario: Scenario
  readonly client: string
  readonly way: string
  /** What it was measured by: the old engine's own answer, or another way (`baseOf`). */
  readonly against: 'recorded' | 'own'
}

export type Verdict = 'identical' | 'explained' | 'wrong'

/** One operation on one way of one client. */
export interface Cell {
  readonly operation: CellOperation
  readonly client: string
  readonly way: string
  readonly verdict: Verdict
  /** The calls of the operation on this way, by their own verdict. */
  readonly calls: Readonly<Record<Verdict, number>>
  readonly wrong: readonly Finding[]
  /** Reasons, and ids of release changes. */
  readonly reasons: ReadonlySet<string>
}

/** What one client was answered on one way, by the name of the call. */
export interface Heard {
  readonly way: Way
  readonly views: ReadonlyMap<string, View>
}

/** Everything that differs on one way. `own` is the way that it is measured by. */
export function findingsOf({ way, views }: Heard, own: Heard): Finding[] {
  const scenario = scenarioOf(way.client)
  const recorded = scenario === 'old' ? recordedEngine(way.client) : undefined
  const findings: Finding[] = []
  const name = wayName(way)
  // Of later clients the other engine is the same one with fewer versions.
  const sameEngine = recorded === undefined || way.engine === own.way.engine
  for (const call of callsFor(way.client)) {
    const view = views.get(call.name)
    const there = own.views.get(call.name)
    if (view === undefined || there === undefined) continue
    const of = { call: call.name, operation: operationOf(call), scenario, client: way.client, way: name }
    // The versions that an engine serves are its own: calls that try them are compared between the ways only.
    if (recorded !== undefined && way.target !== 'direct' && call.raw !== true)
      for (const difference of againstRecorded(view, recorded, call.name))
        findings.push({ ...of, against: 'recorded', ...difference })
    if (own.way !== way)
      for (const difference of againstView(view, there))
        if (sameEngine || isOfSuccess(view, there)) findings.push({ ...of, against: 'own', ...difference })
  }
  return findings
}

/** What other engines refuse, and how they say it, is measured by the recorded engine alone. */
const isOfSuccess = ({ status }: View, there: View): boolean =>
  status !== null && status < 400 && there.status !== null && there.status < 400

const plans = new Plans(
  { changes, shapes },
  { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined },
)
/** The highest version of each engine that is asked directly. */
const HIGHEST: Readonly<Record<string, string>> = {
  '20.10': '1.41',
  '26.1': '1.45',
  '28.5': '1.51',
  'podman-5.4': '1.41',
}

/**
 * The `release` changes that the bridge puts right between a client and an engine asked at the client's own version: they
 * are the reasons why an answer through the bridge differs from the engine's own.
 */
export function releaseChanges(operation: CellOperation, client: string, engine: string): readonly string[] {
  const own = version(client)
  if (operation === 'no operation') return own < JSON_ERRORS ? ['1.24/errors-json'] : []
  return plans.get(operation satisfies OperationName, own, own, version(HIGHEST[engine] ?? '')).changes
}
const JSON_ERRORS = version('1.24')

/** Turns what differs into cells. Every operation of the scenario has one on every way. */
export function cellsOf(
  heard: readonly Heard[],
  findings: readonly Finding[],
  explained: readonly Explained[],
): Cell[] {
  const key = (client: string, way: string, operation: string): string => `${client} ${way} ${operation}`
  const grouped = Map.groupBy(findings, ({ client, way, operation }) => key(client, way, operation))
  return heard.flatMap(({ way, views }) => {
    const name = wayName(way)
    const calls = callsFor(way.client).filter((call) => views.has(call.name))
    const operations = new Set(calls.map(operationOf))
    return [...operations].map((operation): Cell => {
      const own = grouped.get(key(way.client, name, operation)) ?? []
      const reasons = new Set<string>()
      const wrong = own.filter((finding) => !isExplained(finding, way, explained, reasons))
      const verdict = wrong.length > 0 ? 'wrong' : own.length > 0 ? 'explained' : 'identical'
      const all = calls.filter((call) => operationOf(call) === operation).length
      const count = { identical: all - callsIn(own), explained: callsIn(own) - callsIn(wrong), wrong: callsIn(wrong) }
      return { operation, client: way.client, way: name, verdict, calls: count, wrong, reasons }
    })
  })
}

const callsIn = (findings: readonly Finding[]): number => new Set(findings.map(({ call }) => call)).size

function isExplained(finding: Finding, way: Way, explained: readonly Explained[], reasons: Set<string>): boolean {
  const ids = way.target === 'direct' ? releaseChanges(finding.operation, finding.client, way.engine) : []
  for (const id of ids) reasons.add(id)
  const entries = explained.filter((entry) => explains(entry, finding))
  for (const { why } of entries) reasons.add(why)
  return ids.length > 0 || entries.length > 0
}
