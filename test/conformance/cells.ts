import { changes } from '../../rules/index.ts'
import type { OperationName } from '../../src/api/operations.ts'
import { shapes } from '../../src/api/shapes.ts'
import { Plans } from '../../src/translate/compile.ts'
import { version } from '../support/golden-run.ts'
import { type CatalogueCall, type CellOperation, operationOf, recordedEngine } from './catalogue.ts'
import { type Explained, explains } from './explain.ts'
import { againstRecorded, againstView, type Difference } from './support/compare.ts'
import type { View } from './support/view.ts'
import { type Way, wayName } from './support/ways.ts'

/** One thing that is not as it was expected, and where. */
export interface Finding extends Difference {
  readonly call: string
  readonly operation: CellOperation
  readonly client: string
  readonly way: string
  /** What it was measured by: the old engine's own answer, or the way without pin to 20.10. */
  readonly against: 'recorded' | 'own'
}

export type Verdict = 'identical' | 'explained' | 'wrong'

/** One operation on one way of one client. */
export interface Cell {
  readonly operation: CellOperation
  readonly client: string
  readonly way: string
  readonly verdict: Verdict
  readonly wrong: readonly Finding[]
  /** Reasons, and ids of release changes. */
  readonly reasons: ReadonlySet<string>
}

/** What one client was answered on one way, by the name of the call. */
export interface Heard {
  readonly way: Way
  readonly views: ReadonlyMap<string, View>
}

/** Everything that differs on one way. `own` is the same client's unpinned way to 20.10. */
export function findingsOf({ way, views }: Heard, own: Heard, calls: readonly CatalogueCall[]): Finding[] {
  const recorded = recordedEngine(way.client)
  const findings: Finding[] = []
  const name = wayName(way)
  const sameEngine = way.engine === own.way.engine
  for (const call of calls) {
    const view = views.get(call.name)
    const there = own.views.get(call.name)
    if (view === undefined || there === undefined) continue
    const of = { call: call.name, operation: operationOf(call), client: way.client, way: name }
    // The versions that an engine serves are its own: calls that try them are compared between the ways only.
    if (way.target !== 'direct' && call.raw !== true)
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
const HIGHEST_2010 = version('1.41')

/**
 * The `release` changes that the bridge puts right between a client and engine 20.10 asked at the client's own version:
 * they are the reasons why an answer through the bridge differs from the engine's own.
 */
export function releaseChanges(operation: CellOperation, client: string): readonly string[] {
  if (operation === 'no operation') return ['1.24/errors-json']
  const own = version(client)
  return plans.get(operation satisfies OperationName, own, own, HIGHEST_2010).changes
}

/** Turns what differs into cells. Every operation of the scenario has one on every way. */
export function cellsOf(
  heard: readonly Heard[],
  findings: readonly Finding[],
  calls: readonly CatalogueCall[],
  explained: readonly Explained[],
): Cell[] {
  const key = (client: string, way: string, operation: string): string => `${client} ${way} ${operation}`
  const grouped = Map.groupBy(findings, ({ client, way, operation }) => key(client, way, operation))
  return heard.flatMap(({ way, views }) => {
    const name = wayName(way)
    const operations = new Set(calls.filter((call) => views.has(call.name)).map(operationOf))
    return [...operations].map((operation): Cell => {
      const own = grouped.get(key(way.client, name, operation)) ?? []
      const reasons = new Set<string>()
      const wrong = own.filter((finding) => !isExplained(finding, way, explained, reasons))
      const verdict = wrong.length > 0 ? 'wrong' : own.length > 0 ? 'explained' : 'identical'
      return { operation, client: way.client, way: name, verdict, wrong, reasons }
    })
  })
}

function isExplained(finding: Finding, way: Way, explained: readonly Explained[], reasons: Set<string>): boolean {
  const ids = way.target === 'direct' ? releaseChanges(finding.operation, finding.client) : []
  for (const id of ids) reasons.add(id)
  const entries = explained.filter((entry) => explains(entry, finding))
  for (const { why } of entries) reasons.add(why)
  return ids.length > 0 || entries.length > 0
}
