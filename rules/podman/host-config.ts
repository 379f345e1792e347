import { isUnset, listOf, objectOf, stringOf } from '../../src/api/json/json.ts'
import { below, onSide } from '../../src/api/shapes/shape.ts'
import { HostConfig } from '../../src/api/shapes/shapes.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import { retyped } from '../../src/translate/ops.ts'
import { bindText } from '../by-hand/mount-options.ts'

const Device = onSide(below(HostConfig, 'Devices.[]'), 'response')
const Ulimit = onSide(below(HostConfig, 'Ulimits.[]'), 'response')
const Binding = onSide(below(HostConfig, 'PortBindings.{}.[]'), 'response')

const OWN_ANNOTATION =
  /^(?:io\.podman\.annotations\.|io\.container\.manager$|org\.opencontainers\.image\.|org\.systemd\.property\.)/

/** Options that Podman shows with each bind, and those of volumes. */
const OF_BINDS = ['', 'rw', 'rbind', 'rprivate']
const OF_VOLUMES = [...OF_BINDS, 'nosuid', 'nodev']

function asAsked(bind: string): string {
  const [source = '', target, ...mode] = bind.split(':')
  if (target === undefined) return bind
  const own = source.startsWith('/') ? OF_BINDS : OF_VOLUMES
  return bindText(
    source,
    target,
    mode
      .join(':')
      .split(',')
      .filter((option) => !own.includes(option)),
  )
}

export default {
  'podman/host-config': {
    podman: true,
    summary:
      'Limits are called by the kernel’s names, a quota is shown beside the CPUs that it is made of, devices have no permissions, open addresses are 0.0.0.0, binds show options of their own, there are annotations that nobody made, and the default of UTSMode and PidMode is `private`.',
    see: 'libpod/container_inspect.go @v5.4.2; Docker 20.10 refuses `private`',
    ops: [
      // Both are shown for NanoCpus, and refused with it when a container is made again from what is shown.
      ...['CpuPeriod', 'CpuQuota'].map((member) =>
        retyped(onSide(HostConfig, 'response'), member, {
          toOlder: (_value, { NanoCpus: cpus }) => (isUnset(cpus) ? undefined : 0),
          samples: {
            toOlder: [
              [50000, 0, { with: { NanoCpus: 500000000 } }],
              [50000, 50000],
            ],
          },
        }),
      ),
      // Podman shows none and refuses none.
      retyped(Device, 'CgroupPermissions', { toOlder: [['', 'rwm']] }),
      retyped(Ulimit, 'Name', {
        toOlder: (name) =>
          stringOf(name)
            .replace(/^RLIMIT_/, '')
            .toLowerCase(),
        samples: { toOlder: [['RLIMIT_NOFILE', 'nofile']] },
      }),
      retyped(Binding, 'HostIp', { toOlder: [['0.0.0.0', '']] }),
      retyped(onSide(HostConfig, 'response'), 'Binds', {
        toOlder: (binds) => listOf(binds).map((bind) => asAsked(stringOf(bind))),
        samples: {
          toOlder: [
            [
              ['v:/y:ro,rprivate,nosuid,nodev,rbind', '/a:/b:rw,rprivate,rbind', '/a:/c:nosuid'],
              ['v:/y:ro', '/a:/b', '/a:/c:nosuid'],
            ],
          ],
        },
      }),
      retyped(onSide(HostConfig, 'response'), 'Annotations', {
        toOlder: (annotations) =>
          Object.fromEntries(Object.entries(objectOf(annotations)).filter(([name]) => !OWN_ANNOTATION.test(name))),
        samples: { toOlder: [[{ 'io.podman.annotations.init': 'TRUE', a: 'b' }, { a: 'b' }]] },
      }),
      ...['UTSMode', 'PidMode'].map((mode) =>
        retyped(onSide(HostConfig, 'response'), mode, { toOlder: [['private', '']] }),
      ),
    ],
  },
} satisfies PodmanChanges
