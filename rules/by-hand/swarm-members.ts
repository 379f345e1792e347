import { isObject, isUnset, type JsonObject, type JsonValue } from '../../src/api/json/json.ts'
import type { Shape } from '../../src/api/shapes/shape.ts'
import type { OnLoss } from '../../src/translate/message.ts'
import { added, type Change, gated, type Op } from '../../src/translate/ops.ts'
import { keepsUnseen } from '../emulate/keep-unseen.ts'

interface SwarmMembers {
  readonly of: Shape
  /** A value of each member. */
  readonly samples: JsonObject
  /** Default `refuse`: placement, execution and protection of a service must not be lost silently. */
  readonly onLoss?: OnLoss
  /** A value that means unset, beside Go's zero value. */
  readonly neutral?: JsonValue
  /** Even an empty object counts as set. */
  readonly saysByBeing?: true
  /** The value that a newer client gets from an older engine. */
  readonly up?: JsonValue
}

/**
 * Members that swarm objects have from a version on. Engines show them, and read most of them, at every requested version:
 * the gate is `release`. Engines drop the others by the requested version (swarm_routes' adjustForAPIVersion,
 * cluster_routes' initCluster): in requests their gate is `prefix`.
 */
export function swarmMembers(change: {
  readonly summary: string
  readonly see?: string
  readonly members?: readonly SwarmMembers[]
  /** Members that newer engines silently drop from requests of an older version. */
  readonly droppedByPrefix?: readonly SwarmMembers[]
  readonly ops?: Op | readonly Op[]
}): Change {
  const { members = [], droppedByPrefix = [], ops = [], ...rest } = change
  const all = [...droppedByPrefix, ...members]
  const opsOf = ({ of, samples, neutral, ...options }: SwarmMembers): Op[] =>
    Object.entries(samples).map(([name, sample = null]) =>
      added(of, name, {
        ...{ onLoss: 'refuse', ...options, sample },
        neutral: options.saysByBeing ? [] : [...(neutral === undefined ? [] : [neutral]), isUnsetInside],
      }),
    )
  return {
    ...rest,
    ops: [
      ...gated({ gate: 'prefix', legs: ['requestUp', 'requestDown'] }, ...droppedByPrefix.flatMap(opsOf)),
      ...members.flatMap(opsOf),
      ...[ops].flat(),
      ...keepsUnseen(all.map(({ of }) => of)),
    ],
  }
}

/** An object whose members are all unset: the CLI sends Privileges in that form. */
const isUnsetInside = (value: JsonValue): boolean => isObject(value) && Object.values(value).every(isUnset)
