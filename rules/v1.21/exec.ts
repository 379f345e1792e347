import { ExecConfig } from '../../src/api/shapes/shapes.ts'
import { added, type Changes, refusedAsFound, statusChanged } from '../../src/translate/ops.ts'

/** Exec, and errors of starts and renames. */
export default {
  '1.21/exec-privileged': {
    summary: 'Privileged of an exec takes effect; engines 1.6 to 1.8 ignore it.',
    see: 'docs/api/v1.21.md, Exec Create; daemon/exec.go @v1.8.3, @v1.9.1',
    ops: added(ExecConfig, 'Privileged', { sample: true, onLoss: 'refuse' }),
  },
  '1.21/exec-conflict-status': {
    summary: 'Exec in a paused container is a conflict, 409; before, 500.',
    see: 'docs/api/v1.21.md, Exec Create; errors/daemon.go @v1.9.1; recordings 1.8.3 and 1.9.1, exec-paused',
    ops: [
      statusChanged(['ContainerExec', 'ExecStart'], { before: 500, after: 409, when: '{lead}is paused{rest}' }),
      // Engines 1.9 and 1.10 still answer 500 to create in a stopped container, 20.10 answers 409 (recordings, exec-exited).
      statusChanged(['ContainerExec', 'ExecStart'], {
        before: 500,
        after: 409,
        when: '{lead}{what=is not running|has already run}{rest}',
        legs: 'down',
      }),
    ],
  },
  '1.21/exec-start-detach-status': {
    summary: 'A detached exec start answers 200; before, 204.',
    see: 'api/server/server.go postContainerExecStart @v1.8.3; api/server/router/local/exec.go @v1.9.1',
    // Older clients keep the 200, which every document since 1.18 names.
    ops: statusChanged('ExecStart', { before: 204, after: 200, legs: 'up' }),
  },
  '1.21/exec-start-unknown-status': {
    summary: 'Starting an unknown exec is 404; before, an attached start was 200 with an empty stream.',
    see: 'recordings 1.6.2, 1.8.3 and 1.9.1, exec-start-404',
    // Older clients keep the 404: they treat all statuses from 400 on alike.
    ops: refusedAsFound('ExecStart', 'the exec is looked up before it is started', {
      asks: '/exec/{id}/json',
      says: 'not-found',
      // The start reports other errors.
      finds: ({ status, error }) => (status === 404 && /no such exec/i.test(error) ? error : undefined),
      samples: [[{ status: 404, body: 'No such exec instance x' }, 'No such exec instance x']],
      stay: [{ body: {} }, { status: 404, body: 'page not found' }],
    }),
  },
  '1.21/start-failure-status': {
    summary: 'A start that fails because a binary or device is missing is 500; before, 404.',
    see: 'recordings 1.8.3 and 1.9.1, start-fail, started-device-bad, started-net-container-404',
    // To a newer client 404 means a missing container. An older one gets the status of the engine.
    ops: statusChanged('ContainerStart', { before: 404, after: 500, when: 'Cannot start container{rest}', legs: 'up' }),
  },
  '1.21/rename-conflict-status': {
    from: '1.24',
    summary: 'Renaming to a used name is 409; on engines 1.9 to 1.11, 500.',
    see: 'recordings 1.8.3, 1.9.1, 1.10.3 and 1.12.6, rename-conflict',
    // From 1.24, because engines up to 1.8 answered 409 too. Older clients keep the 409, which is more precise.
    ops: statusChanged('ContainerRename', {
      before: 500,
      after: 409,
      when: '{lead}Conflict. The name{rest}',
      legs: 'up',
    }),
  },
} satisfies Changes
