import { response, shape } from '../../src/api/shapes/shape.ts'
import { ExecConfig, ExecInspect } from '../../src/api/shapes/shapes.ts'
import type { Deviations } from '../../src/translate/change.ts'
import { added, filled, headRetyped, only, retyped, statusChanged } from '../../src/translate/ops.ts'
import { textAsList } from '../by-hand/each-text.ts'

const ExecCreated = shape('ExecCreated', '', [response('ContainerExec')])

export default {
  'spec/exec-create-warnings': {
    clients: ['1.18', '1.22'],
    summary: 'The answer to an exec create has Warnings.',
    see: 'specification, 2.4; engines answer the Id alone',
    ops: filled(ExecCreated, 'Warnings', []),
  },
  'spec/exec-cmd-string': {
    clients: ['1.19', '1.22'],
    summary: 'The command of an exec can be a string.',
    see: 'specification, 2.4; engines from 1.7 on require a list',
    ops: retyped(ExecConfig, 'Cmd', { samples: [['id', ['id']]], toNewer: textAsList }),
  },
  'spec/exec-privileged-from-1.22': {
    clients: ['1.21', '1.21'],
    summary: 'An exec can be privileged from 1.22 on.',
    see: 'specification, 2.4 and 9; engine 1.9 has it',
    ops: only({ legs: ['requestUp'] }, added(ExecConfig, 'Privileged', { sample: true, onLoss: 'ignore' })),
  },
  'spec/exec-paused-from-1.22': {
    clients: ['1.21', '1.21'],
    summary: 'An exec in a paused container is a conflict from 1.22 on.',
    see: 'specification, 3 and 7; engine 1.9 answers 409',
    ops: statusChanged(['ContainerExec', 'ExecStart'], { before: 500, after: 409, when: '{lead}is paused{rest}' }),
  },
  'spec/exec-start-detached': {
    clients: ['1.18', '1.22'],
    summary: 'A detached start of an exec answers 200.',
    see: 'specification, 4.2; engines up to 1.8 answer 204',
    ops: statusChanged('ExecStart', { before: 200, after: 204 }),
  },
  'spec/exec-resize-status': {
    clients: ['1.18', '1.22'],
    summary: 'A resize of an exec answers 201, as text/plain.',
    see: 'specification, 4.2 and 7; engines answer 200',
    ops: [
      statusChanged('ExecResize', { before: 201, after: 200 }),
      headRetyped('ExecResize', 'response header Content-Type', { toOlder: 'text/plain; charset=utf-8' }),
    ],
  },
  'spec/container-resize-type': {
    clients: ['1.18', '1.22'],
    summary: 'A resize of a container answers text/plain.',
    see: 'specification, 4.1; engine 20.10 names no type',
    ops: headRetyped('ContainerResize', 'response header Content-Type', { toOlder: 'text/plain; charset=utf-8' }),
  },
  'spec/exec-inspect-type': {
    clients: ['1.18', '1.21'],
    summary: 'Exec inspect has the type plain/text.',
    see: 'specification, 2.4; every engine sends application/json',
    ops: headRetyped('ExecInspect', 'response header Content-Type', { toOlder: 'plain/text' }),
  },
  'spec/exec-exit-code': {
    clients: ['1.18', '1.22'],
    summary: 'The exit code of an exec is a number even while it runs.',
    see: 'specification, 2.4 and 3; null from engine 1.10 on',
    ops: retyped(ExecInspect, 'ExitCode', { toOlder: [[null, 0]] }),
  },
} satisfies Deviations
