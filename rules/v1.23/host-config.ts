import { onlyIn, onSide } from '../../src/api/shapes/shape.ts'
import { HostConfig } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, addedAll, refusedWhere, retyped } from '../../src/translate/ops.ts'
import { colonSeparated, equalsSeparated, newSecurityOption } from './security-opt.ts'

const inAnswers = onSide(HostConfig, 'response')

export default [
  {
    id: '1.23/userns-mode',
    gate: 'release',
    summary: 'A container can stay in the user namespace of its host.',
    see: 'docs/api/v1.23.md, Create a container; runconfig @v1.11.2',
    ops: [
      added(HostConfig, 'UsernsMode', {
        sample: 'host',
        up: '',
        // Engines up to 1.9 have no user namespaces, so every container is in its host's.
        convert: (value, _host, context) => value === 'host' && context.engine.highest < 22,
        onLoss: 'refuse',
      }),
    ],
    examples: {
      'ContainerCreate requestDown body.HostConfig': [
        [{ UsernsMode: 'host' }, /HostConfig\.UsernsMode .* needs API 1\.23/],
        [{ UsernsMode: 'host' }, {}, { engine: '1.21' }],
      ],
    },
  },
  {
    id: '1.23/security-opt-separator',
    gate: 'release',
    summary: 'A security option is written with = between name and value; before with a colon.',
    see: 'daemon/daemon_unix.go:parseSecurityOpt @v1.10.3, @v1.11.2; engine 20.10 cuts "label:user:a=b" at the = and refuses it',
    ops: [
      retyped(HostConfig, 'SecurityOpt', {
        samples: {
          toNewer: [
            [
              ['label:user:a=b', 'apparmor:p', 'seccomp:{"a":1}', 'x:y'],
              ['label=user:a=b', 'apparmor=p', 'seccomp={"a":1}', 'x:y'],
            ],
          ],
          toOlder: [
            [
              ['label=type:t', 'seccomp=unconfined'],
              ['label:type:t', 'seccomp:unconfined'],
            ],
          ],
        },
        toNewer: equalsSeparated,
        toOlder: colonSeparated,
      }),
      // After the conversion in this list, before it on the way down (steps down run from the last to the first).
      refusedWhere(onlyIn(HostConfig, 'ContainerCreate'), 'security options that are new', {
        finds: newSecurityOption,
        samples: [[{ SecurityOpt: ['no-new-privileges'] }, 'HostConfig.SecurityOpt no-new-privileges']],
      }),
    ],
    examples: {
      'ContainerCreate requestDown body.HostConfig.SecurityOpt': [
        [
          ['label=type:t', 'seccomp=unconfined', 'disable'],
          ['label:type:t', 'seccomp:unconfined', 'label:disable'],
        ],
        [['seccomp=unconfined'], /HostConfig\.SecurityOpt seccomp/, { engine: '1.21' }],
      ],
      'ContainerInspect responseUp body.HostConfig.SecurityOpt': [[['label:disable'], ['label=disable']]],
    },
  },
  {
    id: '1.23/storage-opt-windows',
    gate: 'release',
    summary:
      'HostConfig gains members for Windows and for later: CpuCount, CpuPercent, DiskQuota, StorageOpt and others.',
    see: 'engine-api types/container/host_config.go @v1.11.2; recordings inspect-min 1.10.3, 1.12.6',
    ops: [
      ...addedAll(HostConfig, ['CpuCount', 'CpuPercent'], { sample: 2, up: 0, onLoss: 'refuse' }),
      added(HostConfig, 'DiskQuota', { sample: 1, up: 0, onLoss: 'warn' }),
      added(HostConfig, 'StorageOpt', { sample: { size: '1G' }, up: null, onLoss: 'warn' }),
      // Shown from here on. What asks for them is 1.25/auto-remove; Cgroup is Swarm's; the rest went with 1.24.
      added(inAnswers, 'AutoRemove', { sample: true, up: false, onLoss: 'ignore' }),
      added(inAnswers, 'Cgroup', { sample: 'x', up: '', onLoss: 'ignore' }),
      ...addedAll(inAnswers, ['BlkioIOps', 'BlkioBps', 'SandboxSize'], { sample: 1, up: 0, onLoss: 'ignore' }),
    ],
  },
] satisfies Change[]
