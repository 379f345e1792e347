import { memberAt, stringOf } from '../../src/api/json/json.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { EmulationContext } from '../../src/translate/message.ts'
import { byHand, emulated, inspectPath } from '../../src/translate/ops.ts'

const UPGRADE = 'podman.attach.upgrade'

async function removeNotStarted(_message: unknown, context: EmulationContext): Promise<void> {
  const path = `/containers/${encodeURIComponent(context.call.params['name'] ?? '')}`
  if (context.allows?.('GET', inspectPath(context)) === false || context.allows?.('DELETE', path) === false) return
  const { body } = await context.engineCall('GET', inspectPath(context))
  const state = stringOf(memberAt(body, 'State', 'Status'))
  if (memberAt(body, 'HostConfig', 'AutoRemove') === true && ['created', 'initialized'].includes(state))
    await context.engineCall('DELETE', path, { query: { v: '1' } })
}

export default {
  'podman/failed-starts': {
    summary:
      'An attach makes the process of a container, and is 500 where that fails; with AutoRemove some that did not start stay.',
    // Command lines end there, with 1 for 126 or 127, and leave the container of a `--rm`.
    see: 'pkg/api/handlers/compat/containers_attach.go, libpod/container_api.go:HTTPAttach @v5.4.2, @v5.8.2',
    ops: [
      byHand('ContainerAttach', 'it is an empty stream, and the start says why', {
        part: { requestUp: 'head', responseDown: 'error' },
        requestUp: ({ headers }, { memory }) => void memory.set(UPGRADE, headers.get('Upgrade') ?? ''),
        responseDown: (message, { memory }) => {
          if (message.status !== 500 || !/^preparing container \S+ for attach: /.test(message.text ?? '')) return
          const upgrade = stringOf(memory.get(UPGRADE))
          message.status = upgrade === '' ? 200 : 101
          delete message.text
          if (upgrade === '') return
          message.headers.set('Connection', 'Upgrade')
          message.headers.set('Upgrade', upgrade)
        },
      }),
      // Command lines wait for its end: with an unknown user they hung.
      emulated('ContainerStart', 'one that is to be removed is removed', {
        part: 'error',
        responseDown: removeNotStarted,
      }),
    ],
    examples: {
      'ContainerAttach responseDown': [
        [
          { status: 500, text: 'preparing container 0a for attach: runc: x: OCI permission denied' },
          { status: 101, headers: { Connection: 'Upgrade', Upgrade: 'tcp' } },
          { asked: { query: 'stdout=1', headers: { Upgrade: 'tcp' } } },
        ],
        [{ status: 500, text: 'preparing container 0a for attach: runc: x: OCI permission denied' }, { status: 200 }],
        [{ status: 500, text: 'preparing container 0a at all' }],
      ],
      'ContainerStart responseDown error': [
        [
          '500 unable to find user x',
          '500 unable to find user x',
          {
            params: { name: 'c1' },
            calls: {
              'GET /containers/c1/json': { body: { State: { Status: 'created' }, HostConfig: { AutoRemove: true } } },
              'DELETE /containers/c1?v=1': { status: 204, body: {} },
            },
          },
        ],
      ],
    },
  },
} satisfies PodmanChanges
