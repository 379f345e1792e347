import { isObject, type JsonObject, type JsonValue } from '../../../api/json/json.ts'
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

/** Events that are new: of a type, of an action (up to a colon), or of an action of a type. */
export function eventsAdded(...kinds: readonly { readonly Type?: string; readonly Action?: string }[]): Op {
  const actionOf = ({ Action: action, status }: JsonObject): string =>
    String(action ?? status ?? '').split(':')[0] ?? ''
  const isNew = (record: JsonValue | undefined): boolean =>
    isObject(record) &&
    kinds.some(
      ({ Type: type = record['Type'], Action: action = actionOf(record) }) =>
        record['Type'] === type && actionOf(record) === action,
    )
  const words = kinds.map((kind) => Object.values(kind).join(' ')).join(', ')
  const old = { Type: 'old', Action: 'old' }
  return recordDropped('SystemEvents', `new events: ${words}`, isNew, {
    drops: kinds.flatMap(({ Type: type = 'old', Action: action = 'old' }) => [
      { Type: type, Action: `${action}: more` },
      { Type: type, status: action },
    ]),
    keeps: [old],
  })
}
