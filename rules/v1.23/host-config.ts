import { onSide } from '../../src/api/shapes/shape.ts'
import { HostConfig } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, addedAll, byHand, retyped } from '../../src/translate/ops.ts'
import { colonSeparated, equalsSeparated, refuseNewSecurityOptions } from '../by-hand/security-opt.ts'

const inAnswers = onSide(HostConfig, 'response')

export default [
  {
    id: '1.23/userns-mode',
    gate: 'release',
    summary: 'A container can stay in the user namespace of its host.',
    see: 'docs/api/v1.23.md, Create a container; runconfig @v1.11.2',
    ops: [
      added(HostConfig, 'UsernsMode', {
        up: '',
        // Engines up to 1.9 have no user namespaces, so every container is in its host's.
        convert: (value, _host, context) => value === 'host' && context.engine.highest < 22,
        onLoss: 'refuse',
      }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { UsernsMode: 'host' } } },
        after: { body: { HostConfig: {} } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { UsernsMode: 'host' } } },
        after: { refused: /HostConfig\.UsernsMode .* needs API 1\.23/ },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        engine: '1.21',
        before: { body: { HostConfig: { UsernsMode: 'host' } } },
        after: { body: { HostConfig: {} } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { HostConfig: { UsernsMode: '' } } },
        after: { body: { HostConfig: {} } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        before: { body: { HostConfig: {} } },
        after: { body: { HostConfig: { UsernsMode: '' } } },
      },
    ],
  },
  {
    id: '1.23/security-opt-separator',
    gate: 'release',
    summary: 'A security option is written with = between name and value; before with a colon.',
    see: 'daemon/daemon_unix.go:parseSecurityOpt @v1.10.3, @v1.11.2; engine 20.10 cuts "label:user:a=b" at the = and refuses it',
    ops: [
      retyped(HostConfig, 'SecurityOpt', { toNewer: equalsSeparated, toOlder: colonSeparated }),
      // After the conversion in this list, before it on the way down (steps down run from the last to the first).
      byHand(['ContainerCreate'], 'options that the older engine does not have are refused', {
        onLoss: 'refuse',
        requestDown: refuseNewSecurityOptions,
      }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { SecurityOpt: ['label:user:a=b', 'apparmor:p', 'seccomp:{"a":1}', 'x:y'] } } },
        after: { body: { HostConfig: { SecurityOpt: ['label=user:a=b', 'apparmor=p', 'seccomp={"a":1}', 'x:y'] } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { SecurityOpt: ['label=type:t', 'seccomp=unconfined', 'disable'] } } },
        after: { body: { HostConfig: { SecurityOpt: ['label:type:t', 'seccomp:unconfined', 'label:disable'] } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { SecurityOpt: ['no-new-privileges'] } } },
        after: { refused: /HostConfig\.SecurityOpt no-new-privileges/ },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        engine: '1.21',
        before: { body: { HostConfig: { SecurityOpt: ['seccomp=unconfined'] } } },
        after: { refused: /HostConfig\.SecurityOpt seccomp/ },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { HostConfig: { SecurityOpt: ['label=disable'] } } },
        after: { body: { HostConfig: { SecurityOpt: ['label:disable'] } } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        before: { body: { HostConfig: { SecurityOpt: ['label:disable'] } } },
        after: { body: { HostConfig: { SecurityOpt: ['label=disable'] } } },
      },
    ],
  },
  {
    id: '1.23/storage-opt-windows',
    gate: 'release',
    summary:
      'HostConfig gains members for Windows and for later: CpuCount, CpuPercent, DiskQuota, StorageOpt and others.',
    see: 'engine-api types/container/host_config.go @v1.11.2; recordings inspect-min 1.10.3, 1.12.6',
    ops: [
      ...addedAll(HostConfig, ['CpuCount', 'CpuPercent'], { up: 0, onLoss: 'refuse' }),
      added(HostConfig, 'DiskQuota', { up: 0, onLoss: 'warn' }),
      added(HostConfig, 'StorageOpt', { up: null, onLoss: 'warn' }),
      // Shown from here on. What asks for them is 1.25/auto-remove; Cgroup is Swarm's; the rest went with 1.24.
      added(inAnswers, 'AutoRemove', { up: false, onLoss: 'ignore' }),
      added(inAnswers, 'Cgroup', { up: '', onLoss: 'ignore' }),
      ...addedAll(inAnswers, ['BlkioIOps', 'BlkioBps', 'SandboxSize'], { up: 0, onLoss: 'ignore' }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { CpuCount: 1, StorageOpt: { size: '1G' } } } },
        after: { body: { HostConfig: {} } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { CpuCount: 0, CpuPercent: 0, DiskQuota: 0, StorageOpt: { size: '1G' } } } },
        after: { body: { HostConfig: {} } },
        losses: ['HostConfig.StorageOpt'],
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { CpuCount: 2 } } },
        after: { refused: /HostConfig\.CpuCount/ },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: {
          body: {
            HostConfig: { Memory: 0, CpuCount: 0, AutoRemove: false, Cgroup: '', BlkioIOps: 0, StorageOpt: null },
          },
        },
        after: { body: { HostConfig: { Memory: 0 } } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        before: { body: { HostConfig: {} } },
        after: {
          body: {
            HostConfig: {
              CpuCount: 0,
              CpuPercent: 0,
              DiskQuota: 0,
              StorageOpt: null,
              AutoRemove: false,
              Cgroup: '',
              BlkioIOps: 0,
              BlkioBps: 0,
              SandboxSize: 0,
            },
          },
        },
      },
    ],
  },
] satisfies Change[]
