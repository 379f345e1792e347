import { ProxyError } from '../../src/api/errors.ts'
import { isObject, type JsonObject, listOf, memberAt, objectOf, stringOf } from '../../src/api/json/json.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { EmulationContext, RequestMessage, ResponseMessage } from '../../src/translate/message.ts'
import { bodyIfAllowed } from '../../src/translate/ops/calls/looked-up.ts'
import { emulated } from '../../src/translate/ops.ts'
import { networkOfMode } from '../by-hand/endpoints.ts'
import { LISTS } from '../by-hand/places.ts'
import { isPodmanBefore } from '../by-hand/podman-release.ts'

async function networkIds({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  const named = [body ?? []]
    .flat()
    .flatMap((one) => Object.entries(objectOf(memberAt(one, 'NetworkSettings', 'Networks'))))
    .filter((entry): entry is [string, JsonObject] => isObject(entry[1]) && entry[1]['NetworkID'] === entry[0])
  if (named.length === 0) return
  const networks = await bodyIfAllowed('/networks', context)
  const ids = new Map(listOf(networks).map((one) => [memberAt(one, 'Name'), memberAt(one, 'Id')]))
  for (const [name, endpoint] of named) endpoint['NetworkID'] = ids.get(name === 'podman' ? 'bridge' : name) ?? name
}

const GATEWAY = /([:=])host-gateway$/

async function hostGateway({ body }: RequestMessage, context: EmulationContext): Promise<void> {
  const host = memberAt(body, 'HostConfig')
  if (!isObject(host) || !isPodmanBefore('4.7', context)) return
  const hosts = listOf(host['ExtraHosts']).map(stringOf)
  if (!hosts.some((one) => GATEWAY.test(one))) return
  const network = networkOfMode(host['NetworkMode'])
  const { body: found } =
    network === undefined ? {} : await context.engineCall('GET', `/networks/${encodeURIComponent(network)}`)
  const configs = network === undefined ? [{ Gateway: '127.0.0.1' }] : listOf(memberAt(found, 'IPAM', 'Config'))
  const address = configs.map((config) => stringOf(memberAt(config, 'Gateway'))).find((one) => one !== '')
  if (address === undefined)
    throw new ProxyError('validation', `the network ${network} has no gateway, which is to be host-gateway`)
  host['ExtraHosts'] = hosts.map((one) => one.replace(GATEWAY, `$1${address}`))
}

const NETWORKS = {
  calls: {
    'GET /networks': {
      body: [
        { Name: 'bridge', Id: '0a' },
        { Name: 'n', Id: '0b' },
      ],
    },
  },
}

export default {
  'podman/host-gateway': {
    summary: 'A host with the address `host-gateway` has that text for an address (before 4.7).',
    see: 'pkg/specgenutil, cmd/podman/parse/net.go @v4.3.1, @v4.7.0; daemon/container_operations.go @v20.10.24',
    ops: emulated('ContainerCreate', 'it is the gateway of the network', { requestUp: hostGateway }),
    examples: {
      'ContainerCreate requestUp body.HostConfig': [
        [
          { ExtraHosts: ['a:host-gateway', 'b:1.2.3.4'], NetworkMode: 'n' },
          { ExtraHosts: ['a:10.89.0.1', 'b:1.2.3.4'], NetworkMode: 'n' },
          { calls: { 'GET /networks/n': { body: { IPAM: { Config: [{ Gateway: '10.89.0.1' }] } } } } },
        ],
        [
          { ExtraHosts: ['a:host-gateway'] },
          /^the network bridge has no gateway/,
          { calls: { 'GET /networks/bridge': { body: {} } } },
        ],
        [
          { ExtraHosts: ['a:host-gateway'], NetworkMode: 'host' },
          { ExtraHosts: ['a:127.0.0.1'], NetworkMode: 'host' },
        ],
        [{ ExtraHosts: ['a:1.2.3.4'] }],
      ],
    },
  },
  'podman/network-ids': {
    summary: 'Containers show the names of their networks for the ids (before 5.4).',
    see: 'libpod/networking_common.go @v5.2.0, @v5.4.2; Compose 2.40 makes containers again whose NetworkID is another',
    ops: emulated(['ContainerInspect', ...LISTS], 'the ids come from the list of networks', {
      responseDown: networkIds,
    }),
    examples: {
      'ContainerInspect responseDown body.NetworkSettings.Networks': [
        [
          { podman: { NetworkID: 'podman' }, n: { NetworkID: 'n' }, gone: { NetworkID: 'gone' } },
          { podman: { NetworkID: '0a' }, n: { NetworkID: '0b' }, gone: { NetworkID: 'gone' } },
          NETWORKS,
        ],
        [{ n: { NetworkID: '0b' } }],
      ],
      'ContainerList responseDown body.[].NetworkSettings.Networks': [
        [{ n: { NetworkID: 'n' } }, { n: { NetworkID: '0b' } }, NETWORKS],
      ],
    },
  },
} satisfies PodmanChanges
