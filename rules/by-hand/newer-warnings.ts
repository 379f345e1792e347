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
 * Warnings that engines send from a version on. Older clients print all warnings (every `docker run`, to stderr), and their
 * users can do nothing about these, so they only go into the audit record.
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
      byHand(WARNED, 'new warnings go into the audit record only', {
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
  const isNew = (warning: unknown): boolean =>
    warnings.some(({ text }) => typeof warning === 'string' && text.test(warning))
  for (const warning of body['Warnings'].filter(isNew))
    context.lose({ what: `warning "${warning}"`, needs: change.version, change: change.id, onLoss: 'ignore' })
  body['Warnings'] = body['Warnings'].filter((warning) => !isNew(warning))
}
