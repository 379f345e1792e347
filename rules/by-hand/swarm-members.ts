import type { OperationName } from '../../src/api/operations.ts'
import type { Change, Example, Leg } from '../../src/translate/change.ts'
import { isUnset, type JsonObject, type JsonValue } from '../../src/translate/json.ts'
import type { OnLoss } from '../../src/translate/message.ts'
import { added, gated, queryAdded } from '../../src/translate/ops.ts'
import type { Place, Shape } from '../../src/translate/shape.ts'
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
 * do. Each member is its own example, on every leg that it has.
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
      ...members.flatMap(({ of, name, onLoss = 'refuse', neutral, droppedByPrefix, saysByBeing = false, up }) => {
        const member = added(of, name, {
          onLoss,
          saysByBeing,
          ...(up === undefined ? {} : { up }),
          neutral: (value) => !saysByBeing && isNeutral(value, neutral),
        })
        return droppedByPrefix === true ? gated({ gate: 'prefix', legs: ['requestDown'] }, member) : [member]
      }),
      ...queries.map(({ on, name, onLoss }) => queryAdded(on, name, { onLoss })),
      ...keepsUnseen(members.map(({ of }) => of)),
    ],
    examples: [...members.flatMap(examplesOf), ...queries.flatMap(queryExamples)],
  }
}

const queryExamples = ({ on, name, sample, onLoss }: SwarmQuery): Example[] => [
  { on, leg: 'requestUp', before: { query: `${name}=${sample}` }, after: { query: '' } },
  {
    on,
    leg: 'requestDown',
    before: { query: `${name}=${sample}` },
    after: onLoss === 'refuse' ? { refused: new RegExp(name) } : { query: '' },
  },
]

/** Also an object whose members are all unset: the CLI sends the skeleton of privileges. */
const isNeutral = (value: JsonValue, neutral: JsonValue | undefined): boolean =>
  value === neutral ||
  (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isUnset))

function examplesOf({ of, name, sample, onLoss = 'refuse', neutral, up }: SwarmMember): Example[] {
  const example = (
    place: Place,
    leg: Leg,
    own: JsonObject,
    after: JsonObject | undefined,
    losses?: string[],
  ): Example => ({
    on: place.operation,
    leg,
    before: { body: at(place.path, own) },
    after: after === undefined ? { refused: new RegExp(name) } : { body: at(place.path, after) },
    ...(losses === undefined ? {} : { losses }),
  })
  const asked = of.places.filter(({ side }) => side === 'request').slice(0, 1)
  const shown = of.places.filter(({ side }) => side === 'response').slice(0, 1)
  const lost = onLoss === 'refuse' ? undefined : {}
  return [
    ...asked.flatMap((place) => [
      example(place, 'requestUp', { [name]: sample }, {}),
      example(place, 'requestDown', { [name]: sample }, lost, lost && [`${of.name}.${name}`]),
      example(place, 'requestDown', { [name]: neutral ?? null }, {}, []),
    ]),
    ...shown.flatMap((place) => [
      example(place, 'responseDown', { [name]: sample }, {}),
      example(place, 'responseUp', {}, up === undefined ? {} : { [name]: up }),
    ]),
  ]
}

/** A body with nothing but an object at a path. */
const at = (path: string, own: JsonObject): JsonValue =>
  (path === '' ? [] : path.split('.')).reduceRight<JsonValue>(
    (value, step) => (step === '[]' ? [value] : { [step]: value }),
    own,
  )
