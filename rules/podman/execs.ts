import { isUnset, memberAt, stringOf } from '../../src/api/json/json.ts'
import { ExecConfig } from '../../src/api/shapes/shapes.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type {
  BodyRewriter,
  EmulationContext,
  RequestMessage,
  ResponseMessage,
  StepContext,
} from '../../src/translate/message.ts'
import { bodyIfAllowed } from '../../src/translate/ops/calls/looked-up.ts'
import { byHand, emulated, onEach, retyped } from '../../src/translate/ops.ts'

const STREAMS = ['AttachStdin', 'AttachStdout', 'AttachStderr']

const OUTPUT = 'podman.exec.output'
const NOTHING = Buffer.alloc(0)
const STDOUT = 1
const HEADER = 8

const EMPTIED: BodyRewriter = { push: () => [], rest: () => NOTHING }

/** Frames as those of a container without a terminal. */
const FRAMED: BodyRewriter = {
  push: (piece) => {
    if (piece.length === 0) return []
    const header = Buffer.alloc(HEADER)
    header.writeUInt8(STDOUT)
    header.writeUInt32BE(piece.length, HEADER / 2)
    return [header, piece]
  },
  rest: () => NOTHING,
}

async function chooseOutput({ body }: RequestMessage, context: EmulationContext): Promise<void> {
  if (memberAt(body, 'Detach') === true) context.memory.set(OUTPUT, 'emptied')
  else if (memberAt(body, 'Tty') !== true) {
    const exec = await bodyIfAllowed(`/exec/${encodeURIComponent(context.call.params['id'] ?? '')}/json`, context)
    if (memberAt(exec, 'ProcessConfig', 'tty') === true) context.memory.set(OUTPUT, 'framed')
  }
}

function rewriteOutput({ status, headers }: ResponseMessage, context: StepContext): void {
  const output = context.memory.get(OUTPUT)
  if (output === undefined || status >= 400) return
  context.rewriter = output === 'framed' ? FRAMED : EMPTIED
  if (output === 'emptied') headers.delete('Content-Type')
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
  'podman/exec-output': {
    summary:
      'The output of an exec that has a terminal is not framed, whatever its start says; that of a detached start is a line break.',
    see: 'pkg/api/handlers/compat/exec.go:ExecStartHandler @v5.4.2; api/server/router/container/exec.go @v20.10.24; docker-py starts without a terminal what it made with one',
    ops: [
      emulated('ExecStart', 'the exec is looked up', { requestUp: chooseOutput }),
      byHand('ExecStart', 'the output is framed as its start says', { part: 'head', responseDown: rewriteOutput }),
    ],
    examples: {
      'ExecStart responseDown': [
        [PLAIN, { headers: { 'Content-Type': null } }, { asked: { body: { Detach: true } } }],
        [
          PLAIN,
          PLAIN,
          {
            params: { id: '0a' },
            asked: { body: { Tty: false } },
            calls: { 'GET /exec/0a/json': { body: { ProcessConfig: { tty: true } } } },
          },
        ],
      ],
    },
  },
} satisfies PodmanChanges
