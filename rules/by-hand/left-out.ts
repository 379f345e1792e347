import type { OperationName } from '../../src/api/operations.ts'
import type { Op } from '../../src/translate/change.ts'
import { isUnset, type JsonObject, type JsonValue } from '../../src/translate/json.ts'
import { byHand, omittedWhenEmpty } from '../../src/translate/ops.ts'
import { type Shape, walker } from '../../src/translate/shape.ts'

/** Visits every object of a shape in the answers of each operation that has it. */
export function inAnswers(shape: Shape): {
  operations: readonly OperationName[]
  visit: (body: JsonValue | undefined, operation: OperationName, see: (object: JsonObject) => void) => void
} {
  const places = shape.places
    .filter(({ side }) => side === 'response')
    .map(({ operation, path }) => ({ operation, walk: walker(path) }))
  return {
    operations: [...new Set(places.map(({ operation }) => operation))],
    visit: (body, operation, see) => {
      for (const place of places) if (place.operation === operation) place.walk(body, see)
    },
  }
}

/**
 * A member of answers that is left out when empty from a version on, in both directions: an older client gets `empty`,
 * a newer one does not see a value that says nothing.
 */
export function leftOutWhenEmpty(shape: Shape, member: string, empty: JsonValue): Op[] {
  const { operations, visit } = inAnswers(shape)
  return [
    omittedWhenEmpty(shape, member, empty),
    byHand(operations, `${shape.name}.${member} goes when it is empty`, {
      responseUp: ({ body }, { operation }) =>
        visit(body, operation, (object) => {
          if (object[member] === empty || isUnset(object[member])) delete object[member]
        }),
    }),
  ]
}
