import type { JsonValue } from '../../../api/json/json.ts'
import type { OperationName } from '../../../api/operations.ts'
import type { Example, Op, PlacedStep } from '../../change.ts'
import type { ResponseMessage, StepContext } from '../../message.ts'

/** Records that earlier versions did not have: `isNew` decides, an older client does not see them. */
export function recordDropped(
  operation: OperationName,
  words: string,
  isNew: (record: ResponseMessage['body'], context: StepContext) => boolean,
  {
    drops = [],
    keeps = [],
    stripsNewer,
  }: {
    drops?: readonly JsonValue[]
    keeps?: readonly JsonValue[] /** With `--newer-fields pass` they stay. */
    stripsNewer?: true
  } = {},
): Op {
  const steps = (): PlacedStep[] => [
    {
      operation,
      leg: 'responseDown',
      part: 'body',
      kind: 'step',
      ...(stripsNewer ? { stripsNewer } : {}),
      run: (message, context) => (isNew(message.body, context) ? 'drop' : undefined),
    },
  ]
  const shown = (body: JsonValue, after: Example['after']): Example => ({
    on: operation,
    leg: 'responseDown',
    before: { body },
    after,
  })
  return {
    words: `${operation}: ${words}`,
    steps,
    examples: () => [
      ...drops.map((record) => shown(record, 'dropped')),
      ...keeps.map((record) => shown(record, { body: record })),
    ],
  }
}
