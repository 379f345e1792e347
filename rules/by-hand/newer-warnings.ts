import { isObject, type JsonValue } from '../../src/api/json/json.ts'
import { byHand, type Change } from '../../src/translate/ops.ts'

const KNOWN = 'Your kernel does not support cpuset.'

/**
 * Warnings that engines send from a version on, by their beginning; the rest depends on the call. Older clients print all
 * warnings (every `docker run`, to stderr), and their users can do nothing about these, so they only go into the audit record.
 */
export function newerWarnings(see: string, warnings: readonly (readonly [begins: string, rest: string])[]): Change {
  const isNew = (warning: JsonValue): boolean =>
    typeof warning === 'string' && warnings.some(([begins]) => warning.startsWith(begins))
  const samples = warnings.map((parts) => parts.join(''))
  return {
    summary: `Create and update have new warnings (${samples.map((sample) => `“${sample}”`).join(', ')}).`,
    see,
    ops: byHand(['ContainerCreate', 'ContainerUpdate'], 'new warnings go into the audit record only', {
      stripsNewer: true,
      onLoss: 'ignore',
      loses: 'the warning',
      responseDown: ({ body }, context, change) => {
        if (!isObject(body) || !Array.isArray(body['Warnings'])) return
        for (const warning of body['Warnings'].filter(isNew))
          context.lose({ what: `warning "${warning}"`, needs: change.version, change: change.id, onLoss: 'ignore' })
        body['Warnings'] = body['Warnings'].filter((warning) => !isNew(warning))
      },
    }),
    examples: {
      'ContainerCreate responseDown body.Warnings': samples.map((sample) => [
        [KNOWN, sample],
        [KNOWN],
        { losses: [`warning "${sample}"`] },
      ]),
    },
  }
}
