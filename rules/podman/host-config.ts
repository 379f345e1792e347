import { isUnset, listOf, membersWhere, objectOf, stringOf } from '../../src/api/json/json.ts'
import { onSide } from '../../src/api/shapes/shape.ts'
import {
  HostConfig,
  Ipam,
  LogConfig,
  Network,
  PortBinding,
  RestartPolicy,
  Ulimit,
  Volume,
} from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import { filled, retyped } from '../../src/translate/ops.ts'
import { withOptions } from '../by-hand/mount-options.ts'

/** The first version with NanoCpus. */
const HAS_CPUS = apiVersion(25)

const OWN_ANNOTATION =
  /^(?:io\.podman\.annotations\.|io\.container\.manager$|org\.opencontainers\.image\.|org\.systemd\.property\.)/

/** Options that Podman shows with each bind, and those of volumes. */
const OF_BINDS = ['', 'rw', 'rbind', 'rprivate']
const OF_VOLUMES = [...OF_BINDS, 'nosuid', 'nodev', 'exec']

/** Podman adds these when it reads the option `o` of a volume. */
const OF_MOUNTS = ['SIZE', 'INODES', 'UID', 'GID', 'NOQUOTA']

const MTU = 'com.docker.network.driver.mtu'

function asAsked(bind: string): string {
  const own = bind.startsWith('/') ? OF_BINDS : OF_VOLUMES
  return withOptions(bind, (options) => options.filter((option) => !own.includes(option)))
}

export default {
  'podman/host-config': {
    summary:
      'Inspect shows in HostConfig what Podman adds: names, options, addresses and annotations of its own, and CPUs beside the quota that they are.',
    see: 'libpod/container_inspect.go @v5.4.2; Docker 20.10 refuses `private`',
    ops: [
      // A container that is made again from what is shown is refused with both.
      retyped(onSide(HostConfig, 'response'), 'NanoCpus', {
        toOlder: (_cpus, { CpuQuota: quota }, { client }) => (isUnset(quota) || client >= HAS_CPUS ? undefined : 0),
        samples: [[500000000, 0, { with: { CpuQuota: 50000 }, client: '1.24' }], [500000000]],
      }),
      ...['CpuPeriod', 'CpuQuota'].map((member) =>
        retyped(onSide(HostConfig, 'response'), member, {
          toOlder: (_value, { NanoCpus: cpus }, { client }) => (isUnset(cpus) || client < HAS_CPUS ? undefined : 0),
          samples: [[50000, 0, { with: { NanoCpus: 500000000 } }], [50000]],
        }),
      ),
      retyped(onSide(Ulimit, 'response'), 'Name', {
        toOlder: (name) =>
          stringOf(name)
            .replace(/^RLIMIT_/, '')
            .toLowerCase(),
        samples: [['RLIMIT_NOFILE', 'nofile']],
      }),
      retyped(onSide(RestartPolicy, 'response'), 'Name', { toOlder: [['', 'no']] }), // 4.3
      filled(onSide(LogConfig, 'response'), 'Config', {}),
      retyped(onSide(HostConfig, 'response'), 'Runtime', { toOlder: [['oci', 'runc']] }),
      retyped(onSide(PortBinding, 'response'), 'HostIp', { toOlder: [['0.0.0.0', '']] }),
      retyped(onSide(HostConfig, 'response'), 'Binds', {
        toOlder: (binds) => listOf(binds).map((bind) => asAsked(stringOf(bind))),
        samples: [
          [
            ['v:/y:ro,rprivate,nosuid,nodev,rbind', 'v:/x:exec', '/a:/b:rw,rprivate,rbind', '/a:/c:nosuid'],
            ['v:/y:ro', 'v:/x', '/a:/b', '/a:/c:nosuid'],
          ],
        ],
      }),
      retyped(onSide(HostConfig, 'response'), 'Annotations', {
        toOlder: (annotations) => membersWhere(objectOf(annotations), (name) => !OWN_ANNOTATION.test(name)),
        samples: [[{ 'io.podman.annotations.init': 'TRUE', a: 'b' }, { a: 'b' }]],
      }),
      ...['UTSMode', 'PidMode'].map((mode) =>
        retyped(onSide(HostConfig, 'response'), mode, { toOlder: [['private', '']] }),
      ),
    ],
  },
  'podman/own-options': {
    summary: 'Networks and volumes show options that Podman adds; Compose 1 refuses at its second `up` what it made.',
    see: 'pkg/api/handlers/compat/networks.go, pkg/domain/infra/abi/parse/parse.go @v5.4.2',
    ops: [
      retyped(onSide(Ipam, 'response'), 'Options', {
        toOlder: [[{ driver: 'host-local' }, null]],
        samples: [[{ a: 'b' }]],
      }),
      retyped(Network, 'Options', {
        toOlder: (options) =>
          Object.fromEntries(
            Object.entries(objectOf(options)).map(([name, value]) => [name === 'mtu' ? MTU : name, value]),
          ),
        samples: [
          [
            { mtu: '1400', mode: 'l2' },
            { [MTU]: '1400', mode: 'l2' },
          ],
        ],
      }),
      retyped(onSide(Volume, 'response'), 'Options', {
        toOlder: (options) => membersWhere(objectOf(options), (name) => !OF_MOUNTS.includes(name)),
        samples: [[{ o: 'size=1m', SIZE: '1m' }, { o: 'size=1m' }]],
      }),
    ],
  },
} satisfies PodmanChanges
