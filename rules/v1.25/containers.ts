import {
  ContainerListItem,
  ContainerState,
  ExecConfig,
  ExecInspect,
  HostConfig,
  Info,
} from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { Changes } from '../../src/translate/change.ts'
import { added, filterAdded, filterValuesAdded, removed, retyped, statusChanged } from '../../src/translate/ops.ts'

/** API version of engine 1.11. */
const QUOTA_FROM = apiVersion(23)

const LISTS = ['ContainerList', 'ContainerListPs'] as const
const IN_PROGRESS = 'removal of container {name} is already in progress'

export default {
  '1.25/status-removing': {
    summary: 'A container that is being removed has the status removing; before, exited.',
    see: 'version-history.md v1.25; container/state.go @v1.13.0',
    ops: [
      retyped(ContainerState, 'Status', { toOlder: [['removing', 'exited']], sides: 'response' }),
      retyped(ContainerListItem, 'State', { toOlder: [['removing', 'exited']], sides: 'response' }),
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
    ops: retyped(Info, 'Labels', { sides: 'response', toOlder: [[[], null]], toNewer: [[null, []]] }),
  },
  '1.25/disk-quota': {
    summary: 'HostConfig no longer has DiskQuota, which 1.11 and 1.12 had for Windows.',
    see: 'engine-api types/container/host_config.go @v1.11.2, @v1.12.6',
    ops: removed(HostConfig, 'DiskQuota', {
      sample: 5,
      down: (_host, { client }) => (client >= QUOTA_FROM ? 0 : undefined),
    }),
    examples: {
      'ContainerInspect responseDown body.HostConfig': [
        [{}, { DiskQuota: 0 }, { client: '1.24' }],
        [{}, {}, { client: '1.22' }],
      ],
    },
  },
} satisfies Changes
