import { isUnset, type JsonObject, objectOf } from '../../src/api/json/json.ts'
import { operationNames } from '../../src/api/operations.ts'
import { Info, Volume, VolumeCreateRequest } from '../../src/api/shapes/shapes.ts'
import {
  added,
  type Changes,
  endpointAdded,
  filterApplied,
  hasLabel,
  ignored,
  refusedWhere,
} from '../../src/translate/ops.ts'
import { gatewayWithoutMask } from '../by-hand/gateway.ts'

/** 1.29/task-logs has the logs of a task. */
const SWARM_AND_PLUGINS = operationNames.filter(
  (name) => /^(?:Swarm|Node|Service|Task|Plugin)/.test(name) && name !== 'TaskLogs',
)

const NO_SWARM = {
  ...{ NodeID: '', NodeAddr: '', LocalNodeState: 'inactive', ControlAvailable: false },
  ...{ Error: '', RemoteManagers: null },
}

const hasLocalOptions = ({ Driver: driver, DriverOpts: options }: JsonObject): boolean =>
  !isUnset(options) && (isUnset(driver) || driver === 'local')

/** A mount, which users of these versions have on engines from 1.12 on: these read the options at every version. */
const mounts = (volume: JsonObject): boolean =>
  ['type', 'o', 'device'].some((option) => option in objectOf(volume['DriverOpts']))

export default {
  '1.24/info-fields': {
    summary: 'Info shows security options, runtimes, Swarm and live restore.',
    see: 'docs/api/v1.24.md, Display system-wide information; recordings info 1.10.3, 1.12.6',
    // ExecutionDriver is `native-0.2` up to engine 1.10 and empty on 1.11: 1.23/info-cgroup-driver handles it.
    ops: [
      added(Info, 'SecurityOptions', { sample: ['seccomp'], up: [] }),
      added(Info, 'Runtimes', {
        sample: { runc: { path: 'runc' } },
        up: (_info, { engine }) => (engine.highest < 23 ? {} : { runc: { path: 'docker-runc' } }),
        upSamples: [[{}, { runc: { path: 'docker-runc' } }]],
      }),
      added(Info, 'DefaultRuntime', {
        sample: 'runc',
        up: (_info, { engine }) => (engine.highest < 23 ? 'default' : 'runc'),
        upSamples: [[{}, 'runc']],
      }),
      added(Info, 'Swarm', { sample: NO_SWARM, up: NO_SWARM }),
      added(Info, 'LiveRestoreEnabled', { sample: true, up: false }),
    ],
  },
  '1.24/volume-scope': {
    summary: 'A volume has a scope.',
    see: 'docs/api/v1.24.md, Volumes; engine-api types:Volume @v1.12.6',
    ops: added(Volume, 'Scope', { sample: 'local', up: 'local' }),
  },
  '1.24/volume-options-checked': {
    from: '1.23',
    summary: 'The driver local reads its options; before, it ignored them.',
    see: 'recordings volume-create-badopts 1.10.3, 1.12.6 (whether 1.11 or 1.12 brought it is not recorded: the earlier)',
    ops: [
      ignored(VolumeCreateRequest, 'DriverOpts', {
        sample: { bogus: '1' },
        where: (volume) => hasLocalOptions(volume) && !mounts(volume),
      }),
      refusedWhere(VolumeCreateRequest, 'DriverOpts of the driver local', {
        finds: (volume) => (hasLocalOptions(volume) ? 'DriverOpts of the driver local' : undefined),
        samples: [[{ Driver: 'local', DriverOpts: { type: 'tmpfs' } }, 'DriverOpts of the driver local']],
        stay: [{ Driver: 'nfs', DriverOpts: { a: '1' } }],
      }),
    ],
    examples: {
      'VolumeCreate requestUp body': [
        [{ Driver: 'nfs', DriverOpts: { a: '1' } }],
        [{ DriverOpts: { type: 'nfs', o: 'addr=10.0.0.1', device: ':/x' } }],
      ],
    },
  },
  '1.24/network-filters-errors': {
    summary: 'Networks can be listed by driver and label.',
    see: 'docs/api/v1.24.md, List networks; api/server/router/network/filter.go @v1.12.6',
    ops: filterApplied('NetworkList', ['driver', 'label'], {
      keeps: {
        driver: (wanted, { Driver: driver }) => wanted === driver,
        label: (wanted, { Labels: labels }) => hasLabel(labels, wanted),
      },
      samples: [
        { asks: '{"driver":["bridge"]}', keeps: { Driver: 'bridge' }, drops: { Driver: 'host' } },
        { asks: '{"label":["a=b","c"]}', keeps: { Labels: { a: 'b', c: '' } }, drops: { Labels: { a: 'x', c: '' } } },
      ],
    }),
  },
  '1.24/ipam-gateway-mask': {
    summary: 'The gateway of a default subnet is shown without its mask.',
    see: 'api/server/router/network:buildIpamResources @v1.11.2, @v1.12.6; recording 1.10.3, network-inspect-bridge',
    // Older clients read the address without the mask too; for newer ones it would not be a valid address.
    ops: gatewayWithoutMask('172.17.0.1'),
  },
  '1.24/swarm-plugins-endpoints': {
    summary: 'Swarm, its nodes, services and tasks, and plugins have endpoints.',
    see: 'docs/api/v1.24.md, Nodes, Swarm, Services, Tasks, Plugins',
    ops: endpointAdded(SWARM_AND_PLUGINS, { missing: 404 }),
  },
} satisfies Changes
