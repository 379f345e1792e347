import { ProxyError } from '../../src/api/errors.ts'
import { listOf, memberAt, objectOf, stringOf } from '../../src/api/json/json.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import {
  Answer,
  type EmulationContext,
  type RequestMessage,
  type ResponseMessage,
} from '../../src/translate/message.ts'
import { bodyIfAllowed } from '../../src/translate/ops/calls/looked-up.ts'
import { emulated, isTrue } from '../../src/translate/ops.ts'

/** By name Podman refuses while a container is in the network, by id it never does. Docker refuses while one runs there. */
async function unusedNetwork(message: RequestMessage, context: EmulationContext): Promise<void> {
  for (const name of new Set(message.query.keys())) if (/^(?:force|timeout)$/i.test(name)) message.query.delete(name)
  if (context.allows?.('GET', message.path) === false) return
  const { status, body } = await context.engineCall('GET', message.path)
  if (status !== 200) return
  // 4.3 lists all containers, but addresses only of those that run.
  const containers = Object.values(objectOf(memberAt(body, 'Containers')))
  const inUse = containers.some((container) => stringOf(memberAt(container, 'MacAddress')) !== '')
  message.path = `/networks/${encodeURIComponent(stringOf(memberAt(body, inUse ? 'Name' : 'Id')))}`
}

/** Docker forgives a missing volume if forced. */
async function volumeByWholeName({ query, path }: RequestMessage, context: EmulationContext): Promise<void> {
  if (context.allows?.('GET', path) === false) return
  const { status } = await context.engineCall('GET', path)
  if (status !== 404) return
  if (isTrue(query.get('force'))) throw new Answer(204)
  throw new ProxyError('validation', `get ${context.call.params['name']}: no such volume`, { status: 404 })
}

const KILLED = 'podman.killed'

async function kill({ path, query }: RequestMessage, context: EmulationContext): Promise<void> {
  if (!isTrue(query.get('force')) || context.allows?.('POST', `${path}/kill`) === false) return
  context.permit?.('DELETE', path) // before anything is changed
  const { status } = await context.engineCall('POST', `${path}/kill`)
  if (status < 400) context.memory.set(KILLED, true)
}

const DEPENDED_ON = /^container ([0-9a-f]{64}) has dependent containers which must be removed before it: /
const REMOVED = 'removed-'
/** It remembers whether anonymous volumes are to go, too. */
const removedName = (id: string, volumes: boolean): string => `${REMOVED}${id.slice(0, 12)}${volumes ? '-v' : ''}`
const ALL_REMOVED = `/containers/json?${new URLSearchParams({
  all: '1',
  filters: JSON.stringify({ name: [`^${REMOVED}[0-9a-f]{12}(-v)?$`] }),
})}`

/** Its name is free then. */
async function keepForDependents(message: ResponseMessage, context: EmulationContext): Promise<void> {
  const [, id] = DEPENDED_ON.exec(message.text ?? '') ?? []
  const { query: asked } = context.call
  const calls = isTrue(asked.get('force')) ? ['rename', 'kill'] : ['rename'] // without that it may be running
  if (id === undefined || calls.some((name) => context.allows?.('POST', `/containers/${id}/${name}`) === false)) return
  const name = removedName(id, isTrue(asked.get('v')))
  const { status } = await context.engineCall('POST', `/containers/${id}/rename`, { query: { name } })
  if (status >= 400) return
  context.note?.(`the container is called ${name} until those that depend on it are removed`)
  message.status = 204
  delete message.text
}

/** The newest first: it may depend on others. */
async function removeKept(_message: unknown, context: EmulationContext): Promise<void> {
  for (const one of listOf(await bodyIfAllowed(ALL_REMOVED, context)).toReversed()) {
    const id = stringOf(memberAt(one, 'Id'))
    const volumes = [false, true].find((v) => listOf(memberAt(one, 'Names')).includes(`/${removedName(id, v)}`))
    if (volumes === undefined || context.allows?.('DELETE', `/containers/${id}`) === false) continue
    // A start of one that depends on it has started it, too.
    await context.engineCall('DELETE', `/containers/${id}`, { query: { force: '1', v: volumes ? '1' : '0' } })
  }
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
  'podman/containers-with-dependents': {
    summary: 'A container whose network, processes or volumes another one uses is not removed before that.',
    see: 'libpod/runtime_ctr.go:removeContainer @v4.3.1, @v5.8.2; Docker removes it, and Compose 2 removes it first to make it again',
    ops: [
      emulated('ContainerDelete', 'it gives up its name', { part: 'error', responseDown: keepForDependents }),
      emulated('ContainerDelete', 'those that waited are removed', { responseDown: removeKept }),
    ],
    examples: {
      'ContainerDelete responseDown': [
        [
          { status: 500, text: `container ${ID} has dependent containers which must be removed before it: 0b: x` },
          { status: 204 },
          { calls: { [`POST /containers/${ID}/rename?name=removed-0a0a0a0a0a0a`]: { status: 204, body: '' } } },
        ],
        [
          { status: 500, text: `container ${ID} has dependent containers which must be removed before it: 0b: x` },
          { status: 500, text: `container ${ID} has dependent containers which must be removed before it: 0b: x` },
          { calls: { [`POST /containers/${ID}/rename?name=removed-0a0a0a0a0a0a`]: { status: 500, body: '' } } },
        ],
        [
          { status: 204 },
          { status: 204 },
          { calls: { [`GET ${ALL_REMOVED}`]: { body: [{ Id: ID, Names: ['/removed-1'] }] } } },
        ],
        [
          { status: 204 },
          { status: 204 },
          {
            calls: {
              [`GET ${ALL_REMOVED}`]: { body: [{ Id: ID, Names: ['/removed-0a0a0a0a0a0a-v'] }] },
              [`DELETE /containers/${ID}?force=1&v=1`]: { status: 204, body: '' },
            },
          },
        ],
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
