import { type ApiVersion, versionOf } from '../api/version.ts'
import type { BoundChange, Change, PlacedStep } from './change.ts'
import { bindAll, stepProblems } from './check.ts'
import type { Examples } from './example.ts'

/**
 * A difference between the specification and all real engines. It applies to the client versions that the specification
 * describes, not between two versions: with `--profile spec` its `requestUp` steps run before all changes (the client
 * follows the specification), its `responseDown` steps after them.
 */
export interface Deviation {
  /** The first and the last client version that it applies to. */
  readonly clients: readonly [first: string, last: string]
  readonly summary: string
  /** Section of the specification, and the evidence that engines differ. */
  readonly see: string
  readonly ops: Change['ops']
  readonly examples?: Examples
}

/** Deviations by id. */
export type Deviations = Readonly<Record<`spec/${string}`, Deviation>>

/** A deviation with parsed versions; a change from the ops' point of view, so that ops serve both. */
export interface BoundDeviation extends BoundChange {
  readonly last: ApiVersion
}

const LEGS: ReadonlySet<PlacedStep['leg']> = new Set(['requestUp', 'responseDown'])

/** Binds deviations. Rejects the same errors as `bindRules`, and legs that deviations do not have. */
export const bindDeviations = (files: readonly Deviations[]): readonly BoundDeviation[] =>
  bindAll(
    files.flatMap((file) => Object.entries(file).map(([id, deviation]) => ({ id, deviation }))),
    ({ id, deviation }) => bindDeviation(id, deviation),
    (bound) => stepProblems(bound, deviationSteps(bound)),
  )

function bindDeviation(id: string, { clients, ...change }: Deviation): BoundDeviation {
  const [first, last] = [versionOf(clients[0]), versionOf(clients[1])]
  if (first > last) throw new Error(`${id}: ${clients.join(' to ')} is not a range of versions`)
  const bound = { id, gate: 'release', version: first, from: first, last, prefixCodeGoneFrom: undefined } as const
  return { ...bound, ops: [change.ops].flat(), change }
}

/** The steps of a deviation: those of the ops' four legs that concern its clients. */
export const deviationSteps = (deviation: BoundDeviation): readonly PlacedStep[] =>
  deviation.ops.flatMap((op) => op.steps(deviation)).filter(({ leg }) => LEGS.has(leg))

export const holdsFor = (deviation: BoundDeviation, client: ApiVersion): boolean =>
  deviation.version <= client && client <= deviation.last
