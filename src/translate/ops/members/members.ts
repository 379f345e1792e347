import { isUnset, type JsonObject, type JsonValue } from '../../../api/json/json.ts'
import type { Shape } from '../../../api/shapes/shape.ts'
import type { Op, RequestLeg, ResponseLeg } from '../../change.ts'
import { examplesAt } from '../../example.ts'
import type { StepContext } from '../../message.ts'
import { type Derived, derive, derivedCases, isPlain } from '../derived.ts'
import { type Edit, named, shapeOp } from '../everywhere.ts'
import { type Case, type MadeSamples, madeCases } from '../sample.ts'

export interface FilledOptions {
  readonly leg?: ResponseLeg
  /** On the other leg the member is left out if it has this value. */
  readonly omits?: boolean
  /** A sample value of the other member, for `sameAs`. */
  readonly sample?: JsonValue
  /** Objects without the member, and the value that a function gives it. */
  readonly samples?: MadeSamples
}

/** A member that is there, and not null, from this version on (`responseUp`), or was up to it (`responseDown`). */
export function filled(
  shape: Shape,
  member: string,
  value: Derived,
  { leg = 'responseDown', omits = false, sample, samples = [] }: FilledOptions = {},
): Op {
  const [other, clients] =
    leg === 'responseDown' ? (['responseUp', 'older'] as const) : (['responseDown', 'newer'] as const)
  const fill: Edit = (object, context, whole) => {
    const wanted = derive(value, object, context, whole)
    if (wanted !== undefined) object[member] ??= wanted
  }
  const omit: Edit = (object) => {
    if (object[member] === value || isUnset(object[member])) object[member] = undefined
  }
  const stays: Case = [{ [member]: 'said' }]
  const there: JsonObject[] = isPlain(value) ? [{ [member]: value }] : []
  const missing = derivedCases(member, value, sample).flatMap(([before, after = before, how]): Case[] => [
    [before, after, how],
    ...(member in after ? [[{ ...before, [member]: null }, after, how] as const] : []),
  ])
  return shapeOp(
    shape,
    { description: `${named(shape, member)} is always there for ${clients} clients`, member },
    () => ({ [leg]: fill, [other]: omits ? omit : undefined }),
    () => ({
      [leg]: [...missing, ...madeCases(member, samples), stays],
      [other]: [...there.map((full): Case => [full, {}]), stays],
    }),
  )
}

/**
 * A member that from this version on is left out when empty. An older client gets `empty` in its stead; with `bothWays` a newer
 * one does not see it empty.
 */
export const omittedWhenEmpty = (
  shape: Shape,
  member: string,
  empty: JsonValue,
  { bothWays = false }: { readonly bothWays?: boolean } = {},
): Op => filled(shape, member, empty, { omits: bothWays })

/** A member that was left out, up to this version, where it has this value. */
export const leftOut = (shape: Shape, member: string, empty: JsonValue): Op =>
  filled(shape, member, empty, { leg: 'responseUp', omits: true })

/** A member that an older client always sees as this, and not at all where it is undefined. */
export const shown = (shape: Shape, member: string, value: Derived, samples: MadeSamples): Op =>
  shapeOp(
    shape,
    { description: `${named(shape, member)} differs`, member },
    () => ({
      responseDown: (object, context, whole) => {
        const wanted = derive(value, object, context, whole)
        if (wanted === undefined) delete object[member]
        else object[member] = wanted
      },
    }),
    () => ({ responseDown: madeCases(member, samples) }),
  )

/** An older client sees these members alone. */
export function onlyMembers(shape: Shape, members: readonly string[]): Op {
  const keep: Edit = (object) => {
    for (const member of Object.keys(object)) if (!members.includes(member)) delete object[member]
  }
  const kept = Object.fromEntries(members.map((member) => [member, 'x']))
  const description = `${shape.name} has ${members.join(', ')} alone`
  return {
    ...shapeOp(shape, { description, stripsNewer: ['responseDown'] }, () => ({ responseDown: keep })),
    examples: () =>
      shape.places
        .slice(0, 1)
        .flatMap(({ operation, path }) =>
          examplesAt(operation, 'responseDown', `body.${path}`, [[{ ...kept, Other: 'y' }, kept]]),
        ),
  }
}

export interface IgnoredOptions {
  readonly leg?: RequestLeg
  /** A value of each member, if an example can have it alone. */
  readonly sample?: JsonValue
  readonly where?: (object: JsonObject, context: StepContext) => boolean
}

/**
 * Members that engines of the client's version ignore, but the engine refuses or obeys: the request loses them. Default:
 * requests of older clients.
 */
export function ignored(
  shape: Shape,
  members: string | readonly string[],
  { leg = 'requestUp', sample, where = () => true }: IgnoredOptions,
): Op {
  const names = [members].flat()
  return shapeOp(
    shape,
    {
      description: `${names.map((name) => named(shape, name)).join(', ')}: ignored, and left out`,
      ...(typeof members === 'string' ? { member: members } : {}),
    },
    ({ id }) => ({
      [leg]: (object: JsonObject, context: StepContext) => {
        if (!where(object, context)) return
        for (const name of names) {
          const value = object[name]
          delete object[name]
          if (!isUnset(value) && !(Array.isArray(value) && value.every(isUnset))) context.ignore(named(shape, name), id)
        }
      },
    }),
    () => ({ [leg]: sample === undefined ? [] : names.map((name): Case => [{ [name]: sample }, {}]) }),
  )
}
