import { isUnset, objectOf } from '../../src/api/json/json.ts'
import { onlyIn, onSide } from '../../src/api/shapes/shape.ts'
import { HostConfig, NetworkingConfig } from '../../src/api/shapes/shapes.ts'
import { added, byHand, type Changes, emulated, retyped } from '../../src/translate/ops.ts'
import { hideMarks, markAutoRemove, removeNotStarted, showAutoRemove, watchAutoRemove } from '../emulate/auto-remove.ts'

export default {
  '1.25/auto-remove': {
    gate: 'prefix',
    prefixCodeGoneFrom: '1.52',
    summary: 'The engine removes a container with AutoRemove when it ends; before, the CLI did so itself.',
    see: 'version-history.md v1.25; container_routes.go:postContainersCreate @v1.13.0 … v28.5.2',
    ops: [
      retyped(onlyIn(HostConfig, 'ContainerCreate'), 'AutoRemove', {
        words: 'HostConfig.AutoRemove is false for an older client, which removes the container itself',
        sides: 'request',
        samples: [[true, false]],
        toNewer: (wanted, _host, context) => {
          if (isUnset(wanted)) return undefined
          context.ignore('HostConfig.AutoRemove', '1.25/auto-remove')
          return false
        },
      }),
      byHand('ContainerCreate', 'the bridge removes the container when it stops; refused if it watches too many', {
        onLoss: ['ignore', 'refuse'],
        loses: 'HostConfig.AutoRemove: the bridge does it',
        losesOn: 'requestDown',
        requestDown: markAutoRemove,
        responseUp: watchAutoRemove,
      }),
      byHand('ContainerInspect', 'AutoRemove is shown if the bridge removes the container', {
        responseUp: showAutoRemove,
      }),
      byHand(['ContainerList', 'ContainerListPs'], 'the label of the bridge is hidden', { responseUp: hideMarks }),
      emulated('ContainerStart', 'a container that fails to start is removed too', {
        part: 'error',
        responseUp: removeNotStarted,
      }),
      added(onSide(HostConfig, 'response'), 'AutoRemove', { sample: true, up: false, down: 'keep' }),
    ],
    examples: {
      'ContainerCreate requestDown body': [
        [
          { HostConfig: { AutoRemove: true } },
          { Labels: { 'enginebridge.auto-remove': '' }, HostConfig: {} },
          { losses: ['HostConfig.AutoRemove by the engine: the bridge removes the container when it stops'] },
        ],
      ],
      'ContainerInspect responseUp body': [
        [
          { Config: { Labels: { 'enginebridge.auto-remove': '', a: 'b' } }, HostConfig: {} },
          { Config: { Labels: { a: 'b' } }, HostConfig: { AutoRemove: true } },
        ],
      ],
      'ContainerList responseUp body.[].Labels': [[{ 'enginebridge.auto-remove': '' }, {}]],
      'ContainerStart responseUp error': [
        [
          '404 no such file or directory',
          '404 no such file or directory',
          { params: { name: 'c1' }, calls: { 'GET /containers/c1/json': { body: { Id: 'c1' } } } },
        ],
      ],
      'ContainerCreate responseUp': [[{ status: 201, body: { Id: 'c1' } }, { body: { Id: 'c1' } }]],
    },
  },
  '1.25/default-endpoint': {
    summary: 'The first endpoint can be on the network "default"; engine 1.10 looks for a network of that name.',
    see: 'daemon/container_operations.go:updateContainerNetworkSettings @v1.10.3; cli 25 and later send it; seen on engine 1.10.3',
    ops: retyped(NetworkingConfig, 'EndpointsConfig', {
      ...{ sides: 'request', words: 'the endpoint "default" is on the bridge' },
      samples: { toOlder: [[{ default: {} }, { bridge: {} }]] },
      toOlder: (endpoints) => {
        const { default: first, ...others } = objectOf(endpoints)
        return first === undefined ? undefined : { bridge: first, ...others }
      },
    }),
  },
} satisfies Changes
