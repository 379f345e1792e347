import { isObject } from '../../src/api/json/json.ts'
import type { OperationName } from '../../src/api/operations.ts'
import type { BoundChange, Change, Example } from '../../src/translate/change.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { byHand } from '../../src/translate/ops.ts'

interface NewWarning {
  readonly text: RegExp
  readonly sample: string
}

const WARNED: readonly OperationName[] = ['ContainerCreate', 'ContainerUpdate']

/**
 * Warnings that engines give from a version on. Clients below it print whatever comes (every `docker run`, to stderr), and
 * their users could do nothing about it: it goes into the record alone.
 */
export function newerWarnings(version: string, see: string, warnings: readonly NewWarning[]): Change {
  const examples = warnings.map(
    ({ sample }): Example => ({
      on: 'ContainerCreate',
      leg: 'responseDown',
      before: { status: 201, body: { Id: 'c', Warnings: ['Your kernel does not support cpuset.', sample] } },
      after: { body: { Id: 'c', Warnings: ['Your kernel does not support cpuset.'] } },
      losses: [`warning "${sample}"`],
    }),
  )
  return {
    id: `${version}/warnings`,
    gate: 'release',
    summary: `Create and update have new warnings (${warnings.map(({ sample }) => `“${sample}”`).join(', ')}).`,
    see,
    ops: [
      byHand(WARNED, 'warnings that are new go into the audit record', {
        stripsNewer: true,
        onLoss: 'ignore',
        loses: 'the warning',
        responseDown: (message, context, change) => withoutWarnings(message, context, change, warnings),
      }),
    ],
    examples,
  }
}

function withoutWarnings(
  { body }: ResponseMessage,
  context: StepContext,
  change: BoundChange,
  warnings: readonly NewWarning[],
): void {
  if (!isObject(body) || !Array.isArray(body['Warnings'])) return
  const isNew = (said: unknown): boolean => warnings.some(({ text }) => typeof said === 'string' && text.test(said))
  for (const said of body['Warnings'].filter(isNew))
    context.lose({ what: `warning "${said}"`, needs: change.version, change: change.id, onLoss: 'ignore' })
  body['Warnings'] = body['Warnings'].filter((said) => !isNew(said))
}
