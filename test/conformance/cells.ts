import {
  type CellOperation,
  callsFor,
  operationOf,
  recordedEngine,
  type Scenario,
  scenarioOf,
  viewsRecorded,
} from './catalogue.ts'
import { followUps, madeAsRecorded, madeIn, wasInOtherState } from './comparable.ts'
import { type Explained, explains } from './explain.ts'
import type { Righted } from './release.ts'
import { againstRecorded, againstView, type Difference } from './support/compare.ts'
import type { View } from './support/view.ts'
import { type Way, wayName } from './support/ways.ts'

/** One difference from the expected answer, with its place. */
export interface Finding extends Difference {
  readonly call: string
  readonly operation: CellOperation
  readonly scenario: Scenario
  readonly client: string
  readonly way: string
  /** The answer that it was compared with: the old engine's own, or that of another way (`baseOf`). */
  readonly against: 'recorded' | 'own'
  /** The `release` changes that correct it, if an engine was asked directly. */
  readonly by?: readonly string[]
}

export type Verdict = 'identical' | 'explained' | 'wrong'

/** One operation on one way of one client. */
export interface Cell {
  readonly operation: CellOperation
  readonly client: string
  readonly way: string
  readonly verdict: Verdict
  /** The number of the operation's calls on this way, by verdict. */
  readonly calls: Readonly<Record<Verdict, number>>
  readonly wrong: readonly Finding[]
  readonly reasons: Reasons
}

/** Reasons (sentences, or ids of release changes), each with the calls that it explains. */
export type Reasons = Map<string, Set<string>>

/** The answers to one client on one way, by the name of the call. */
export interface Heard {
  readonly way: Way
  readonly views: ReadonlyMap<string, View>
  /** If the engine was asked directly: its answers, corrected by the `release` changes. */
  readonly righted?: ReadonlyMap<string, Righted>
}

/** All differences on one way. `own` is the way that it is compared with. */
export function findingsOf(heard: Heard, own: Heard): Finding[] {
  const { way } = heard
  const scenario = scenarioOf(way.client)
  const of = { scenario, client: way.client, way: wayName(way) }
  const differences = [
    ...(scenario === 'old' && way.target !== 'direct' ? fromRecorded(heard) : []),
    ...(own.way === way ? [] : fromOwn(heard, own)),
    ...(scenario === 'newest' ? fromNewest(heard) : []),
  ]
  return differences.map((difference) => ({ ...of, ...difference }))
}

type Found = Omit<Finding, 'scenario' | 'client' | 'way'>

function fromRecorded({ way, views }: Heard): Found[] {
  const recorded = recordedEngine(way.client)
  const calls = callsFor(way.client)
  const following = followUps(calls, madeIn(views), madeAsRecorded(recorded))
  return calls.flatMap((call): Found[] => {
    const view = views.get(call.name)
    // Each engine serves versions of its own: calls that try them are compared only between the ways.
    if (view === undefined || call.raw === true || following.has(call.name)) return []
    if (wasInOtherState(call, way.client)) return []
    const of = { call: call.name, operation: operationOf(call), against: 'recorded' } as const
    return againstRecorded(view, recorded, call.name).map((difference) => ({ ...of, ...difference }))
  })
}

/** All differences from the answers of an engine of the client's version. */
function fromNewest({ way, views }: Heard): Found[] {
  const recorded = viewsRecorded(way.client)
  const calls = callsFor(way.client)
  const following = followUps(calls, madeIn(views), madeIn(recorded))
  return calls.flatMap((call): Found[] => {
    const view = views.get(call.name)
    const there = recorded.get(call.name)
    if (view === undefined || there === undefined || following.has(call.name)) return []
    const of = { call: call.name, operation: operationOf(call), against: 'recorded' } as const
    return againstView(view, there).map((difference) => ({ ...of, ...difference }))
  })
}

function fromOwn(heard: Heard, own: Heard): Found[] {
  const { way, views } = heard
  // For later clients, the other engine is the same one with fewer versions.
  const sameEngine = scenarioOf(way.client) === 'later' || way.engine === own.way.engine
  const calls = callsFor(way.client)
  const following = followUps(calls, madeIn(views), madeIn(own.views))
  return calls.flatMap((call): Found[] => {
    const view = views.get(call.name)
    const there = own.views.get(call.name)
    if (view === undefined || there === undefined || following.has(call.name)) return []
    // Refusals of other engines, their texts and their versions are compared only with the recorded engine.
    if (!sameEngine && (call.raw === true || !isOfSuccess(view, there))) return []
    const of = { call: call.name, operation: operationOf(call), against: 'own' } as const
    const righted = heard.righted?.get(call.name)
    const found = righted === undefined ? againstView(view, there) : rightedDifferences(view, righted, there)
    return found.map((difference) => ({ ...of, ...difference }))
  })
}

const isOfSuccess = ({ status }: View, there: View): boolean =>
  status !== null && status < 400 && there.status !== null && there.status < 400

/**
 * The differences from the engine's own answer, each with the ids of the `release` changes that correct it. Those that they
 * do not correct need another explanation.
 */
function rightedDifferences(
  view: View,
  { view: done, by }: Righted,
  there: View,
): Omit<Found, 'call' | 'operation' | 'against'>[] {
  const left = againstView(done, there)
  return againstView(view, there).flatMap((difference) => {
    const rest = left.filter(({ path }) => touches(path, difference.path))
    if (rest.length > 0) return rest
    const ids = [...by].flatMap(([path, of]) => (touches(path, difference.path) ? [...of] : []))
    // Elements whose order another member changes.
    const all = left.length === 0 && ids.length === 0 ? [...by.values()].flatMap((of) => [...of]) : ids
    return [{ ...difference, by: [...new Set(all)] }]
  })
}

const touches = (path: string, other: string): boolean => isWithin(path, other) || isWithin(other, path)
const isWithin = (path: string, whole: string): boolean =>
  path === whole || (/^[.[]/.test(path.slice(whole.length)) && path.startsWith(whole))

/** Makes cells of the differences. Every operation of the scenario has a cell on every way. */
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
      const reasons: Reasons = new Map()
      const wrong = own.filter((finding) => !isExplained(finding, explained, reasons))
      const verdict = wrong.length > 0 ? 'wrong' : own.length > 0 ? 'explained' : 'identical'
      const all = calls.filter((call) => operationOf(call) === operation).length
      const count = { identical: all - callsIn(own), explained: callsIn(own) - callsIn(wrong), wrong: callsIn(wrong) }
      return { operation, client: way.client, way: name, verdict, calls: count, wrong, reasons }
    })
  })
}

const callsIn = (findings: readonly Finding[]): number => new Set(findings.map(({ call }) => call)).size

function isExplained(finding: Finding, explained: readonly Explained[], reasons: Reasons): boolean {
  const entries = finding.by?.length ? [] : explained.filter((entry) => explains(entry, finding))
  for (const reason of [...(finding.by ?? []), ...entries.map(({ why }) => why)])
    reasons.set(reason, (reasons.get(reason) ?? new Set()).add(finding.call))
  return finding.by?.length ? true : entries.length > 0
}
