import { isUnset, type JsonValue } from '../../src/api/json/json.ts'
import type { Shape } from '../../src/api/shapes/shape.ts'
import type { Op } from '../../src/translate/change.ts'
import { omittedWhenEmpty, onEach } from '../../src/translate/ops.ts'

/**
 * A member of answers that is left out when empty from a version on, in both directions: an older client gets `empty`,
 * a newer one does not see a value that says nothing.
 */
export const leftOutWhenEmpty = (shape: Shape, member: string, empty: JsonValue): Op[] => [
  omittedWhenEmpty(shape, member, empty),
  onEach(shape, `${shape.name}.${member} goes when it is empty`, {
    responseUp: (object) => {
      if (object[member] === empty || isUnset(object[member])) delete object[member]
    },
  }),
]
