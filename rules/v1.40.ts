import { Info } from '../src/api/shapes/shapes.ts'
import * as swarm from '../src/api/shapes/swarm-shapes.ts'
import { SwarmInspection } from '../src/api/shapes/swarm-shapes.ts'
import { added, byHand, type Changes, emulated, headRetyped, queryAdded } from '../src/translate/ops.ts'
import { newerWarnings } from './by-hand/newer-warnings.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'
import { keepDangling, takeDangling } from './emulate/looked-up-networks.ts'
import create from './v1.40/create.ts'

const PINGS = ['SystemPing', 'SystemPingHead'] as const

const system = {
  '1.40/ping-head': {
    summary: 'A ping can be a HEAD, and its answer must not be cached.',
    see: 'docs/api/version-history.md v1.40; api/server/router/system/system_routes.go:pingHandler @v19.03',
    ops: [
      // src/translate/announced-version.ts answers HEAD for all clients.
      headRetyped(PINGS, 'response header Cache-Control', {
        toOlder: null,
        toNewer: 'no-cache, no-store, must-revalidate',
      }),
      headRetyped(PINGS, 'response header Pragma', { toOlder: null, toNewer: 'no-cache' }),
    ],
  },
  '1.40/info-limits': {
    summary: 'Info shows support for limits of processes and of TCP kernel memory.',
    ops: [
      added(Info, 'PidsLimit', { sample: true, up: true }),
      added(Info, 'KernelMemoryTCP', { sample: true, up: false }),
    ],
  },
  '1.40/data-path-port': {
    summary: 'A swarm has a data path port.',
    ops: added(SwarmInspection, 'DataPathPort', { sample: 4789 }),
  },
  '1.40/networks-dangling': {
    summary: 'Networks can be filtered by whether they are in use.',
    see: 'docs/api/version-history.md v1.40; api/server/router/network/filter.go:filterNetworkByUse @v19.03',
    ops: [
      byHand('NetworkList', 'the filter dangling is removed', { part: 'head', requestDown: takeDangling }),
      emulated('NetworkList', 'inspect shows which networks are in use', { responseUp: keepDangling }),
    ],
    examples: {
      'NetworkList requestDown': [
        ['filters={"dangling":["true"],"driver":["bridge"]}', 'filters={"driver":["bridge"]}'],
        ['filters={"dangling":["maybe"]}', /^invalid filter 'dangling=\[maybe\]'$/],
      ],
      'NetworkList responseUp body': [
        [
          [{ Id: 'n1' }, { Id: 'n2' }],
          [{ Id: 'n2' }],
          {
            asked: 'filters={"dangling":["true"]}',
            calls: {
              'GET /networks/n1': { body: { Containers: { c: {} } } },
              'GET /networks/n2': { body: { Containers: {} } },
            },
          },
        ],
      ],
    },
  },
  '1.40/build-outputs': {
    summary: 'A build can write its result elsewhere than to the image store.',
    see: 'docs/api/version-history.md v1.40; build_routes.go:newImageBuildOptions @v19.03.0',
    ops: queryAdded('ImageBuild', 'outputs', { sample: '["type=local"]', onLoss: 'refuse', neutral: ['[]', 'null'] }),
  },
} satisfies Changes

export default [
  system,
  create,
  {
    '1.40/swarm-members': swarmMembers({
      summary:
        'Services can have sysctls, credentials from configs, configs for the runtime and a maximum per node; a swarm can choose its data path port.',
      droppedByPrefix: [
        { of: swarm.TaskContainerSpec, samples: { Sysctls: { 'net.core.somaxconn': '1' } } },
        { of: swarm.TaskCredentialSpec, samples: { Config: 'c' } },
        { of: swarm.TaskConfig, samples: { Runtime: {} }, saysByBeing: true },
        { of: swarm.TaskPlacement, samples: { MaxReplicas: 1 } },
        { of: swarm.SwarmInitRequest, samples: { DataPathPort: 4790 }, neutral: 4789 },
      ],
      members: [{ of: swarm.SwarmInfo, samples: { Warnings: ['w'] } }],
    }),
    '1.40/warnings': newerWarnings('daemon/daemon_unix.go:verifyPlatformContainerResources @v19.03.15', [
      [
        'OOM killer is disabled for the container, but no memory limit is set',
        ', this can result in the system running out of resources.',
      ],
    ]),
  },
] satisfies readonly Changes[]
