import { changes, deviations } from '../../../rules/index.ts'
import type { OperationName } from '../../api/operations.ts'
import type { ApiVersion } from '../../api/version.ts'
import { clampVersion } from '../../api/version.ts'
import {
  type BoundChange,
  direction,
  type Leg,
  type Op,
  type PlacedStep,
  type Versions,
  type Way,
  wayOf,
} from '../../translate/change.ts'
import type { OnLoss } from '../../translate/message.ts'
import type { KnownEngine } from './releases.ts'

/** The rules for one operation between two versions, for display; needs no message. */
export interface Applied {
  readonly change: BoundChange
  readonly way: Way
  readonly legs: readonly Leg[]
  /** Descriptions of the ops. */
  readonly descriptions: readonly string[]
  /** Request values that cannot be translated. */
  readonly losses: readonly Lost[]
  /** Makes additional engine calls. */
  readonly emulated: boolean
}

export interface Lost {
  readonly what: string
  /** Id of the change that reports it. */
  readonly change: string
  readonly outcome: OnLoss
}

type Row = { readonly change: BoundChange; readonly op: Op; readonly step: PlacedStep }

/** Every step of every change, by operation. Built on first use. */
let rows: ReadonlyMap<OperationName, readonly Row[]> | undefined

function rowsOf(operation: OperationName): readonly Row[] {
  rows ??= Map.groupBy(
    [...changes, ...deviations.filter(({ podman }) => podman)].flatMap((change) =>
      change.ops.flatMap((op) => op.steps(change).map((step): Row => ({ change, op, step }))),
    ),
    ({ step }) => step.operation,
  )
  return rows.get(operation) ?? []
}

/** The versions that apply between a client and an engine, without `--engine-api`. */
export const versionsBetween = (
  client: ApiVersion,
  { highest, lowest, podman }: Pick<KnownEngine, 'highest' | 'lowest' | 'podman'>,
): Versions => ({ client, target: clampVersion(client, lowest, highest), highest, podman })

/** The steps that run for one operation between these versions. */
const inForce = (operation: OperationName, versions: Versions): readonly (Row & { readonly way: Way })[] =>
  rowsOf(operation).flatMap((row) => {
    const way = direction({ ...row.change, ...row.step.inForce }, versions)
    return row.step.profile !== 'spec' && wayOf(row.step.leg) === way ? [{ ...row, way }] : []
  })

/** The changes of one operation between these versions, oldest first, with the default settings. */
export function applied(operation: OperationName, versions: Versions): readonly Applied[] {
  const groups = Map.groupBy(inForce(operation, versions), ({ change, way }) => `${change.id} ${way}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    return [
      {
        change: first.change,
        way: first.way,
        legs: [...new Set(group.map(({ step }) => step.leg))],
        descriptions: [...new Set(group.map(({ op }) => op.description))],
        losses: distinct(group.flatMap(lossOf)),
        emulated: group.some(({ step }) => step.callsEngine === true),
      },
    ]
  })
}

/** Removing fields newer than the client's version loses nothing: an engine of that version ignored them too. */
function lossOf({ change, op, step }: Row): Lost[] {
  if (op.loss === undefined || !step.leg.startsWith('request') || step.stripsNewer) return []
  if (op.loss.on !== undefined && op.loss.on !== step.leg) return []
  return op.loss.onLoss.map((outcome) => ({ what: op.loss?.what ?? '', change: change.id, outcome }))
}

/** All losses of these changes without duplicates, refused ones first. */
export const lossesOf = (all: readonly Applied[]): readonly Lost[] =>
  distinct(all.flatMap(({ losses }) => losses)).toSorted((a, b) => SEVERITY[a.outcome] - SEVERITY[b.outcome])

/** Losses without repeated descriptions. */
const distinct = (lost: readonly Lost[]): Lost[] =>
  lost.filter((loss, i) => lost.findIndex(({ what }) => what === loss.what) === i)

const SEVERITY = { refuse: 0, warn: 1, ignore: 2 } as const satisfies Record<OnLoss, number>

/** The changes of one side of an operation that make additional engine calls. */
export function emulationsOf(operation: OperationName, versions: Versions, side: 'request' | 'response'): string[] {
  const found = inForce(operation, versions).filter(({ step }) => step.callsEngine && step.leg.startsWith(side))
  return [...new Set(found.map(({ change }) => change.id))]
}
