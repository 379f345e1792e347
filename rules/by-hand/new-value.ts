import { type Shape, walker } from '../../src/api/shapes/shape.ts'
import type { Op } from '../../src/translate/change.ts'
import { byHand } from '../../src/translate/ops.ts'

/** A value of a member that an older engine does not know: asking for it is refused. */
export function newValueRefused(shape: Shape, member: string, isNew: (value: string) => boolean): Op {
  const places = shape.places
    .filter(({ side }) => side === 'request')
    .map(({ operation, path }) => ({ operation, walk: walker(path) }))
  return byHand(
    places.map(({ operation }) => operation),
    `a new value of ${shape.name}.${member} is refused`,
    {
      onLoss: 'refuse',
      requestDown: ({ body }, context, change) => {
        const walk = places.find(({ operation }) => operation === context.operation)?.walk
        walk?.(body, (object) => {
          const value = object[member]
          if (typeof value !== 'string' || !isNew(value)) return
          context.lose({
            what: `${shape.name}.${member} ${value}`,
            needs: change.from,
            change: change.id,
            onLoss: 'refuse',
          })
        })
      },
    },
  )
}
