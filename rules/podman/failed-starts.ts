import { memberAt, stringOf } from '../../src/api/json/json.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { EmulationContext } from '../../src/translate/message.ts'
import { byHand, emulated, inspectPath } from '../../src/translate/ops.ts'

const UPGRADE = 'podman.attach.upgrade'

async function removeNotStarted(_message: unknown, context: EmulationContext): Promise<void> {
  const path = `/containers/${encodeURIComponent(context.call.params['name'] ?? '')}`
  if (!context.allows('GET', inspectPath(context)) || !context.allows('DELETE', path)) return
  const { body } = await context.engineCall('GET', inspectPath(context))
  const [id, state] = [stringOf(memberAt(body, 'Id')), stringOf(memberAt(body, 'State', 'Status'))]
  if (memberAt(body, 'HostConfig', 'AutoRemove') === true && ['created', 'initialized'].includes(state))
    await context.engineCall('DELETE', `/containers/${id}`, { query: { v: '1' } })
}

export default {
  'podman/failed-starts': {
    summary:
      'An attach prepares the process of a container, and fails where that fails. Some containers with AutoRemove stay after a failed start.',
    // Command lines stop at this error: they end with 1, not 126 or 127, and do not remove the container of `--rm`.
    see: 'pkg/api/handlers/compat/containers_attach.go @v4.3.1 (409), @v5.4.2 (500), @v5.8.2; libpod/container_api.go:HTTPAttach',
    ops: [
      byHand('ContainerAttach', 'it is an empty stream, and the start says why', {
        part: { requestUp: 'head', responseDown: 'error' },
        requestUp: ({ headers }, { memory }) => {
          const upgrade = headers.get('Upgrade') ?? ''
          if (/^(?:tcp|h2c|websocket)$/i.test(upgrade)) memory.set(UPGRADE, upgrade)
        },
        responseDown: (message, { memory }) => {
          if (!/^preparing container \S+ for attach: /.test(message.text ?? '')) return
          const upgrade = stringOf(memory.get(UPGRADE))
          message.status = upgrade === '' ? 200 : 101
          delete message.text
          if (upgrade === '') return
          message.headers.set('Connection', 'Upgrade')
          message.headers.set('Upgrade', upgrade)
        },
      }),
      // Command lines wait for its removal: with an unknown user they hung.
      emulated('ContainerStart', 'a container with AutoRemove that did not start is removed', {
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
        [{ status: 409, text: 'preparing container 0a for attach: x' }, { status: 200 }, { asked: 'stdout=1' }],
        [
          { status: 500, text: 'preparing container 0a for attach: x' },
          { status: 200 },
          { asked: { headers: { Upgrade: 'TLS/1.2' } } },
        ],
        [{ status: 500, text: 'preparing container 0a at all' }],
      ],
      'ContainerStart responseDown error': [
        [
          '500 unable to find user x',
          '500 unable to find user x',
          {
            calls: {
              'GET /containers/web/json': {
                body: { Id: '0a', State: { Status: 'created' }, HostConfig: { AutoRemove: true } },
              },
              'DELETE /containers/0a?v=1': { status: 204, body: {} },
            },
          },
        ],
      ],
    },
  },
} satisfies PodmanChanges
