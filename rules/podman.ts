import { type JsonValue, memberAt, objectOf, stringOf } from '../src/api/json/json.ts'
import { below, onSide } from '../src/api/shapes/shape.ts'
import {
  ContainerConfig,
  ContainerListItem,
  ContainerState,
  DataUsage,
  EndpointSettings,
  ExecInspect,
  HostConfig,
  NetworkingConfig,
  NetworkSettings,
  StatsRecord,
} from '../src/api/shapes/shapes.ts'
import type { PodmanChanges } from '../src/translate/change.ts'
import { limitOf } from '../src/translate/ops/calls/applied-filters.ts'
import { editFilters } from '../src/translate/ops/calls/filter-values.ts'
import {
  byHand,
  filled,
  headRetyped,
  ignored,
  isTrue,
  moved,
  onEach,
  only,
  retyped,
  shown,
  statusChanged,
} from '../src/translate/ops.ts'
import { macToEndpoint } from './by-hand/endpoints.ts'
import { LISTS } from './by-hand/places.ts'
import archives from './podman/archives.ts'
import builds from './podman/builds.ts'
import calls from './podman/calls.ts'
import commits from './podman/commits.ts'
import containers from './podman/containers.ts'
import create from './podman/create.ts'
import createValues from './podman/create-values.ts'
import errors from './podman/errors.ts'
import events from './podman/events.ts'
import execs from './podman/execs.ts'
import failedStarts from './podman/failed-starts.ts'
import healthChecks from './podman/health-checks.ts'
import hostConfig from './podman/host-config.ts'
import images from './podman/images.ts'
import links from './podman/links.ts'
import lists from './podman/lists.ts'
import networks from './podman/networks.ts'
import prune from './podman/prune.ts'
import removals from './podman/removals.ts'
import resources from './podman/resources.ts'
import tmpfs from './podman/tmpfs.ts'

const slashed = (name: JsonValue): string => (stringOf(name).startsWith('/') ? stringOf(name) : `/${stringOf(name)}`)

/** Docker's name for a state of Podman's. */
const STATES = [
  ['exited', 'stopped'],
  ['running', 'stopping'],
  ['created', 'initialized'],
] as const

/** Podman's list items are those of a create as well. */
const OF_CREATE = ['Name', 'Config', 'NetworkingConfig', 'Platform', 'DefaultReadOnlyNonRecursive', 'AdjustCPUShares']

/** Podman shows the network of the host as well. */
function modeOf(item: JsonValue | undefined): string {
  const [first = 'none', ...others] = Object.keys(objectOf(memberAt(item, 'NetworkSettings', 'Networks')))
  return [first, ...others].some((name) => name === 'bridge' || name === 'podman') ? 'default' : first
}

const STREAMS = ['stdin', 'stdout', 'stderr']
const ListedNetworks = below(ContainerListItem, 'NetworkSettings')
const inNetwork = (name: string) => ({ beside: { NetworkSettings: { Networks: { [name]: {} } } } })
const MAC = '02:42:ac:11:00:02'
const STARTING = { Status: 'starting' }

const others = {
  'podman/exec-resize-status': {
    summary: 'Resizing an exec is answered with 201.',
    see: 'pkg/api/handlers/compat/resize.go @v5.4.2; dockerode takes 200 alone',
    ops: statusChanged('ExecResize', { before: 200, after: 201, legs: 'down' }),
  },
  'podman/names': {
    summary: 'Names in statistics and disk usage have no slash, and the command line cuts off the first letter.',
    see: 'pkg/api/handlers/compat/containers_stats.go, system.go @v5.4.2; cli: command/container/stats_helpers.go',
    ops: [
      retyped(StatsRecord, 'name', { toOlder: slashed, samples: [['web', '/web'], ['/web']] }),
      headRetyped('ContainerStats', 'response header Content-Type', { toOlder: 'application/json', ifMissing: true }),
      retyped(below(DataUsage, 'Containers.[]'), 'Names', {
        toOlder: (names) => (Array.isArray(names) ? names.map(slashed) : undefined),
        samples: [[['web'], ['/web']]],
      }),
    ],
  },
  'podman/states': {
    summary: 'Containers have states that Docker does not know, and an exec has an exit code while it runs.',
    see: 'libpod/define/containerstate.go, pkg/api/handlers/compat/exec.go @v5.4.2',
    ops: [
      retyped(ContainerState, 'Status', { pairs: STATES }),
      retyped(ContainerListItem, 'State', { pairs: STATES }),
      retyped(ExecInspect, 'ExitCode', {
        toOlder: (_code, { Running: running }) => (running === true ? null : undefined),
        samples: [
          [0, null, { with: { Running: true } }],
          [3, 3, { with: { Running: false } }],
        ],
      }),
    ],
  },
  'podman/no-health': {
    summary: 'A container without a health check (4.3), or that was never started, has an empty health.',
    see: 'libpod/container_inspect.go, pkg/api/handlers/compat/containers.go @v4.3.1, @v5.4.2; testcontainers waits for one',
    ops: shown(
      ContainerState,
      'Health',
      ({ Health: health }) => (memberAt(health, 'Status') === '' ? undefined : health),
      [[{ Health: { Status: '', FailingStreak: 0, Log: null } }], [{ Health: STARTING }, STARTING]],
    ),
  },
  'podman/list-items': {
    summary: 'Containers in lists have members of a create, all empty, and no HostConfig.',
    see: 'pkg/api/handlers/types.go:Container @v5.4.2; Compose 1.29 calls a container by such a Name',
    ops: [
      onEach(ContainerListItem, 'members of a create are left out', {
        responseDown: (item) => {
          for (const member of OF_CREATE) delete item[member]
        },
      }),
      filled(ContainerListItem, 'HostConfig', (item) => ({ NetworkMode: modeOf(item) }), {
        samples: [[{ NetworkSettings: { Networks: { podman: {} } } }, { NetworkMode: 'default' }]],
      }),
    ],
    examples: {
      'ContainerList responseDown body.[]': [
        [
          { Name: '', Config: null, NetworkingConfig: null, Platform: null, DefaultReadOnlyNonRecursive: false },
          { HostConfig: { NetworkMode: 'none' } },
        ],
      ],
    },
  },
  'podman/paused-in-lists': {
    summary: 'A list of running containers leaves out those that are paused.',
    see: 'pkg/api/handlers/compat/containers.go:ListContainers @v5.4.2',
    ops: byHand(LISTS, 'the paused ones are asked for', {
      part: 'head',
      requestUp: ({ query }, context) => {
        if (isTrue(query.get('all')) || limitOf(query, context) !== undefined) return
        editFilters(query, (filters) => {
          if ((filters.get('status') ?? []).length === 0) filters.set('status', ['running', 'paused'])
        })
      },
    }),
    examples: {
      'ContainerList requestUp': [
        ['', 'filters={"status":{"running":true,"paused":true}}'],
        ['all=1'],
        ['limit=2'],
        ['filters={"status":["exited"]}'],
      ],
    },
  },
  'podman/default-network': {
    summary:
      'The default network is `podman` to containers and filters, and the mode in any network `bridge`. The address that inspect shows is a fixed one in a create, and a MAC address is read at an endpoint alone.',
    see: 'pkg/specgen/generate/namespaces.go, pkg/api/handlers/compat/networks.go:normalizeNetworkName @v5.4.2',
    ops: [
      byHand('ContainerCreate', 'the MAC address of the container moves to its endpoint, where Podman looks for it', {
        requestUp: ({ body }) => void macToEndpoint(body),
      }),
      // Docker takes a fixed address from IPAMConfig alone; what inspect shows comes back when a container is made again.
      ignored(onSide(EndpointSettings, 'request'), 'IPAddress', { sample: '10.88.0.2' }),
      ...only(
        { legs: ['requestUp'] },
        moved(NetworkingConfig, 'EndpointsConfig.bridge', 'EndpointsConfig.default', { keepsEmpty: true }),
      ),
      // The mode is `bridge` in each network of its own.
      retyped(onSide(HostConfig, 'response'), 'NetworkMode', {
        toOlder: (mode, _host, _context, whole) => {
          const network = modeOf(whole)
          return mode === 'bridge' && network !== 'none' ? network : undefined
        },
        samples: [
          ['bridge', 'n', inNetwork('n')],
          ['bridge', 'default', inNetwork('podman')],
          ['bridge'],
          ['host', 'host', inNetwork('host')],
        ],
      }),
      moved(NetworkSettings, 'Networks.bridge', 'Networks.podman'),
      moved(ListedNetworks, 'Networks.bridge', 'Networks.podman'),
      headRetyped(LISTS, 'filter network', {
        toNewer: [['bridge', 'podman']],
        samples: [['n']],
        description: 'a filter by network has Podman’s name',
      }),
      headRetyped('NetworkList', 'filter name', {
        toNewer: (name) => ('^bridge$'.includes(name) ? [name, '^podman$'] : undefined),
        description: 'a filter by name, which is an expression (`bri`, `^bridge$`), has Podman’s name',
      }),
    ],
    examples: {
      'ContainerCreate requestUp body': [
        [
          { MacAddress: MAC },
          {
            HostConfig: { NetworkMode: 'bridge' },
            NetworkingConfig: { EndpointsConfig: { default: { MacAddress: MAC } } },
          },
        ],
        [{ NetworkingConfig: { EndpointsConfig: { default: { MacAddress: MAC } } } }],
      ],
      'NetworkList requestUp': [['filters={"name":["bri","n"]}', 'filters={"name":["bri","^podman$","n"]}']],
    },
  },
  'podman/attached-streams': {
    summary:
      'Inspect does not say which streams a container was made to be attached to, and an attach gets all streams that it does not name.',
    see: 'libpod/container_inspect.go, compat/containers_attach.go @v5.4.2; dockerpty, with which Compose 1 runs commands, attaches each alone',
    ops: [
      onEach(onSide(ContainerConfig, 'response'), 'with an open stdin all are attached', {
        responseDown: (config) => {
          if (config['OpenStdin'] === true)
            Object.assign(config, { AttachStdin: true, AttachStdout: true, AttachStderr: true })
        },
      }),
      byHand('ContainerAttach', 'streams that are not asked for are declined', {
        part: 'head',
        requestUp: ({ query }) => {
          if (!STREAMS.some((stream) => query.has(stream))) return
          for (const stream of STREAMS) if (!query.has(stream)) query.set(stream, '0')
        },
      }),
    ],
    examples: {
      'ContainerAttach requestUp': [['stream=1&stderr=1', 'stream=1&stderr=1&stdin=0&stdout=0'], ['logs=1']],
      'ContainerInspect responseDown body.Config': [
        [
          { OpenStdin: true, AttachStdin: false },
          { OpenStdin: true, AttachStdin: true, AttachStdout: true, AttachStderr: true },
        ],
        [{ OpenStdin: false, AttachStdout: false }],
      ],
    },
  },
} satisfies PodmanChanges

/** Differences between Podman and Docker. Seen on Podman 5.4.2 and Docker 20.10.24, which report the same API version. */
export default [
  ...[archives, builds, calls, commits, containers, create, createValues, errors, events, execs, failedStarts],
  ...[healthChecks, hostConfig, images, links, lists, networks, prune, removals, resources, tmpfs, others],
] satisfies readonly PodmanChanges[]
