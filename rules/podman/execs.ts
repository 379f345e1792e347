import { isUnset, memberAt, stringOf } from '../../src/api/json/json.ts'
import { ExecConfig } from '../../src/api/shapes/shapes.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { BodyRewriter, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { byHand, onEach, retyped } from '../../src/translate/ops.ts'

const STREAMS = ['AttachStdin', 'AttachStdout', 'AttachStderr']

const NOTHING: BodyRewriter = { push: () => [], rest: () => Buffer.alloc(0) }

const DETACHED = 'podman.exec.detached'

function withoutOutput({ status, headers }: ResponseMessage, context: StepContext): void {
  if (status >= 400 || context.memory.get(DETACHED) !== true) return
  context.rewriter = NOTHING
  headers.delete('Content-Type')
}

const PLAIN = { headers: { 'Content-Type': 'text/plain; charset=us-ascii' } }

export default {
  'podman/execs': {
    summary: 'An exec with a variable that has no value is refused, and so is the start of one without streams.',
    see: 'pkg/api/handlers/compat/exec.go, libpod/container_exec.go @v5.4.2',
    ops: [
      retyped(ExecConfig, 'Env', {
        toNewer: (variables) =>
          Array.isArray(variables) ? variables.filter((one) => stringOf(one).includes('=')) : undefined,
        samples: [
          [
            ['A', 'B=', 'C=c'],
            ['B=', 'C=c'],
          ],
        ],
      }),
      onEach(ExecConfig, 'its output is attached where no stream is', {
        requestUp: (config) => {
          if (STREAMS.every((stream) => isUnset(config[stream]))) config['AttachStdout'] = true
        },
      }),
    ],
    examples: {
      'ContainerExec requestUp body': [
        [{ AttachStdin: false }, { AttachStdin: false, AttachStdout: true }],
        [{ AttachStderr: true }],
      ],
    },
  },
  'podman/detached-execs': {
    summary: 'The start of a detached exec is answered with a line break.',
    see: 'pkg/api/handlers/compat/exec.go:ExecStartHandler @v5.4.2; api/server/router/container/exec.go @v20.10.24',
    ops: [
      byHand('ExecStart', 'a detached one is noted', {
        requestUp: ({ body }, { memory }) => void memory.set(DETACHED, memberAt(body, 'Detach') === true),
      }),
      byHand('ExecStart', 'there is no output', { part: 'head', responseDown: withoutOutput }),
    ],
    examples: {
      'ExecStart responseDown': [[PLAIN, { headers: { 'Content-Type': null } }, { asked: { body: { Detach: true } } }]],
    },
  },
} satisfies PodmanChanges
