import { ProxyError } from '../../src/api/errors.ts'
import {
  isObject,
  type JsonObject,
  type JsonValue,
  listOf,
  memberAt,
  objectOf,
  stringOf,
} from '../../src/api/json/json.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { EmulationContext, RequestMessage, ResponseMessage } from '../../src/translate/message.ts'
import { limitOf } from '../../src/translate/ops/calls/applied-filters.ts'
import { editFilters, readFilters } from '../../src/translate/ops/calls/filter-values.ts'
import { byHand, emulated, filterApplied, hasLabel, headRetyped } from '../../src/translate/ops.ts'
import { isAnchored, matchesAnchored } from '../by-hand/anchored-names.ts'
import { isPredefined } from '../by-hand/endpoints.ts'
import { LISTS } from '../by-hand/places.ts'

/** The id of no image. */
const NONE = '0'.repeat(64)

async function imageId(name: string, context: EmulationContext): Promise<string> {
  const path = `/images/${encodeURIComponent(name.replace(/^sha256:/, ''))}/json`
  if (!context.allows('GET', path)) return name
  const { status, body } = await context.engineCall('GET', path)
  return status === 200 ? stringOf(memberAt(body, 'Id')).replace(/^sha256:/, '') : NONE
}

async function ancestorsById({ query }: RequestMessage, context: EmulationContext): Promise<void> {
  const ids = new Set<string>()
  for (const name of readFilters(query).get('ancestor') ?? [])
    ids.add(name === '' ? NONE : await imageId(name, context))
  editFilters(query, (filters) => {
    if (filters.has('ancestor')) filters.set('ancestor', [...ids])
  })
}

const OWN_LIST = '/libpod/containers/json'

const createdAt = (item: JsonValue): number => Number(memberAt(item, 'Created') ?? 0)

const isUp = (item: JsonValue): boolean => ['running', 'paused'].includes(stringOf(memberAt(item, 'State')))

/** From Podman's own list. No policy allows that, and the client can do without. */
async function portsAndHealth({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  const up = listOf(body).filter(isObject).filter(isUp)
  if (up.length === 0 || !context.allows('GET', OWN_LIST)) return
  const { body: found } = await context.engineCall('GET', OWN_LIST, {
    query: { filters: '{"status":["running","paused"]}' },
  })
  const own = new Map(listOf(found).map((one) => [memberAt(one, 'Id'), objectOf(one)]))
  for (const item of up) {
    const one = own.get(item['Id'])
    if (one === undefined) continue
    item['Ports'] = portsOf(one)
    const health = stringOf(one['Status'])
    if (health !== '' && item['State'] === 'running')
      item['Status'] = `${item['Status']} (${health === 'starting' ? 'health: starting' : health})`
  }
}

const MOST_PORTS = 65_536

/** Podman says neighbouring ports as the first and their number. In the network of the host none is shown. */
function portsOf({ Ports: ranges, ExposedPorts: exposed, Networks: networks }: JsonObject): JsonObject[] {
  const published = listOf(ranges)
    .map(objectOf)
    .flatMap(({ host_ip: ip, container_port: from, host_port: to, range, protocol: type = 'tcp' }) =>
      Array.from({ length: Math.min(Number(range), MOST_PORTS) }, (_, i) => ({
        IP: ip || '0.0.0.0',
        PrivatePort: Number(from) + i,
        PublicPort: Number(to) + i,
        Type: type,
      })),
    )
  const known = new Set(published.map(({ PrivatePort, Type }) => `${PrivatePort}/${Type}`))
  const others = listOf(networks).length === 0 ? [] : Object.entries(objectOf(exposed))
  return [
    ...published,
    ...others.flatMap(([port, types]) =>
      listOf(types)
        .filter((type) => !known.has(`${port}/${type}`))
        .map((type) => ({ PrivatePort: Number(port), Type: type })),
    ),
  ]
}

function namesBesideDangling(query: URLSearchParams): readonly string[] | undefined {
  const filters = readFilters(query)
  const names = filters.get('name') ?? []
  if (names.length === 0 || !filters.get('dangling')?.length) return undefined
  if (!names.every(isAnchored)) throw new ProxyError('validation', EITHER)
  return names
}

const FILTERED = [
  ...(['ImageList', 'NetworkList', 'VolumeList', 'SystemEvents'] as const),
  ...(['ContainerPrune', 'ImagePrune', 'NetworkPrune', 'VolumePrune'] as const),
]

const EITHER = 'Podman finds what either of the filters name and dangling names: give a name without an expression'

const ID = '0a'.repeat(32)
const named = { Id: `sha256:${ID}` }
const up = { Id: ID, State: 'running', Status: 'Up 2 seconds' }
const ownList = (one: JsonObject) => ({
  calls: {
    [`GET ${OWN_LIST}?filters=%7B%22status%22%3A%5B%22running%22%2C%22paused%22%5D%7D`]: { body: [{ Id: ID, ...one }] },
  },
})
const mounted = { Mounts: [{ Name: 'v', Source: '/a', Destination: '/c' }] }
const web = { container_port: 80, host_port: 8080, host_ip: '', range: 2, protocol: 'tcp' }

export default {
  'podman/ancestors': {
    summary: 'The filter `ancestor` takes expressions for names of images, `b` for all with a b, and whole ids alone.',
    see: 'pkg/domain/filters/containers.go @v5.4.2; daemon/list.go:foldFilter @v20.10.24, which also finds descendants',
    ops: emulated(LISTS, 'images of the filter `ancestor` are looked up', { part: 'head', requestUp: ancestorsById }),
    examples: {
      'ContainerList requestUp': [
        [
          'filters={"ancestor":["web","sha256:0a0a",""]}',
          `filters={"ancestor":["${ID}","${NONE}"]}`,
          { calls: { 'GET /images/web/json': { body: named }, 'GET /images/0a0a/json': { body: named } } },
        ],
        [
          'filters={"ancestor":{"w/b":true}}',
          `filters={"ancestor":{"${NONE}":true}}`,
          { calls: { 'GET /images/w%2Fb/json': { status: 404, body: 'No such image' } } },
        ],
        ['filters={"ancestor":[]}'],
        ['all=1'],
      ],
    },
  },
  'podman/list-ports': {
    summary: 'Lists show the first of neighbouring ports alone (up to 5.4), none that is exposed, and no health.',
    see: 'pkg/api/handlers/compat/containers.go:LibpodToContainer, pkg/ps/ps.go @v5.4.2',
    ops: emulated(LISTS, 'ports and health come from Podman’s own list', { responseDown: portsAndHealth }),
    examples: {
      'ContainerList responseDown body': [
        [
          [up],
          [
            {
              ...{ ...up, Status: 'Up 2 seconds (health: starting)' },
              Ports: [
                { IP: '0.0.0.0', PrivatePort: 80, PublicPort: 8080, Type: 'tcp' },
                { IP: '0.0.0.0', PrivatePort: 81, PublicPort: 8081, Type: 'tcp' },
                { PrivatePort: 80, Type: 'udp' },
              ],
            },
          ],
          ownList({ Ports: [web], ExposedPorts: { 80: ['tcp', 'udp'] }, Networks: ['podman'], Status: 'starting' }),
        ],
        [
          [{ ...up, State: 'paused' }],
          [{ ...up, State: 'paused', Ports: [{ IP: '127.0.0.1', PrivatePort: 80, PublicPort: 8080, Type: 'tcp' }] }],
          ownList({ Ports: [{ ...web, host_ip: '127.0.0.1', range: 1 }], Networks: ['podman'], Status: 'healthy' }),
        ],
        [
          [up],
          [{ ...up, Ports: [] }],
          ownList({ Ports: null, ExposedPorts: { 80: ['tcp'] }, Networks: [], Status: '' }),
        ],
        [[up], [up], ownList({ Id: 'other' })],
        [[{ ...up, State: 'exited' }]],
      ],
    },
  },
  'podman/list-order': {
    summary: 'A list of containers without a limit begins with the oldest.',
    see: 'pkg/api/handlers/compat/containers.go:ListContainers @v5.8.0; daemon/list.go @v20.10.24; Traefik 1 takes the settings of a backend from the first',
    ops: byHand(LISTS, 'the newest comes first', {
      responseDown: (message, context) => {
        const { body } = message
        if (!Array.isArray(body)) return
        const list = limitOf(context.call.query, context) === undefined ? body.toReversed() : body
        message.body = list.toSorted((one, other) => createdAt(other) - createdAt(one))
      },
    }),
    examples: {
      'ContainerList responseDown body': [
        [
          [{ Created: 1 }, { Created: 3 }, { Created: 3, Id: 'b' }, { Created: 2 }],
          [{ Created: 3, Id: 'b' }, { Created: 3 }, { Created: 2 }, { Created: 1 }],
        ],
        [
          [{ Created: 2 }, { Created: 3 }, { Created: 3, Id: 'b' }],
          [{ Created: 3 }, { Created: 3, Id: 'b' }, { Created: 2 }],
          { asked: 'limit=3' },
        ],
      ],
    },
  },
  'podman/empty-filters': {
    summary: 'Filters that are an empty text are an error.',
    see: 'pkg/util/filters.go:FiltersFromRequest @v5.4.2; daemon/internal/filters/parse.go:FromJSON takes them for none',
    ops: headRetyped([...LISTS, ...FILTERED], 'query filters', {
      toNewer: [['', null]],
      samples: [['{}']],
      description: 'they are left out',
    }),
  },
  'podman/list-states': {
    summary: 'A filter by the states `dead` and `restarting`, which containers of Podman have not, is an error.',
    see: 'libpod/define/containerstate.go:StringToContainerStatus @v5.4.2',
    ops: headRetyped(LISTS, 'filter status', {
      toNewer: ['dead', 'restarting'].map((state) => [state, 'unknown']),
      samples: [['exited']],
      description: 'they are asked for as `unknown`',
    }),
  },
  'podman/list-filters': {
    summary:
      'A filter of containers by volume knows no destination of one with a name, those of networks by type and scope are errors, and a list of volumes has what any of several filters names.',
    see: 'pkg/domain/filters/containers.go, libpod/runtime_volume.go:Volumes @v5.4.2; daemon/list.go:filterByVolume, daemon/network/filter.go @v20.10.24',
    ops: [
      filterApplied(LISTS, ['volume'], {
        of: 'older',
        keeps: {
          volume: (wanted, { Mounts: mounts }) =>
            listOf(mounts)
              .map(objectOf)
              .some(({ Name: name, Source: source, Destination: destination }) =>
                [name || source, destination].includes(wanted),
              ),
        },
        samples: [
          { asks: '{"volume":["v"]}', keeps: { Mounts: [{ Name: 'v', Source: '/d/v' }] }, drops: { Mounts: [] } },
          { asks: '{"volume":["/a"]}', keeps: { Mounts: [{ Source: '/a' }] }, drops: mounted },
          { asks: '{"volume":["/c"]}', keeps: mounted, drops: {} },
        ],
      }),
      filterApplied('NetworkList', ['type', 'scope'], {
        of: 'older',
        keeps: {
          type: (wanted, { Name: name }) => wanted === (isPredefined(name) ? 'builtin' : 'custom'),
          scope: (wanted, { Scope: scope }) => wanted === scope,
        },
        samples: [
          { asks: '{"type":["custom"]}', keeps: { Name: 'n' }, drops: { Name: 'bridge' } },
          { asks: '{"type":["builtin"]}', keeps: { Name: 'bridge' }, drops: { Name: 'n' } },
          { asks: '{"scope":["local"]}', keeps: { Scope: 'local' }, drops: { Scope: 'global' } },
        ],
      }),
      filterApplied('VolumeList', ['label', 'driver'], {
        ...{ of: 'older', member: 'Volumes' },
        keeps: {
          driver: (wanted, { Driver: driver }) => wanted === driver,
          label: (wanted, { Labels: labels }) => hasLabel(labels, wanted),
        },
        samples: [
          { asks: '{"driver":["local"]}', keeps: { Driver: 'local' }, drops: { Driver: 'nfs' } },
          { asks: '{"label":["a=b","c"]}', keeps: { Labels: { a: 'b', c: '' } }, drops: { Labels: { a: 'b' } } },
        ],
      }),
      byHand('VolumeList', 'a name beside `dangling` is looked for here', {
        part: { requestUp: 'head', responseDown: 'body' },
        requestUp: ({ query }) => {
          if (namesBesideDangling(query) !== undefined) editFilters(query, (filters) => void filters.delete('name'))
        },
        responseDown: ({ body }, { call }) => {
          const names = namesBesideDangling(call.query)
          if (names !== undefined && isObject(body))
            body['Volumes'] = listOf(body['Volumes']).filter((volume) =>
              names.some((name) => matchesAnchored(name, stringOf(memberAt(volume, 'Name')))),
            )
        },
      }),
    ],
    examples: {
      'VolumeList requestUp': [
        ['filters={"name":["db"],"dangling":["true"]}', 'filters={"dangling":["true"]}'],
        ['filters={"name":["a|b"]}'],
        ['filters={"name":["a|b"],"dangling":["true"]}', /^Podman finds what either of the filters/],
      ],
      'VolumeList responseDown body': [
        [
          { Volumes: [{ Name: 'olddb' }, { Name: 'web' }] },
          { Volumes: [{ Name: 'olddb' }] },
          { asked: 'filters={"name":["db"],"dangling":["true"]}' },
        ],
      ],
    },
  },
} satisfies PodmanChanges
