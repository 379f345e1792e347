import { ProxyError } from '../../src/api/errors.ts'
import { type JsonObject, memberAt } from '../../src/api/json/json.ts'
import { HostConfig, LogConfig, RestartPolicy } from '../../src/api/shapes/shapes.ts'
import type { Changes } from '../../src/translate/change.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { added, ignored, onEach, refusedWhere, valueAdded } from '../../src/translate/ops.ts'
import { bindsOf } from '../by-hand/binds.ts'
import { isUserDefined, sharesContainer } from '../by-hand/endpoints.ts'
import { AskedHostConfig, CreateBody, CreateHostConfig } from '../by-hand/places.ts'

/** The first volume name among the sources of `Binds`: `name:/target[:mode]`. */
const nameIn = (hostConfig: JsonObject): string | undefined =>
  bindsOf(hostConfig).find(([source = '', target]) => target !== undefined && /^[^/]/s.test(source))?.[0]

const inWords = (name: string | undefined): string => `volume ${name} of HostConfig.Binds`

const NAMED_VOLUME = '1.21/named-volume-binds'

/**
 * Engines 1.6 and 1.7 refused it with 500. Newer engines that serve these versions create the volume (seen on 20.10 at
 * 1.18), so it passes and is reported; it is refused only if the loss policy is strict.
 */
function reportNamedVolume(hostConfig: JsonObject, context: StepContext): void {
  const name = nameIn(hostConfig)
  if (name === undefined) return
  const refusal = `cannot bind mount volume: ${name} volume paths must be absolute.`
  if (context.policy.losses === 'strict') throw new ProxyError('validation', refusal, { status: 500 })
  context.ignore(inWords(name), NAMED_VOLUME)
}

const HOST_NETWORK = { NetworkMode: 'host', Dns: ['8.8.8.8'] }

/** Limits, binds, new values of existing members, and settings that they exclude. */
export default {
  '1.21/unless-stopped': {
    summary: 'A restart policy can be unless-stopped.',
    see: 'docs/api/v1.21.md, Create a container; daemon/monitor.go @v1.8.3, @v1.9.1',
    // Earlier engines accept any name and never restart. Older clients see the name, because they have no other for it.
    ops: valueAdded(RestartPolicy, 'Name', ['unless-stopped']),
  },
  '1.21/custom-network-mode': {
    summary: 'NetworkMode can name a user-defined network.',
    see: 'docs/api/v1.21.md, Create a container; runconfig/hostconfig_unix.go @v1.9.1',
    ops: refusedWhere(HostConfig, 'user-defined networks as NetworkMode', {
      finds: ({ NetworkMode: mode }) => (isUserDefined(mode) ? `HostConfig.NetworkMode ${mode}` : undefined),
      samples: [[{ NetworkMode: 'web' }, 'HostConfig.NetworkMode web']],
      stay: [{ NetworkMode: 'container:web' }],
    }),
  },
  '1.21/netmode-conflicts-validated': {
    summary: 'Settings without effect in the network of another container are refused; before, they were ignored.',
    see: 'runconfig/parse.go @v1.8.3, runconfig/parse_unix.go ValidateNetMode @v1.9.1, runconfig/hostconfig_unix.go @v20.10; recordings 1.9.1, 1.10.3 and 1.12.6, create-net-host-hostname',
    // Engines up to 1.8 did not check these combinations; later ones answer 409 or 400.
    ops: [
      ignored(CreateBody, ['Hostname', 'Domainname', 'MacAddress', 'ExposedPorts'], {
        where: ({ HostConfig: hostConfig }) => sharesContainer(hostConfig),
      }),
      // Links have an effect: the engine checks them.
      ignored(CreateHostConfig, ['Dns', 'ExtraHosts', 'PortBindings', 'PublishAllPorts'], { where: sharesContainer }),
      // Only engines 1.9 to 1.11 refuse a host name with the host's network; 1.12 and later set it, 1.8 did not.
      ignored(CreateBody, 'Hostname', {
        where: ({ HostConfig: hostConfig }, { engine }) =>
          engine.highest < 24 && memberAt(hostConfig, 'NetworkMode') === 'host',
      }),
    ],
    examples: {
      'ContainerCreate requestUp body': [
        [
          {
            Hostname: 'h',
            ExposedPorts: { '80/tcp': {} },
            HostConfig: { NetworkMode: 'container:web', Dns: ['8.8.8.8'], PublishAllPorts: true, Links: null },
          },
          { HostConfig: { NetworkMode: 'container:web', Links: null } },
        ],
        [{ Hostname: 'h', HostConfig: HOST_NETWORK }, { HostConfig: HOST_NETWORK }],
        [{ Hostname: 'h', HostConfig: HOST_NETWORK }, { Hostname: 'h', HostConfig: HOST_NETWORK }, { engine: '1.24' }],
      ],
    },
  },
  '1.21/log-driver-awslogs': {
    summary: 'Logs can go to awslogs.',
    see: 'docs/api/v1.21.md, Create a container; daemon/logger/awslogs @v1.9.1',
    ops: valueAdded(LogConfig, 'Type', ['awslogs']),
  },
  '1.21/memory-reservation': {
    summary: 'A container can have a soft memory limit.',
    see: 'docs/api/v1.21.md, Create a container; daemon/daemon_unix.go @v1.9.1',
    ops: added(HostConfig, 'MemoryReservation', { sample: 4194304, up: 0, onLoss: 'refuse', request: 'keep' }),
  },
  '1.21/kernel-memory': {
    summary: 'A container can have a kernel memory limit.',
    see: 'docs/api/v1.21.md, Create a container; runconfig/hostconfig.go @v1.9.1',
    // 1.42/kernel-memory-ignored covers engines that no longer apply it.
    ops: added(HostConfig, 'KernelMemory', { sample: 4194304, up: 0, onLoss: 'refuse' }),
  },
  '1.21/dns-options': {
    summary: 'A container can have DNS resolver options.',
    see: 'docs/api/v1.21.md, Create a container; recordings 1.10.3 at 1.22, inspect-running, inspect-start-hc',
    ops: added(HostConfig, 'DnsOptions', { sample: ['ndots:2'], up: null, onLoss: 'warn' }),
  },
  [NAMED_VOLUME]: {
    // Documented in 1.21; engine 1.8 already creates the volume (recording 1.8.3 at 1.20, create-named-vol).
    from: '1.20',
    summary: 'The source of a bind can be the name of a volume; before, anything but an absolute path was an error.',
    see: 'docs/api/v1.21.md, Create a container; volume/volume_unix.go ParseMountSpec @v1.9.1; recordings 1.6.2, 1.7.1 and 1.8.3, create-named-vol',
    ops: [
      onEach(AskedHostConfig, 'a named volume is reported, and refused in strict mode', {
        requestUp: reportNamedVolume,
      }),
      refusedWhere(HostConfig, 'a named volume is refused: data would be stored elsewhere', {
        finds: (hostConfig) => nameIn(hostConfig) && inWords(nameIn(hostConfig)),
        samples: [[{ Binds: ['data:/data'] }, 'volume data of HostConfig.Binds']],
        stay: [{ Binds: ['/srv/data:/data'] }],
      }),
    ],
    examples: {
      'ContainerStart requestUp body.Binds': [
        [['data:/data'], ['data:/data'], { ignored: ['volume data of HostConfig.Binds'] }],
      ],
    },
  },
} satisfies Changes
