import { ProxyError } from '../../src/api/errors.ts'
import { isObject, type JsonValue, listOf, memberAt, objectOf, stringOf } from '../../src/api/json/json.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { EmulationContext, EngineAnswer, RequestMessage } from '../../src/translate/message.ts'
import { emulated } from '../../src/translate/ops.ts'
import { networkOfMode, objectAt } from '../by-hand/endpoints.ts'

/**
 * Docker writes the address of a linked container to /etc/hosts, too, but anew when that is started again. `HostConfig.Links` are
 * of the network of its mode, those of an endpoint of the endpoint's.
 */
export async function linksAsHosts({ body }: Pick<RequestMessage, 'body'>, context: EmulationContext): Promise<void> {
  const hostConfig = memberAt(body, 'HostConfig')
  const endpoints = objectOf(memberAt(body, 'NetworkingConfig', 'EndpointsConfig'))
  const holders = [
    [networkOfMode(memberAt(hostConfig, 'NetworkMode')), objectOf(hostConfig)] as const,
    ...Object.entries(endpoints).map(([name, one]) => [name === 'default' ? 'bridge' : name, objectOf(one)] as const),
  ]
  const hosts = new Set<JsonValue>()
  const look = oncePerName(context)
  for (const [network, holder] of holders) {
    const links = listOf(holder['Links']).map(stringOf)
    if (links.length === 0 || network === undefined) continue
    for (const link of links)
      for (const host of await hostsOf(link, network, context, look, holder === hostConfig)) hosts.add(host)
    delete holder['Links']
  }
  if (hosts.size === 0 || !isObject(body)) return
  const own = objectAt(body, 'HostConfig')
  own['ExtraHosts'] = [...new Set([...listOf(own['ExtraHosts']), ...hosts])]
  context.note?.('Podman has no links: the new container finds the linked ones at their present addresses alone')
}

type Look = (name: string) => Promise<EngineAnswer>

/** A container can be linked many thousand times. */
function oncePerName(context: EmulationContext): Look {
  const seen = new Map<string, Promise<EngineAnswer>>()
  return (name) => {
    const asked = seen.get(name) ?? context.engineCall('GET', `/containers/${encodeURIComponent(name)}/json`)
    seen.set(name, asked)
    return asked
  }
}

/** `web:db` is the container web under the names db and web. Where it has no address yet, Docker looks later for an endpoint's. */
async function hostsOf(
  link: string,
  network: string,
  context: EmulationContext,
  look: Look,
  must: boolean,
): Promise<string[]> {
  const [name = '', alias = name] = link.replace(/^\//, '').split(':')
  const { body, status, error } = await look(name)
  // With 404 the command line would look for the image.
  if (status === 404) throw new ProxyError('validation', `could not get container for ${name}: ${error}`)
  if (status !== 200) throw new ProxyError('validation', error, { status })
  const address = stringOf(memberAt(body, 'NetworkSettings', 'Networks', network, 'IPAddress'))
  if (address !== '') return [`${alias}:${address}`, `${name}:${address}`]
  const runs = memberAt(body, 'State', 'Running') === true
  const why = runs ? `${name}, as it has no address in the network ${network}` : `a non running container: /${name}`
  if (must) throw new ProxyError('validation', `Cannot link to ${why}`, { status: 409 })
  context.note?.(`Podman has no links, and ${name} no address yet: it is not found as ${alias}`)
  return []
}

const inNetwork = (network: string, IPAddress: string) => ({
  calls: { 'GET /containers/web/json': { body: { NetworkSettings: { Networks: { [network]: { IPAddress } } } } } },
})

export default {
  'podman/links': {
    summary: 'There are no links between containers: a create with one is refused.',
    see: 'pkg/api/handlers/compat/containers_create.go @v5.4.2; daemon/container_operations.go:buildSandboxOptions @v20.10.24',
    ops: emulated('ContainerCreate', 'linked containers are entries of /etc/hosts, at their addresses of that moment', {
      requestUp: linksAsHosts,
    }),
    examples: {
      'ContainerCreate requestUp body': [
        [
          { NetworkingConfig: { EndpointsConfig: { n: { Links: ['web:db'] } } } },
          {
            NetworkingConfig: { EndpointsConfig: { n: {} } },
            HostConfig: { ExtraHosts: ['db:10.89.0.2', 'web:10.89.0.2'] },
          },
          inNetwork('n', '10.89.0.2'),
        ],
        [
          { NetworkingConfig: { EndpointsConfig: { n: { Links: ['web:db'] } } } },
          { NetworkingConfig: { EndpointsConfig: { n: {} } } },
          inNetwork('n', ''),
        ],
      ],
      'ContainerCreate requestUp body.HostConfig': [
        [{ Links: ['web:db'] }, { ExtraHosts: ['db:10.88.0.2', 'web:10.88.0.2'] }, inNetwork('bridge', '10.88.0.2')],
        [
          { Links: ['/web'], NetworkMode: 'n', ExtraHosts: ['a:1.1.1.1'] },
          { NetworkMode: 'n', ExtraHosts: ['a:1.1.1.1', 'web:10.89.0.2'] },
          inNetwork('n', '10.89.0.2'),
        ],
        [{ Links: ['web:db'] }, /^Cannot link to a non running container: \/web$/, inNetwork('bridge', '')],
        [
          { Links: ['web:db'] },
          /^could not get container for web: No such container: web$/,
          { calls: { 'GET /containers/web/json': { status: 404, body: 'No such container: web' } } },
        ],
        [{ Links: ['web:db'], NetworkMode: 'host' }],
        [{ Links: [] }],
      ],
    },
  },
} satisfies PodmanChanges
