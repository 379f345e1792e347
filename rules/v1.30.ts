import { isObject, type JsonValue } from '../src/api/json/json.ts'
import { below, response, shape } from '../src/api/shapes/shape.ts'
import {
  EndpointSettings,
  EventRecord,
  Network,
  NetworkCreateRequest,
  ProgressRecord,
  RegistryConfig,
} from '../src/api/shapes/shapes.ts'
import * as swarm from '../src/api/shapes/swarm-shapes.ts'
import {
  added,
  addedAll,
  type Changes,
  emulated,
  endpointAdded,
  eventsAdded,
  filterValuesAdded,
  isFalse,
  onEach,
  only,
  queryAdded,
  recordDropped,
} from '../src/translate/ops.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'
import { waitUntilStopped } from './emulate/exits.ts'
import { pinImage, warning, warnUnpinned } from './emulate/pinned-image.ts'

const Plugins = shape('Plugins', '', [response('SystemInfo', 'Plugins')])

export const UNDISTRIBUTABLE = ['AllowNondistributableArtifactsCIDRs', 'AllowNondistributableArtifactsHostnames']

const hasOnlyAux = (record: JsonValue | undefined): boolean => isObject(record) && Object.keys(record).join() === 'aux'

const nextEvent = (event: string): string =>
  `GET /events?${new URLSearchParams({ until: '4102444800', filters: JSON.stringify({ container: ['c1'], event: [event] }) })}`

type Calls = Readonly<Record<string, { readonly status?: number; readonly body: JsonValue }>>
const waits = (container: Calls[string], calls: Calls = {}) => ({
  calls: { 'GET /containers/web/json': container, ...calls },
})
const sent = (event: object) => ({ body: Buffer.from(JSON.stringify(event)).toString('base64') })

const serviceOf = (Image: string) => ({ TaskTemplate: { ContainerSpec: { Image } } })
const atRegistry = (image: string, status = 200) => ({
  calls: {
    [`GET /distribution/${image}/json`]: {
      status,
      body: status === 200 ? { Descriptor: { digest: 'sha256:1' } } : 'no',
    },
  },
})

const ProgressDetail = below(ProgressRecord, 'progressDetail')

export default {
  '1.30/wait-condition': {
    gate: 'prefix',
    summary: 'Wait takes a condition, and its answer begins at once; before, it began when the container stopped.',
    see: 'docs/api/version-history.md v1.30; container_routes.go:postContainersWait',
    ops: [
      ...only(
        { legs: ['requestUp'] },
        queryAdded('ContainerWait', 'condition', { sample: 'removed', onLoss: 'ignore' }),
      ),
      emulated('ContainerWait', 'the bridge waits for the event of the next exit or of the removal', {
        part: 'head',
        requestDown: waitUntilStopped,
      }),
      emulated('ContainerWait', 'the answer is held until the container has stopped', {
        holdsHead: true,
        responseDown: async () => undefined, // the status may still become an error
      }),
    ],
    examples: {
      'ContainerWait requestDown': [
        ['condition=not-running', ''],
        [
          'condition=removed',
          { answered: 200 },
          waits(
            { body: { Id: 'c1', State: {} } },
            {
              [nextEvent('die')]: sent({ Actor: { Attributes: { exitCode: '3' } } }),
              [nextEvent('destroy')]: sent({ status: 'destroy' }),
            },
          ),
        ],
        ['condition=removed', '', waits({ status: 404, body: 'no such id: web' })],
        ['condition=bogus', /^invalid condition: "bogus"$/, { client: '1.42' }],
      ],
      'ContainerWait responseDown body.StatusCode': [[0]],
    },
  },
  '1.30/build-aux': {
    gate: 'prefix',
    summary: 'A build ends with a record of its image’s id.',
    see: 'docs/api/version-history.md v1.30; build_routes.go:postBuild @v20.10.24',
    // docker-java 2 fails on it: it knows no `aux`.
    ops: recordDropped('ImageBuild', 'the id of the image is left out', hasOnlyAux, {
      drops: [{ aux: { ID: 'sha256:0a' } }],
      keeps: [{ stream: 'a' }, { id: 'moby.buildkit.trace', aux: 'AA==' }],
      elementwise: true,
    }),
  },
  '1.30/progress-units': {
    summary: 'Progress can count other things than bytes, or not show its counts.',
    see: 'pkg/jsonmessage/jsonmessage.go:JSONProgress @v17.05.0-ce, @v17.06.0-ce; daemon/containerd/progress.go @v28.5.2',
    ops: [
      added(ProgressDetail, 'units', { sample: 's' }),
      added(ProgressDetail, 'hidecounts', { sample: true }),
      onEach(
        ProgressDetail,
        'only bytes are counted',
        {
          responseDown: (detail) => {
            if (detail['units'] === undefined) return
            delete detail['current']
            delete detail['total']
          },
        },
        ['responseDown'],
      ),
    ],
    examples: {
      'ImageCreate responseDown body.progressDetail': [[{ current: 1, units: 's' }, {}], [{ current: 1, total: 2 }]],
    },
  },
  '1.30/copy-uidgid': {
    summary: 'Files that are copied into a container can keep their owner.',
    ops: queryAdded('PutContainerArchive', 'copyUIDGID', { sample: 'true', onLoss: 'warn', neutral: isFalse }),
  },
  '1.30/events-scope': {
    summary: 'Events have a scope, and swarms have events.',
    ops: [
      added(EventRecord, 'scope', { sample: 'local', up: 'local' }),
      eventsAdded(...['config', 'node', 'secret', 'service'].map((name) => ({ Type: name }))),
      filterValuesAdded('SystemEvents', 'scope', { before: ['local'] }),
    ],
  },
  '1.30/info-log-plugins': {
    summary: 'Info lists the log plugins.',
    see: 'docs/api/version-history.md v1.30; api/types @v17.06.0',
    ops: added(Plugins, 'Log', { sample: ['json-file'], up: null }),
  },
  '1.30/undistributable-artifacts': {
    summary: 'Info lists the registries to which nondistributable artifacts may be pushed.',
    see: 'engine 17.06; not in the documents',
    ops: addedAll(RegistryConfig, UNDISTRIBUTABLE, { sample: [] }),
  },
  '1.30/endpoint-driver-opts': {
    summary: 'Endpoints can have driver options.',
    see: 'docs/api/version-history.md v1.30; api/types @v17.06.0',
    ops: added(EndpointSettings, 'DriverOpts', { sample: { a: 'b' }, up: null, onLoss: 'refuse' }),
  },
  '1.30/network-config-from': {
    summary: 'A network can take its configuration from another network.',
    see: 'docs/api/version-history.md v1.30; api/types @v17.06.0',
    ops: [
      added(Network, 'ConfigFrom', { sample: { Network: 'n' }, up: { Network: '' } }),
      added(Network, 'ConfigOnly', { sample: true, up: false }),
      added(NetworkCreateRequest, 'ConfigFrom', {
        sample: { Network: 'n' },
        onLoss: 'refuse',
        neutral: [{ Network: '' }],
      }),
      added(NetworkCreateRequest, 'ConfigOnly', { sample: true, onLoss: 'refuse' }),
    ],
  },
  '1.30/distribution': {
    summary: 'The registry can be asked for the digest and platforms of an image.',
    see: 'docs/api/version-history.md v1.30; api/types @v17.06.0',
    ops: endpointAdded('DistributionInspect', { missing: 404 }),
  },
  '1.30/service-image-digest': {
    gate: 'prefix',
    summary: 'The image of a service stays as it was sent; before, the engine added its digest.',
    see: 'docs/api/version-history.md v1.30; api/server/router/swarm/cluster_routes.go (queryRegistry); daemon/cluster/services.go:imageWithDigestString',
    ops: emulated(['ServiceCreate', 'ServiceUpdate'], 'the engine is asked for the digest of the image', {
      requestUp: pinImage,
      responseDown: warnUnpinned,
    }),
    examples: {
      'ServiceCreate requestUp body.TaskTemplate.ContainerSpec': [
        [{ Image: 'redis' }, { Image: 'redis:latest@sha256:1' }, atRegistry('redis:latest')],
        ...['r.example:5000/a:1', 'docker.io/library/redis:7'].map(
          (name) => [{ Image: name }, { Image: `${name}@sha256:1` }, atRegistry(name)] as const,
        ),
        ...['redis:7@sha256:2', 'f'.repeat(64), ''].map((Image) => [{ Image }] as const),
        [{ Image: '../info' }],
        [{ Image: 'redis:7' }, { Image: 'redis:7' }, atRegistry('redis:7', 401)],
      ],
      'ServiceUpdate requestUp': [
        [
          { query: 'version=7&rollback=none', body: serviceOf('redis:7') },
          { query: 'version=7&rollback=none', body: serviceOf('redis:7@sha256:1') },
          atRegistry('redis:7'),
        ],
        [{ query: 'version=7&rollback=previous', body: serviceOf('redis:7') }],
      ],
      'ServiceCreate responseDown body': [
        [
          { ID: 's' },
          { ID: 's', Warnings: [warning('redis:7')] },
          { asked: { body: serviceOf('redis:7') }, ...atRegistry('redis:7', 401) },
        ],
      ],
    },
  },
  '1.30/swarm-members': swarmMembers({
    summary:
      'Services can have configs, platforms and driver options of networks; a swarm can rotate its CA and has a data path address.',
    see: 'docs/api/version-history.md v1.30; docs/api/v1.30.yaml',
    members: [
      { of: swarm.TaskContainerSpec, samples: { Configs: [{ ConfigName: 'c' }] } },
      { of: swarm.TaskPlacement, samples: { Platforms: [{ OS: 'linux' }] }, onLoss: 'warn' },
      { of: swarm.TaskSpec, samples: { Runtime: 'plugin' }, neutral: 'container' },
      // First documented in 1.39; engine 17.06 already honours it (daemon/cluster/convert/service.go).
      { of: swarm.TaskNetwork, samples: { DriverOpts: { a: 'b' } }, onLoss: 'warn' },
      { of: swarm.TaskNetworkSpec, samples: { ConfigFrom: { Network: 'n' }, Scope: 'swarm' } },
      { of: swarm.SwarmCA, samples: { SigningCACert: 'cert', SigningCAKey: 'key', ForceRotate: 1 } },
      { of: swarm.ExternalCA, samples: { CACert: 'cert' } },
      { of: swarm.SwarmInitRequest, samples: { DataPathAddr: '1.1.1.1' } },
      { of: swarm.SwarmJoinRequest, samples: { DataPathAddr: '1.1.1.1' } },
      { of: swarm.SwarmInspection, samples: { TLSInfo: { TrustRoot: 'r' }, RootRotationInProgress: false } },
      { of: swarm.NodeDescription, samples: { TLSInfo: { TrustRoot: 'r' } } },
    ],
  }),
  '1.30/configs': {
    summary: 'A swarm stores configs.',
    see: 'docs/api/v1.30.yaml, Configs; api/server/router/swarm @v17.06.0',
    ops: endpointAdded(['ConfigList', 'ConfigCreate', 'ConfigInspect', 'ConfigDelete', 'ConfigUpdate'], {
      missing: 501,
    }),
  },
  '1.30/network-create-scope': {
    summary: 'A network can be created for the swarm or for one node.',
    see: 'docs/api/v1.41.yaml (described late); api/types/types.go:NetworkCreate @v17.06.0',
    ops: added(NetworkCreateRequest, 'Scope', { sample: 'swarm', onLoss: 'refuse', neutral: ['local'] }),
  },
} satisfies Changes
