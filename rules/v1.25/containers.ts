import { isUnset } from '../../src/api/json/json.ts'
import {
  ContainerListItem,
  ContainerState,
  ExecConfig,
  ExecInspect,
  HostConfig,
  Info,
  NetworkingConfig,
} from '../../src/api/shapes/shapes.ts'
import {
  added,
  byClient,
  byHand,
  type Changes,
  emulated,
  filterAdded,
  filterValuesAdded,
  moved,
  only,
  queryAdded,
  removed,
  retyped,
  statusChanged,
} from '../../src/translate/ops.ts'
import { CreateHostConfig, LISTS, ShownHostConfig } from '../by-hand/places.ts'
import { hideMarks, markAutoRemove, removeNotStarted, showAutoRemove, watchAutoRemove } from '../emulate/auto-remove.ts'

const IN_PROGRESS = 'removal of container {name} is already in progress'

export default {
  '1.25/auto-remove': {
    gate: 'prefix',
    prefixCodeGoneFrom: '1.52',
    summary: 'The engine removes a container with AutoRemove when it ends; before, the CLI did so itself.',
    see: 'version-history.md v1.25; container_routes.go:postContainersCreate @v1.13.0 … v28.5.2',
    ops: [
      retyped(CreateHostConfig, 'AutoRemove', {
        description: 'HostConfig.AutoRemove is false for an older client, which removes the container itself',
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
      byHand(LISTS, 'the label of the bridge is hidden', { responseUp: hideMarks }),
      emulated('ContainerStart', 'a container that fails to start is removed too', {
        part: 'error',
        responseUp: removeNotStarted,
      }),
      added(ShownHostConfig, 'AutoRemove', { sample: true, up: false, down: 'keep' }),
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
          { calls: { 'GET /containers/web/json': { body: { Id: 'c1' } } } },
        ],
      ],
      'ContainerCreate responseUp': [[{ status: 201, body: { Id: 'c1' } }, { body: { Id: 'c1' } }]],
    },
  },
  '1.25/default-endpoint': {
    summary: 'The first endpoint can be on the network "default"; engine 1.10 looks for a network of that name.',
    see: 'daemon/container_operations.go:updateContainerNetworkSettings @v1.10.3; cli 25 and later send it; seen on engine 1.10.3',
    ops: only(
      { legs: ['requestDown'] },
      moved(NetworkingConfig, 'EndpointsConfig.bridge', 'EndpointsConfig.default', { keepsEmpty: true }),
    ),
  },
  '1.25/status-removing': {
    summary: 'A container that is being removed has the status removing; before, exited.',
    see: 'version-history.md v1.25; container/state.go @v1.13.0',
    ops: [
      retyped(ContainerState, 'Status', { toOlder: [['removing', 'exited']] }),
      retyped(ContainerListItem, 'State', { toOlder: [['removing', 'exited']] }),
      filterValuesAdded(LISTS, 'status', { values: ['removing'] }),
    ],
  },
  '1.25/delete-in-progress': {
    summary: 'Removing a container that is being removed is an error; before, it succeeded.',
    see: 'version-history.md v1.25; daemon/delete.go @v1.12.6, @v1.13.1 (400), 17.06 on (409)',
    ops: [400, 409].map((after) =>
      statusChanged('ContainerDelete', { before: 204, after, when: IN_PROGRESS, legs: 'down' }),
    ),
  },
  '1.25/ps-health-istask': {
    summary: 'Containers can be filtered by health, and by whether they are tasks.',
    see: 'version-history.md v1.25; daemon/list.go @v1.13.0',
    ops: ['health', 'is-task'].map((key) => filterAdded(LISTS, key, { newer: 'invalid' })),
  },
  '1.25/exec-env': {
    summary: 'An exec can have its own environment, and shows its process id.',
    see: 'version-history.md v1.25; api/types/configs.go @v1.13.0',
    ops: [
      added(ExecConfig, 'Env', { sample: ['A=b'], onLoss: 'refuse' }),
      added(ExecInspect, 'Pid', { sample: 7, up: 0 }),
    ],
  },
  '1.25/info-labels-empty': {
    summary: 'An engine without labels has an empty list; before, null.',
    see: 'daemon/info.go @v1.12.6; recordings 1.6.2 … 1.12.6 (null), 20.10 ([]), info. CLIs up to 1.12 print a line for a list',
    ops: retyped(Info, 'Labels', { pairs: [[null, []]] }),
  },
  '1.25/disk-quota': {
    summary: 'HostConfig no longer has DiskQuota, which 1.11 and 1.12 had for Windows.',
    see: 'engine-api types/container/host_config.go @v1.11.2, @v1.12.6',
    ops: removed(HostConfig, 'DiskQuota', { sample: 5, down: byClient({ '1.22': undefined, '1.23': 0 }) }),
  },
  '1.25/start-checkpoint': {
    summary: 'A container can be started from a checkpoint.',
    see: 'container_routes.go:postContainersStart @v1.12.6, @v1.13.1 (not in the documents)',
    // Without it the container would start afresh.
    ops: ['checkpoint', 'checkpoint-dir'].map((name) =>
      queryAdded('ContainerStart', name, { sample: 'c', onLoss: 'refuse' }),
    ),
  },
} satisfies Changes
