import { type JsonObject, type JsonValue, listOf, stringOf } from '../../src/api/json/json.ts'
import { HostConfig } from '../../src/api/shapes/shapes.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { added, addedAll, byClient, type Changes, refusedWhere, retyped } from '../../src/translate/ops.ts'
import { eachOf, eachText } from '../by-hand/each-text.ts'
import { CreateBody, CreateHostConfig, ShownHostConfig } from '../by-hand/places.ts'

function together(value: JsonValue, config: JsonObject): string | undefined {
  const [host, domain] = [stringOf(value), stringOf(config['Domainname'])]
  if (host === '' || domain === '') return undefined
  config['Domainname'] = ''
  return `${host}.${domain}`
}

const APART = { Hostname: 'web', Domainname: 'example.com' }

/** `label:user:u` becomes `label=user:u`: only the first colon, and only after a known name. */
const equalsSeparated = (option: string): string => option.replace(/^(label|apparmor|seccomp):/, '$1=')
const colonSeparated = (option: string): string =>
  option === 'disable' ? 'label:disable' : option.replace(/^(label|apparmor|seccomp)=/, '$1:')

/** Engines up to 1.10 would refuse these options as invalid, without the reason; seccomp came with 1.10. */
function newSecurityOption({ SecurityOpt: options }: JsonObject, { engine }: StepContext): string | undefined {
  const names = listOf(options).map((option) => String(option).split(/[=:]/)[0] ?? '')
  const found = names.find((name) => name === 'no-new-privileges' || (name === 'seccomp' && engine.highest < 22))
  return found === undefined ? undefined : `HostConfig.SecurityOpt ${found}`
}

export default {
  '1.23/hostname-domainname': {
    // Listed under 1.23; engines have it from 19.03 on, which set the domain name beside the host name.
    from: '1.40',
    summary: 'The host name of a container with a domain does not contain it; before, host.domain.',
    see: 'container/container_unix.go:CreateDaemonEnvironment @v1.10.3; container.go:FullHostname @v18.09; daemon/oci_linux.go @v19.03',
    // CLIs up to 1.22 split a host name at its first dot, and their engines joined it again. The answer stays as the engine
    // has it: it does not say who was joined, and most other programs send the whole name and compare it with what they see.
    ops: retyped(CreateBody, 'Hostname', {
      toNewer: byClient({ '1.12': together, '1.23': [] }),
      description: 'Hostname and Domainname are joined in Hostname',
    }),
    examples: {
      'ContainerCreate requestUp body': [
        [APART, { Hostname: 'web.example.com', Domainname: '' }, { client: '1.22' }],
        [APART, APART, { client: '1.23' }],
      ],
    },
  },
  '1.23/userns-mode': {
    summary: 'A container can stay in the user namespace of its host.',
    see: 'docs/api/v1.23.md, Create a container; runconfig @v1.11.2',
    ops: added(HostConfig, 'UsernsMode', {
      sample: 'host',
      up: '',
      // Engines up to 1.9 have no user namespaces: every container is in that of its host.
      convert: (value, _host, context) => value === 'host' && context.engine.highest < 22,
      onLoss: 'refuse',
    }),
    examples: {
      'ContainerCreate requestDown body.HostConfig': [
        [{ UsernsMode: 'host' }, /HostConfig\.UsernsMode .* needs API 1\.23/],
        [{ UsernsMode: 'host' }, {}, { engine: '1.21' }],
      ],
    },
  },
  '1.23/security-opt-separator': {
    summary: 'Security options have = between name and value; before, a colon.',
    see: 'daemon/daemon_unix.go:parseSecurityOpt @v1.10.3, @v1.11.2; engine 20.10 cuts "label:user:a=b" at the = and refuses it',
    ops: [
      retyped(HostConfig, 'SecurityOpt', {
        samples: {
          toNewer: eachOf({ 'label:user:a=b': 'label=user:a=b', 'seccomp:{"a":1}': 'seccomp={"a":1}', 'x:y': 'x:y' }),
          toOlder: eachOf({ 'label=type:t': 'label:type:t', 'seccomp=a': 'seccomp:a', disable: 'label:disable' }),
        },
        toNewer: (options) => eachText(options, equalsSeparated),
        toOlder: (options) => eachText(options, colonSeparated),
      }),
      // On requestDown the last op runs first: before the conversion.
      refusedWhere(CreateHostConfig, 'new security options', {
        finds: newSecurityOption,
        samples: [[{ SecurityOpt: ['no-new-privileges'] }, 'HostConfig.SecurityOpt no-new-privileges']],
      }),
    ],
    examples: {
      'ContainerCreate requestDown body.HostConfig.SecurityOpt': [
        [['seccomp=unconfined'], /HostConfig\.SecurityOpt seccomp/, { engine: '1.21' }],
      ],
    },
  },
  '1.23/storage-opt-windows': {
    summary: 'HostConfig has new members, some for Windows: CpuCount, CpuPercent, DiskQuota, StorageOpt and others.',
    see: 'engine-api types/container/host_config.go @v1.11.2; recordings inspect-min 1.10.3, 1.12.6',
    ops: [
      ...addedAll(HostConfig, ['CpuCount', 'CpuPercent'], { sample: 2, up: 0, onLoss: 'refuse' }),
      added(HostConfig, 'DiskQuota', { sample: 1, up: 0, onLoss: 'warn' }),
      added(HostConfig, 'StorageOpt', { sample: { size: '1G' }, up: null, onLoss: 'warn' }),
      // Only in responses: 1.25/auto-remove handles requests, Cgroup belongs to Swarm, and 1.24 removed the others.
      added(ShownHostConfig, 'AutoRemove', { sample: true, up: false }),
      added(ShownHostConfig, 'Cgroup', { sample: 'x', up: '' }),
      ...addedAll(ShownHostConfig, ['BlkioIOps', 'BlkioBps', 'SandboxSize'], { sample: 1, up: 0 }),
    ],
  },
} satisfies Changes
