import { isUnset, type JsonValue } from '../../src/api/json/json.ts'
import type { OperationName } from '../../src/api/operations.ts'
import type { Shape } from '../../src/api/shapes/shape.ts'
import type { Change } from '../../src/translate/change.ts'
import type { OnLoss } from '../../src/translate/message.ts'
import { casesAt } from '../../src/translate/ops/sample.ts'
import { added, gated, queryAdded } from '../../src/translate/ops.ts'
import { keepsUnseen } from '../emulate/keep-unseen.ts'

export interface SwarmMember {
  readonly of: Shape
  readonly name: string
  /** A value that says something. */
  readonly sample: JsonValue
  /** By default `refuse`: where and how a service runs, and what protects it, is not lost in silence. */
  readonly onLoss?: OnLoss
  /** The value that means the same as leaving it out, beside Go's own. */
  readonly neutral?: JsonValue
  /** Engines that have it drop it from what is asked at an older version, in silence. */
  readonly droppedByPrefix?: true
  /** An object says something by being there, even an empty one. */
  readonly saysByBeing?: true
  /** What a newer client gets from an older engine. */
  readonly up?: JsonValue
}

export interface SwarmQuery {
  readonly on: OperationName
  readonly name: string
  readonly sample: string
  readonly onLoss: 'refuse' | 'ignore'
}

/**
 * Members that the objects of a swarm have from a version on. Engines show them at every version asked for, and read most
 * of them so: the gate is `release`. Of those that they drop by the version asked for (swarm_routes' adjustForAPIVersion,
 * cluster_routes' initCluster) one that a newer client says is refused when the target is older, whatever the engine could
 * do.
 */
export function swarmMembers(change: {
  readonly id: string
  readonly summary: string
  readonly see: string
  readonly members: readonly SwarmMember[]
  readonly queries?: readonly SwarmQuery[]
}): Change {
  const { members, queries = [], ...rest } = change
  return {
    ...rest,
    gate: 'release',
    ops: [
      ...members.flatMap(
        ({ of, name, sample, onLoss = 'refuse', neutral, droppedByPrefix, saysByBeing = false, up }) => {
          const member = added(of, name, {
            sample,
            onLoss,
            saysByBeing,
            ...(up === undefined ? {} : { up }),
            neutral: (value) => !saysByBeing && isNeutral(value, neutral),
          })
          return droppedByPrefix === true ? gated({ gate: 'prefix', legs: ['requestDown'] }, member) : [member]
        },
      ),
      ...queries.map(({ on, name, sample, onLoss }) => queryAdded(on, name, { sample, onLoss })),
      ...keepsUnseen(members.map(({ of }) => of)),
    ],
    examples: members.flatMap(({ of, name, neutral }) =>
      neutral === undefined ? [] : casesAt(of, 'requestDown', [[{ [name]: neutral }, {}, []]]),
    ),
  }
}

/** Also an object whose members are all unset: the CLI sends the skeleton of privileges. */
const isNeutral = (value: JsonValue, neutral: JsonValue | undefined): boolean =>
  value === neutral ||
  (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isUnset))
