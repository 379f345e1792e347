import type { scenarios } from './catalogue.ts'
import type { Cell, Verdict } from './cells.ts'
import type { Explained } from './explain.ts'

export const VERDICTS = ['identical', 'explained', 'wrong'] as const satisfies readonly Verdict[]

/** How many calls of one operation on one way are identical, explained and wrong. */
export type Calls = readonly [identical: number, explained: number, wrong: number]

/** How much a sentence, or the id of a release change, explains. */
export interface Count {
  readonly reason: string
  readonly cells: number
  readonly calls: number
}

/** docs/conformance.json: what the last whole run measured. */
export interface ConformanceData {
  readonly revision: string
  /** Client version → way → operation. */
  readonly clients: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Calls>>>>>>
  readonly explanations: readonly (Count & { readonly clients: string })[]
  readonly releaseChanges: readonly Count[]
}

const CLIENTS = { old: '1.18–1.22', later: '1.23–1.51', newest: '1.56' } as const satisfies Record<
  keyof typeof scenarios,
  string
>

export function dataOf(cells: readonly Cell[], explained: readonly Explained[], revision: string): ConformanceData {
  const grouped = (of: readonly Cell[], by: 'client' | 'way'): [string, Cell[]][] => [
    ...Map.groupBy(of, (cell) => cell[by]),
  ]
  const clients = Object.fromEntries(
    grouped(cells, 'client').map(([client, its]) => [
      client,
      Object.fromEntries(
        grouped(its, 'way').map(([way, on]) => [
          way,
          Object.fromEntries(on.map(({ operation, calls }) => [operation, callsOf(calls)])),
        ]),
      ),
    ]),
  )
  const scenarioOf = new Map(explained.map(({ why, scenario }) => [why, scenario]))
  const counts = countsOf(cells)
  return {
    revision,
    clients,
    explanations: counts.flatMap((count) => {
      const scenario = scenarioOf.get(count.reason)
      return scenario === undefined ? [] : [{ ...count, clients: CLIENTS[scenario] }]
    }),
    releaseChanges: counts.filter(isId),
  }
}

const callsOf = ({ identical, explained, wrong }: Cell['calls']): Calls => [identical, explained, wrong]

/** The reasons of all cells, the one of most cells first. */
export function countsOf(cells: readonly Cell[]): readonly Count[] {
  const counts = new Map<string, { cells: number; calls: number }>()
  for (const { reasons } of cells)
    for (const [reason, calls] of reasons) {
      const count = counts.get(reason) ?? { cells: 0, calls: 0 }
      counts.set(reason, { cells: count.cells + 1, calls: count.calls + calls.size })
    }
  return [...counts]
    .map(([reason, count]) => ({ reason, ...count }))
    .sort((a, b) => b.cells - a.cells || b.calls - a.calls)
}

export const isId = ({ reason }: Pick<Count, 'reason'>): boolean => /^1\.\d+\//.test(reason)
