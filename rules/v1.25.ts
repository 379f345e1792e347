import { onlyIn } from '../src/api/shapes/shape.ts'
import * as swarm from '../src/api/shapes/swarm-shapes.ts'
import { added, byHand, type Changes, isFalse, moved, queryAdded } from '../src/translate/ops.ts'
import { olderTexts, streamInOlderWords } from './by-hand/error-words.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'
import containers from './v1.25/containers.ts'
import create from './v1.25/create.ts'
import imagesBuild from './v1.25/images-build.ts'
import systemNetworks from './v1.25/system-networks.ts'

const failed = (error: string) => ({ errorDetail: { message: error }, error })

const errors = {
  '1.25/error-words': {
    summary: 'Engines up to 1.12 had other texts for many errors, and 500 for many bad requests and conflicts.',
    see: 'daemon/errors.go, errors/*.go @v1.9.1, @v1.12.6, errdefs @v17.10; recordings 1.6.2 to 1.12.6, every exchange with an error',
    ops: [
      olderTexts,
      byHand(
        ['ImageBuild', 'ImageCreate', 'ImageLoad', 'ImagePush'],
        'an error in a stream has the words of the engine of the client’s version',
        { profile: 'engine', elementwise: true, responseDown: streamInOlderWords },
      ),
      byHand('ContainerList', 'up to 1.18 an invalid limit is removed', {
        part: 'head',
        profile: 'engine',
        requestUp: ({ query }, { client }) => {
          // Engine 1.6 treated an invalid number as unset (engine/env.go:GetInt @v1.6.2; recordings 1.6.2, …-bad).
          if (client < 19 && !/^[+-]?\d+$/.test(query.get('limit') || '0')) query.delete('limit')
        },
      }),
    ],
    // Further rows are in test/rules/error-words.test.ts.
    examples: {
      'ImageCreate responseDown': [
        [
          { query: 'fromImage=h:5/a/b&tag=x', status: 404, text: 'manifest for h:5/a/b:x not found: manifest unknown' },
          { status: 200, body: [{ status: 'Pulling repository h:5/a/b' }, failed('Error: image a/b not found')] },
          { client: '1.22' },
        ],
      ],
      'ContainerList requestUp': [
        ['limit=abc&all=1', 'all=1', { client: '1.18' }],
        ['limit=abc', 'limit=abc', { client: '1.19' }],
      ],
      'ImageBuild responseDown body': [[failed('invalid signal: X'), failed('Invalid signal: X')]],
      'ImageLoad responseDown body': [[failed('unrecognized image format'), failed('invalid argument')]],
    },
  },
} satisfies Changes

const swarmChanges = {
  '1.25/service-networks': {
    summary: 'The networks of a service are in its task template, and its tasks show them.',
    see: 'docs/api/v1.25.yaml, ServiceSpec; api/types/swarm/task.go @v1.12.6, @v1.13.0; daemon/cluster/convert/service.go @v28.3.0',
    ops: [
      moved(swarm.ServiceSpec, 'Networks', 'TaskTemplate.Networks'),
      added(onlyIn(swarm.TaskSpec, 'TaskInspect', 'TaskList'), 'Networks', {
        sample: [{ Target: 'n' }],
        onLoss: 'ignore',
      }),
    ],
  },
  '1.25/swarm-members': swarmMembers({
    summary:
      'Containers of services can have secrets, groups, hosts, DNS settings, a terminal and a health check; updates can be monitored or forced.',
    see: 'docs/api/version-history.md v1.25; docs/api/v1.27.yaml, TaskSpec (described two versions late); api/types/swarm @v1.12.6, @v1.13.0',
    members: [
      { of: swarm.TaskContainerSpec, samples: { Hostname: 'web', Groups: ['docker'], OpenStdin: true, TTY: true } },
      { of: swarm.TaskContainerSpec, samples: { Hosts: ['1.1.1.1 a'], Secrets: [{ SecretName: 's' }] } },
      {
        of: swarm.TaskContainerSpec,
        samples: { DNSConfig: { Nameservers: ['1.1.1.1'] }, Healthcheck: { Test: ['NONE'] } },
      },
      { of: swarm.ServicePort, samples: { PublishMode: 'host' }, neutral: 'ingress' },
      { of: swarm.TaskSpec, samples: { ForceUpdate: 1 } },
      { of: swarm.UpdatePolicy, samples: { Monitor: 5000000000, MaxFailureRatio: 0.5 } },
      { of: swarm.SwarmInitRequest, samples: { AutoLockManagers: true } },
      { of: swarm.SwarmSpec, samples: { EncryptionConfig: { AutoLockManagers: true } } },
      { of: swarm.ServiceAnswer, samples: { Warnings: ['w'] } },
      { of: swarm.NodeStatus, samples: { Addr: '1.1.1.1' } },
      { of: swarm.Service, samples: { PreviousSpec: { Name: 's' } } },
      { of: swarm.Task, samples: { Name: 't', Labels: { a: 'b' } } },
      { of: swarm.TaskStatus, samples: { PortStatus: { Ports: [{ TargetPort: 80 }] } }, up: {} },
      { of: swarm.TaskNetworkSpec, samples: { Attachable: true } },
      { of: swarm.ServiceMount, samples: { TmpfsOptions: { SizeBytes: 1048576 } } },
    ],
    ops: [
      queryAdded('SwarmUpdate', 'rotateManagerUnlockKey', { sample: '1', neutral: isFalse, onLoss: 'refuse' }),
      queryAdded('ServiceUpdate', 'registryAuthFrom', { sample: 'previous-spec', neutral: ['spec'], onLoss: 'warn' }),
    ],
  }),
} satisfies Changes

export default [containers, create, errors, imagesBuild, systemNetworks, swarmChanges] satisfies readonly Changes[]
