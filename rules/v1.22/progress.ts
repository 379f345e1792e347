import { isPodman } from '../../src/api/engine-facts.ts'
import { isObject, type JsonValue, memberAt } from '../../src/api/json/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { byHand, type Changes, isTrue, recordDropped } from '../../src/translate/ops.ts'
import { printed } from '../by-hand/build-text.ts'

const RUNS = 'quiet build: output of a command'

/** As engines up to 1.9 do: the bridge leaves out the output of commands, and keeps the steps. */
function askForSteps({ query }: RequestMessage, { memory, engine }: StepContext): void {
  if (!isTrue(query.get('q')) || isPodman(engine)) return // Podman's lines are others
  query.delete('q')
  memory.set(RUNS, true) // the builder's first line ends it
}

/** Drops what a command prints, from ` ---> Running in` to the next line of the builder. */
function withoutOutput({ body }: ResponseMessage, context: StepContext): 'drop' | undefined {
  const text = printed(body)
  if (text === undefined) return undefined
  const runs = context.memory.get(RUNS)
  if (runs === undefined) return undefined
  const isBuilders = /^(?: ---> |Removing intermediate container |Step \d|Successfully )/.test(text)
  if (runs === true && !isBuilders) return 'drop'
  context.memory.set(RUNS, text.startsWith(' ---> Running in '))
  return undefined
}

const hasOnlyAux = (record: JsonValue | undefined): boolean =>
  isObject(record) && isObject(record['aux']) && memberAt(record, 'status') === undefined

export default {
  '1.22/push-aux': {
    summary: 'A push has a record with the digest.',
    see: 'pkg/jsonmessage/jsonmessage.go @v1.9.1, @v1.10.3; distribution/push_v2.go @v1.10.3',
    // docker-java up to 2.2 fails on it: it knows no `aux`.
    ops: recordDropped('ImagePush', 'the digest is left out', hasOnlyAux, {
      drops: [{ progressDetail: {}, aux: { Tag: '1', Digest: 'sha256:0a', Size: 527 } }],
      keeps: [{ status: '1: digest: sha256:0a size: 527' }],
      stripsNewer: true,
      elementwise: true,
    }),
  },
  '1.22/quiet-build': {
    summary: 'A quiet build prints the id of its image alone; before, all but the output of its commands.',
    see: 'builder/dockerfile/internals.go @v1.9.1; api/server/router/build/build_routes.go:postBuild @v1.10.3',
    ops: byHand('ImageBuild', 'a quiet build of older clients shows its steps', {
      elementwise: true,
      requestUp: askForSteps,
      responseDown: withoutOutput,
    }),
    examples: {
      'ImageBuild requestUp': [['q=1&t=a', 't=a'], ['q=0&t=a']],
      'ImageBuild responseDown body.stream': [
        ['hi\n', 'dropped', { asked: 'q=1' }],
        [' ---> 0a0a0a0a0a0a\n', ' ---> 0a0a0a0a0a0a\n', { asked: 'q=1' }],
        ['hi\n'],
      ],
    },
  },
} satisfies Changes
