import type { JsonValue } from '../../src/api/json/json.ts'
import type { CatalogueCall } from './catalogue.ts'

const filters = (wanted: JsonValue): string => `filters=${encodeURIComponent(JSON.stringify(wanted))}`
const get = (name: string, path: string, headers?: Readonly<Record<string, string>>): CatalogueCall => ({
  name,
  method: 'GET',
  path,
  ...(headers === undefined ? {} : { headers }),
})
const post = (name: string, path: string, json?: JsonValue): CatalogueCall => ({
  name,
  method: 'POST',
  path,
  ...(json === undefined ? {} : { type: 'application/json', json }),
})
const create = (name: string, container: string, body: Readonly<Record<string, JsonValue>>): CatalogueCall =>
  post(name, `/containers/create?name=${container}`, { Image: 'busybox', Cmd: ['true'], ...body })
const PLATFORM = encodeURIComponent(JSON.stringify({ os: 'linux', architecture: 'amd64' }))
const WINDOW = '/events?since={start}&until={now}'

/** Calls of versions from 1.42 on, by the name of the call that they precede. */
const between: Readonly<Record<string, readonly CatalogueCall[]>> = {
  '014-error-no-such-page': [
    create('n01-create-string-cmd', 'rec-n-string', { Cmd: 'sleep 1000' }),
    create('n02-create-annotations', 'rec-n-annotated', { HostConfig: { Annotations: { a: '1' } } }),
    get('n03-inspect-annotations', '/containers/rec-n-annotated/json'),
    get('n04-list-annotations', `/containers/json?all=1&${filters({ name: ['rec-n-annotated'] })}`),
    get('n05-list-by-annotation', `/containers/json?all=1&${filters({ annotation: ['a=1'] })}`),
    create('n06-create-umask', 'rec-n-umask', { HostConfig: { Umask: 18 } }),
    create('n07-create-start-interval', 'rec-n-interval', {
      Healthcheck: { Test: ['CMD', 'true'], StartPeriod: 1e9, StartInterval: 1e9 },
    }),
    create('n08-create-mac', 'rec-n-mac', { MacAddress: '02:42:ac:11:00:77' }),
    get('n09-inspect-mac', '/containers/rec-n-mac/json'),
    create('n10-create-image-mount', 'rec-n-image', {
      HostConfig: { Mounts: [{ Type: 'image', Source: 'busybox', Target: '/i' }] },
    }),
    create('n11-create-ports', 'rec-n-ports', {
      ExposedPorts: { '80/tcp': {} },
      HostConfig: { PortBindings: { '80/tcp': [], '81/udp': [{ HostPort: '' }] } },
    }),
    get('n12-inspect-ports', '/containers/rec-n-ports/json'),
    create('n13-create-link', 'rec-n-link', { HostConfig: { Links: ['rec-min:db'] } }),
    create('n14-create-volume-subpath', 'rec-n-subpath', {
      HostConfig: { Mounts: [{ Type: 'volume', Source: 'v', Target: '/v', VolumeOptions: { Subpath: '../x' } }] },
    }),
    create('n15-create-kernel-memory-tcp', 'rec-n-tcp', { HostConfig: { KernelMemoryTCP: 5000000 } }),
    create('n16-create-bad-port', 'rec-n-port', { ExposedPorts: { 'x/tcp': {} } }),
    create('n17-create-bad-dns', 'rec-n-dns', { HostConfig: { Dns: ['nowhere'] } }),
    create('n18-create-bad-mac', 'rec-n-badmac', { MacAddress: 'zz' }),
  ],
  '024-error-history-missing': [
    get('n20-images-manifests', '/images/json?manifests=1'),
    get('n21-images-identity-alone', '/images/json?identity=1'),
    get('n22-images-identity', '/images/json?manifests=1&identity=1'),
    get('n23-image-manifests', '/images/busybox/json?manifests=1'),
    get('n24-image-platform', `/images/busybox/json?platform=${PLATFORM}`),
    get('n25-history-platform', `/images/busybox/history?platform=${PLATFORM}`),
    get('n26-attestations', '/images/busybox/attestations'),
    get('n27-attestations-platforms', `/images/busybox/attestations?platform=${PLATFORM}&platform=${PLATFORM}`),
    get('n28-attestations-missing', '/images/nonesuch/attestations'),
    get('n29-save-platform', `/images/busybox/get?platform=${PLATFORM}`),
    get('n30-images-until', `/images/json?${filters({ until: ['2000-01-01'] })}`),
    post('n31-load-nothing', '/images/load'),
  ],
  '099-list-limit': [get('n33-list-limit-bad', '/containers/json?limit=abc')],
  '125-attach-logs': [
    get('n40-logs-json', '/containers/rec-min/logs?stdout=1&format=json'),
    get('n41-logs-accept', '/containers/rec-min/logs?stdout=1', { Accept: 'application/jsonl' }),
    get('n42-logs-format-bad', '/containers/rec-min/logs?stdout=1&format=xml'),
    get('n43-logs-since-bad', '/containers/rec-min/logs?stdout=1&since=abc'),
    get('n44-logs-tail-bad', '/containers/rec-min/logs?stdout=1&tail=abc'),
  ],
  '146-exec-inspect-missing': [
    post('n46-exec-console', '/containers/rec-min/exec', { Cmd: ['true'], Tty: true, ConsoleSize: [20, 40] }),
  ],
  '184-network-create-dup': [
    post('n50-network-no-ipv4', '/networks/create', { Name: 'rec-n-net4', EnableIPv4: false }),
    post('n51-network-ipv6-unused', '/networks/create', {
      Name: 'rec-n-net6',
      IPAM: { Config: [{ Subnet: '10.78.0.0/16' }, { Subnet: 'fd00:78::/64' }] },
    }),
    get('n52-network-ipv6-inspect', '/networks/rec-n-net6'),
    create('n53-create-ipv6-address', 'rec-n-ipv6', {
      NetworkingConfig: { EndpointsConfig: { 'rec-n-net6': { IPAMConfig: { IPv6Address: 'fd00:78::5' } } } },
    }),
    post('n54-network-bad-subnet', '/networks/create', { Name: 'rec-n-bad', IPAM: { Config: [{ Subnet: 'x' }] } }),
    post('n55-connect-priority', '/networks/rec-net/connect', {
      Container: 'rec-n-annotated',
      EndpointConfig: { GwPriority: 5, MacAddress: '02:42:0a:4d:00:51' },
    }),
    get('n56-inspect-priority', '/containers/rec-n-annotated/json'),
    post('n57-disconnect', '/networks/rec-net/disconnect', { Container: 'rec-n-annotated' }),
  ],
  '201-pause': [
    post('n60-update-devices', '/containers/rec-min/update', { BlkioWeightDevice: [] }),
    post('n61-stop-bad-time', '/containers/rec-n-annotated/stop?t=x'),
  ],
  '219-events': [
    post('n70-build-prune-reserved', '/build/prune?reserved-space=1000&max-used-space=2000&min-free-space=0'),
    post('n71-build-prune-all', '/build/prune?all=1&keep-storage=1000'),
    post('n72-volumes-prune-bad', `/volumes/prune?${filters({ nonesuch: ['x'] })}`),
  ],
  '220-events-filter': [
    get('n73-events-ndjson', WINDOW, { Accept: 'application/x-ndjson' }),
    get('n74-events-since-bad', '/events?since=abc&until=1'),
    get('n75-events-until-before', '/events?since=20&until=10'),
  ],
  '231-system-df': [
    get('n80-df-verbose', '/system/df?verbose=1'),
    get('n81-df-images', '/system/df?verbose=1&type=image'),
    get('n82-df-bad', '/system/df?type=nonesuch'),
    post('n83-auth-bad', '/auth', 'x'),
    { ...post('n84-auth-no-json', '/auth'), type: 'application/json', text: '{' },
    get('n85-distribution', '/distribution/Bad!/json'),
    get('n86-info-again', '/info'),
  ],
}

/** Newest engines refuse a Cmd or Entrypoint that is a string (n01), so creates with a string get a list. */
function withLists(call: CatalogueCall): CatalogueCall {
  if (!call.path.startsWith('/containers/create') || typeof call.json !== 'object') return call
  if (call.json === null || Array.isArray(call.json)) return call
  const json = Object.fromEntries(
    Object.entries(call.json).map(([name, value]) => [
      name,
      /^(Cmd|Entrypoint)$/.test(name) && typeof value === 'string' ? value.split(' ').filter(Boolean) : value,
    ]),
  )
  return { ...call, json }
}

/** Calls that were added to the scenario of later clients after engine 29 had been recorded. */
export const NOT_ASKED: readonly string[] = ['094-wait-mac']

/** The scenario of later clients, with the additional calls of the newest ones. */
export const newestCalls = (later: readonly CatalogueCall[]): readonly CatalogueCall[] =>
  later.flatMap((call) => [...(between[call.name] ?? []), withLists(call)])
