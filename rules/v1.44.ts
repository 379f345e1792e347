import type { JsonObject } from '../src/api/json/json.ts'
import { onlyIn, onSide } from '../src/api/shapes/shape.ts'
import {
  BindOptions,
  HostConfig,
  Info,
  InfoRuntime,
  ListedHostConfig,
  RestartPolicy,
} from '../src/api/shapes/shapes.ts'
import { ServiceAnswer, TaskPrivileges } from '../src/api/shapes/swarm-shapes.ts'
import { added, byHand, type Changes, leftOut, only, retyped } from '../src/translate/ops.ts'
import { hideMark, isChosenBridge, markChosenBridge } from './by-hand/chosen-bridge.ts'
import { newerWarnings } from './by-hand/newer-warnings.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'
import { markUnsetPolicy, showUnsetPolicy } from './by-hand/unset-restart-policy.ts'
import create from './v1.44/create.ts'
import { buildTargetWords, referenceWords, removalWords } from './v1.44/error-words.ts'
import imageListUntil from './v1.44/image-list-until.ts'
import images from './v1.44/images.ts'
import networks from './v1.44/networks.ts'

const hostConfig = (Name: string, DeviceCgroupRules: string[] | null) => ({
  HostConfig: { DeviceCgroupRules, RestartPolicy: { Name } },
})
const onBridge = (mode: string, options: JsonObject | null) => ({
  HostConfig: { NetworkMode: mode },
  NetworkSettings: { Networks: { bridge: { DriverOpts: options } } },
})
const asked = (mode: string, endpoints: JsonObject) => ({
  HostConfig: { NetworkMode: mode },
  NetworkingConfig: { EndpointsConfig: endpoints },
})

/** Before the rules on addresses, which name the mode of an endpoint that they make. */
const networkMode = {
  '1.44/network-mode-default-name': {
    from: '1.45', // engine 26.0
    summary: 'A container with the default network shows bridge; before, default.',
    see: 'container_routes.go:postContainersCreate @v25.0.0, @v26.1.5; recordings 20.10 and 28.5, inspect-nohc',
    // The client sees what it sent: default, unless it named bridge. Of a container that another client made, and in the list,
    // an explicit bridge looks like the default: the client sees what CLIs of its version send, bridge up to 1.7, default from
    // 1.8 on (runconfig/parse.go:flNetMode). Lists have it from 1.20 on: a client below that which reads it was made for a newer version.
    ops: [
      byHand('ContainerInspect', 'what tells a bridge that was asked for is not shown', { responseDown: hideMark }),
      ...[HostConfig, ListedHostConfig].map((shape) =>
        retyped(onSide(shape, 'response'), 'NetworkMode', {
          toOlder: (value, _object, { client }, container) =>
            value === 'bridge' && (client >= 20 || shape === ListedHostConfig) && !isChosenBridge(container)
              ? 'default'
              : undefined,
          samples: [['default', 'bridge']],
          toNewer: (value, _object, { engine }) =>
            engine.os !== 'windows' && (value === 'default' || value === '') ? 'bridge' : undefined,
          description: `${shape.name}.NetworkMode: the default network has another name`,
        }),
      ),
      byHand('ContainerCreate', 'a bridge that is asked for by name is told from the default', {
        requestUp: markChosenBridge,
      }),
    ],
    examples: {
      'ContainerInspect responseDown body.HostConfig.NetworkMode': [['bridge', 'bridge', { client: '1.19' }]],
      'ContainerList responseDown body.[].HostConfig.NetworkMode': [['bridge', 'default', { client: '1.19' }]],
      'ContainerInspect responseDown body': [
        [onBridge('bridge', {}), onBridge('bridge', null)],
        [onBridge('bridge', null), onBridge('default', null)],
        [onBridge('bridge', { a: 'b' }), onBridge('default', { a: 'b' })],
      ],
      'ContainerCreate requestUp body': [
        [{ HostConfig: { NetworkMode: 'bridge' } }, asked('bridge', { bridge: { DriverOpts: {} } })],
        [
          { HostConfig: { NetworkMode: 'bridge' }, NetworkingConfig: { EndpointsConfig: null } },
          asked('bridge', { bridge: { DriverOpts: {} } }),
        ],
        [asked('bridge', { bridge: null })],
        // The engine refuses these.
        ...[{ NetworkingConfig: 'x' }, { NetworkingConfig: { EndpointsConfig: [] } }].map((wrong) => {
          const create = { HostConfig: { NetworkMode: 'bridge' }, ...wrong }
          return [create, create] as const
        }),
        [asked('bridge', { bridge: { DriverOpts: { a: 'b' } } })],
        [asked('bridge', { own: {} })],
        [asked('default', { bridge: {} })],
        [{ HostConfig: { NetworkMode: 'default' } }],
        [{ HostConfig: { NetworkMode: 'bridge' } }, { HostConfig: { NetworkMode: 'bridge' } }, { client: '1.19' }],
      ],
    },
  },
} satisfies Changes

const inspect = {
  '1.44/service-warnings': {
    summary: 'A created service has no warnings: null; before, the member was left out.',
    see: 'api/types/client.go:ServiceCreateResponse @v24.0.9, api/types/swarm/service_create_response.go @v25.0.0; seen on 20.10 and 28.5',
    ops: leftOut(onlyIn(ServiceAnswer, 'ServiceCreate'), 'Warnings', null),
  },
  '1.44/service-bind-source': {
    summary: 'A bind of a service can create its source.',
    see: 'daemon/cluster/convert/container.go @v24.0.9, @v25.0.0',
    ops: only(
      { legs: ['requestDown'] },
      added(onlyIn(BindOptions, 'ServiceCreate', 'ServiceUpdate'), 'CreateMountpoint', {
        sample: true,
        onLoss: 'refuse',
      }),
    ),
  },
  '1.44/info-runtimes-status': {
    summary: 'Info has the status of each runtime and the directories of device specifications.',
    see: 'docs/api/version-history.md v1.44; recordings 28.5 at 1.41 (no status, CDISpecDirs) and 28.5-min1.44, info',
    ops: [added(InfoRuntime, 'status', { sample: {} }), added(Info, 'CDISpecDirs', { sample: ['/etc/cdi'], up: [] })],
  },
  '1.44/restart-policy-name': {
    summary: 'A container without a restart policy shows no; before, the requested value: no or an empty name.',
    // balena-supervisor and Salt 2016.11 compare it, and would replace the container each time. CLIs of all versions send no.
    see: 'daemon/create.go @v25.0.0; recordings 1.6.2 … 20.10 (""), 28.5 ("no"), inspect; balena-supervisor v17.8.5 src/compose/service.ts',
    ops: [
      retyped(onSide(RestartPolicy, 'response'), 'Name', {
        toNewer: [['', 'no']],
        description: 'HostConfig.RestartPolicy.Name: an empty name is shown as no',
      }),
      byHand('ContainerCreate', 'an unset restart policy is marked', { requestUp: markUnsetPolicy }),
      byHand('ContainerInspect', 'an unset restart policy is shown as unset', { responseDown: showUnsetPolicy }),
    ],
    examples: {
      'ContainerCreate requestUp body': [
        [hostConfig('', null), hostConfig('', [])],
        [{ HostConfig: {} }, { HostConfig: { DeviceCgroupRules: [] } }],
        [hostConfig('no', []), hostConfig('no', null)],
        [hostConfig('', ['c 1:3 r'])],
        [{ Image: 'a' }, { Image: 'a', HostConfig: { DeviceCgroupRules: [] } }],
        [{ Image: 'a' }, { Image: 'a' }, { client: '1.39' }],
        [{ HostConfig: 'x' }],
      ],
      'ContainerInspect responseDown body': [
        [hostConfig('no', []), hostConfig('', null)],
        [hostConfig('no', null)],
        [hostConfig('always', []), hostConfig('always', null)],
      ],
    },
  },
} satisfies Changes

export default [
  images,
  networkMode,
  create,
  networks,
  inspect,
  {
    '1.44/swarm-members': swarmMembers({
      summary: 'Services can have seccomp and AppArmor profiles, and can disable new privileges.',
      droppedByPrefix: [
        { of: TaskPrivileges, samples: { Seccomp: { Mode: 'unconfined' } } },
        { of: TaskPrivileges, samples: { AppArmor: { Mode: 'disabled' }, NoNewPrivileges: true } },
      ],
    }),
    '1.44/removal-words': removalWords,
    '1.44/reference-words': referenceWords,
    '1.44/build-target-words': buildTargetWords,
    '1.44/image-list-until': imageListUntil,
    '1.44/warnings': newerWarnings('api/server/router/container/container_routes.go:handleMACAddressBC @v25.0.6', [
      ['The container-wide MacAddress field is now deprecated', '. It should be specified in EndpointsConfig instead.'],
    ]),
  },
] satisfies readonly Changes[]
