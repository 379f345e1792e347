import { ProxyError } from '../../src/api/errors.ts'
import { memberAt, objectOf, stringOf } from '../../src/api/json/json.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import { Answer, type EmulationContext, type RequestMessage } from '../../src/translate/message.ts'
import { lookUp } from '../../src/translate/ops/calls/looked-up.ts'
import { emulated, isTrue } from '../../src/translate/ops.ts'

/** By name Podman refuses while a container is in the network, by id it never does. Docker refuses while one runs there. */
async function unusedNetwork(message: RequestMessage, context: EmulationContext): Promise<void> {
  for (const name of new Set(message.query.keys())) if (/^(?:force|timeout)$/i.test(name)) message.query.delete(name)
  if (!context.allows('GET', message.path)) return
  const { status, body } = await lookUp(message.path, context)
  if (status !== 200) return
  // 4.3 lists all containers, but addresses only of those that run.
  const containers = Object.values(objectOf(memberAt(body, 'Containers')))
  const inUse = containers.some((container) => stringOf(memberAt(container, 'MacAddress')) !== '')
  message.path = `/networks/${encodeURIComponent(stringOf(memberAt(body, inUse ? 'Name' : 'Id')))}`
}

/** Docker forgives a missing volume if forced. */
async function volumeByWholeName({ query, path }: RequestMessage, context: EmulationContext): Promise<void> {
  if (!context.allows('GET', path)) return
  const { status } = await lookUp(path, context)
  if (status !== 404) return
  if (isTrue(query.get('force'))) throw new Answer(204)
  throw new ProxyError('validation', `get ${context.call.params['name']}: no such volume`, { status: 404 })
}

const KILLED = 'podman.killed'

async function kill({ path, query }: RequestMessage, context: EmulationContext): Promise<void> {
  if (!isTrue(query.get('force')) || !context.allows('POST', `${path}/kill`)) return
  context.permit('DELETE', path) // before anything is changed
  const { status } = await context.engineCall('POST', `${path}/kill`)
  if (status < 400) context.memory.set(KILLED, true)
}

const GONE = { status: 404, text: 'x' }
const KILL = 'POST /containers/web/kill'
const ID = '0a'.repeat(32)

export default {
  'podman/network-removal': {
    summary:
      'By its id a network is removed while in use; by its name it is not, even if its containers have ended; `force` removes these too.',
    see: 'pkg/domain/infra/abi/network.go:NetworkRm @v5.8.0; docker-py removes networks by id; Docker has no `force` here',
    ops: emulated('NetworkDelete', 'it is removed if no container runs there, and not by force', {
      part: 'head',
      requestUp: unusedNetwork,
    }),
    examples: {
      'NetworkDelete requestUp': [
        [
          { path: `/networks/${ID}`, query: 'FORCE=1&timeout=3' },
          { path: '/networks/zn', query: '' },
          { calls: { [`GET /networks/${ID}`]: { body: { Name: 'zn', Containers: { a: { MacAddress: '02:42' } } } } } },
        ],
        [
          { path: '/networks/zn' },
          { path: `/networks/${ID}` },
          { calls: { 'GET /networks/zn': { body: { Id: ID, Containers: { a: { MacAddress: '' } } } } } },
        ],
        [{ path: '/networks/x' }, { path: '/networks/x' }, { calls: { 'GET /networks/x': { status: 404 } } }],
      ],
    },
  },
  'podman/container-removal': {
    summary: 'A container that is removed by force first has its time to end: ten seconds for a shell.',
    see: 'pkg/api/handlers/compat/containers.go:RemoveContainer, KillContainer @v4.3.1, @v5.8.0',
    ops: emulated('ContainerDelete', 'it is killed', {
      part: { requestUp: 'head', responseDown: 'error' },
      requestUp: kill,
      // With AutoRemove it is gone by then.
      responseDown: async (message, { memory }) => {
        if (message.status !== 404 || !memory.has(KILLED)) return
        message.status = 204
        delete message.text
      },
    }),
    examples: {
      'ContainerDelete responseDown': [
        [GONE, { status: 204 }, { asked: 'force=1', calls: { [KILL]: { status: 204, body: '' } } }],
        [GONE, GONE, { asked: 'force=1', calls: { [KILL]: { status: 404, body: '' } } }],
        [GONE, GONE, { asked: 'force=0' }],
      ],
    },
  },
  'podman/volume-removal': {
    summary: 'The beginning of a name removes a volume.',
    see: 'pkg/api/handlers/compat/volumes.go:RemoveVolume (LookupVolume) @v5.8.0',
    ops: emulated('VolumeDelete', 'only a whole name is removed', { part: 'head', requestUp: volumeByWholeName }),
    examples: {
      'VolumeDelete requestUp': [
        [{ path: '/volumes/zda' }, /^get zda: no such volume$/, { calls: { 'GET /volumes/zda': { status: 404 } } }],
        [
          { path: '/volumes/zda', query: 'force=1' },
          { answered: 204 },
          { calls: { 'GET /volumes/zda': { status: 404 } } },
        ],
        [
          { path: '/volumes/zdata' },
          { path: '/volumes/zdata' },
          { calls: { 'GET /volumes/zdata': { body: { Name: 'zdata' } } } },
        ],
      ],
    },
  },
} satisfies PodmanChanges
