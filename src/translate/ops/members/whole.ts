import { isUnset, type JsonObject } from '../../../api/json/json.ts'
import type { Shape } from '../../../api/shapes/shape.ts'
import type { Op } from '../../change.ts'
import { bodyWith } from '../../example.ts'
import type { StepContext } from '../../message.ts'
import { type Derived, derive, type Edit, named, shapeOp } from '../everywhere.ts'
import type { Case } from '../sample.ts'

/** An older client sees these members alone. */
export function onlyMembers(shape: Shape, members: readonly string[]): Op {
  const keep: Edit = (object) => {
    for (const member of Object.keys(object)) if (!members.includes(member)) delete object[member]
  }
  const kept = Object.fromEntries(members.map((member) => [member, 'x']))
  const words = `${shape.name} has ${members.join(', ')} alone`
  return {
    ...shapeOp(shape, { words, stripsNewer: ['responseDown'] }, () => ({ responseDown: keep })),
    examples: () =>
      shape.places.slice(0, 1).map(({ operation: on, path }) => ({
        ...{ on, leg: 'responseDown' },
        before: { body: bodyWith(path, { ...kept, Other: 'y' }) },
        after: { body: bodyWith(path, kept) },
      })),
  }
}

/** A member that an older client always sees as this, and not at all where it is undefined. */
export const shown = (shape: Shape, member: string, value: Derived): Op =>
  shapeOp(shape, { words: `${named(shape, member)} differs`, member }, () => ({
    responseDown: (object, context, whole) => {
      const wanted = derive(value, object, context, whole)
      if (wanted === undefined) delete object[member]
      else object[member] = wanted
    },
  }))

/** Members that newer engines refuse, and older ones ignored, `when` an object is so: an older client's request loses them. */
export function dropped(
  shape: Shape,
  members: readonly string[],
  when: (object: JsonObject, context: StepContext) => boolean,
  samples: readonly (readonly [object: JsonObject, left: JsonObject])[] = [],
): Op {
  return shapeOp(
    shape,
    { words: `${members.map((member) => named(shape, member)).join(', ')}: refused` },
    ({ id }) => ({
      requestUp: (object, context) => {
        if (!when(object, context)) return
        for (const member of members) {
          if (!isUnset(object[member] ?? null)) context.ignore(named(shape, member), id)
          delete object[member]
        }
      },
    }),
    () => ({ requestUp: samples.map(([before, after]): Case => [before, after]) }),
  )
}
