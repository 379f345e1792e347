import {
  isObject,
  isUnset,
  type JsonObject,
  type JsonValue,
  listOf,
  memberAt,
  objectOf,
  writeJson,
} from '../../src/api/json/json.ts'
import { below, onlyIn } from '../../src/api/shapes/shape.ts'
import { Healthcheck, LogConfig, MountTmpfsOptions, UpdateConfig } from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import { words } from '../../src/config/text.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { byHand, ignored, onEach, refusedWhere, retyped } from '../../src/translate/ops.ts'
import { bindOf, mountsOf } from '../by-hand/mount-options.ts'
import { CreateBody, CreateHostConfig, ShownConfig, ShownHostConfig } from '../by-hand/places.ts'

/** Podman 5.8, which says 1.44, reads health checks as Docker does. */
const READS_COMMANDS = apiVersion(44)

/** A limit that no machine reaches; Podman takes -1 for none given, which is twice the memory. */
const UNLIMITED = 2 ** 52

/** Options of Docker's json-file; of these Podman's drivers know the size. */
const LOG_OPTIONS = words('max-size max-file compress labels labels-regex env env-regex tag')

/** Any BindOptions make Podman's bind leave out the mounts below it (`bind-nonrecursive=false` is read as set). */
function recursiveBinds(message: RequestMessage): void {
  const host = memberAt(message.body, 'HostConfig')
  const binds: string[] = []
  const mounts = mountsOf(message).filter((mount) => {
    const { NonRecursive: nonRecursive, Propagation: propagation } = objectOf(mount['BindOptions'])
    if (mount['Type'] !== 'bind' || nonRecursive === true) return true
    if (isUnset(propagation)) delete mount['BindOptions']
    else mount['BindOptions'] = { Propagation: propagation ?? '' }
    const bind = isUnset(propagation) ? undefined : bindOf(mount)
    if (bind !== undefined) binds.push(bind)
    return bind === undefined
  })
  if (!isObject(host) || !Array.isArray(host['Mounts'])) return
  host['Mounts'] = mounts
  if (binds.length > 0) host['Binds'] = [...listOf(host['Binds']), ...binds]
}

const commandOf = (test: JsonValue, { engine }: StepContext): JsonValue | undefined =>
  Array.isArray(test) && test[0] === 'CMD' && test.length > 2 && engine.highest < READS_COMMANDS
    ? [writeJson(test.slice(1))]
    : undefined

const Tmpfs = onlyIn(MountTmpfsOptions, 'ContainerCreate')
const CreateLog = onlyIn(LogConfig, 'ContainerCreate')
const isOfFiles = ({ Type: type }: JsonObject): boolean => isUnset(type) || type === 'json-file'
export default {
  'podman/read-otherwise': {
    summary:
      'A create reads commands of health checks word by word, modes of tmpfs as 0, binds with options without the mounts below, no entrypoint as that of the image, and a limit of swap of -1 as none given.',
    see: 'pkg/specgenutil/{specgen,volumes}.go, cmd/podman/common/create_opts.go @v5.4.2; 5.8 reads commands rightly',
    ops: [
      retyped(onlyIn(Healthcheck, 'ContainerCreate'), 'Test', {
        toNewer: (test, _check, context) => commandOf(test, context),
        samples: {
          toNewer: [
            [['CMD', 'sh', '-c', 'exit 3'], ['["sh","-c","exit 3"]']],
            [
              ['CMD-SHELL', 'exit 3'],
              ['CMD-SHELL', 'exit 3'],
            ],
            [
              ['CMD', 'true'],
              ['CMD', 'true'],
            ],
          ],
        },
      }),
      onEach(Tmpfs, 'the mode is that of Docker', {
        requestUp: (options) => {
          if (isUnset(options['Mode'])) options['Mode'] = 0o1777
        },
      }),
      byHand('ContainerCreate', 'a bind has the mounts below it', { requestUp: recursiveBinds }),
      retyped(CreateBody, 'Entrypoint', {
        toNewer: (entrypoint) => (Array.isArray(entrypoint) && entrypoint.length === 0 ? [''] : undefined),
        samples: {
          toNewer: [
            [[], ['']],
            [['sh'], ['sh']],
          ],
        },
      }),
      retyped(ShownConfig, 'Entrypoint', { toOlder: [[[''], []]] }),
      ...[CreateHostConfig, UpdateConfig].map((shape) =>
        retyped(shape, 'MemorySwap', {
          toNewer: [[-1, UNLIMITED]],
          description: `${shape.name}.MemorySwap without limit`,
        }),
      ),
      retyped(ShownHostConfig, 'MemorySwap', { toOlder: [[UNLIMITED, -1]] }),
      refusedWhere(CreateLog, 'an option of a log driver', {
        ...{
          leg: 'requestUp',
          says: 'validation',
          words: (name) => `unknown log opt '${name}' for json-file log driver`,
        },
        finds: (log) =>
          isOfFiles(log) ? Object.keys(objectOf(log['Config'])).find((name) => !LOG_OPTIONS.includes(name)) : undefined,
        samples: [[{ Type: 'json-file', Config: { path: '/etc/x' } }, 'path']],
        stay: [
          { Type: 'json-file', Config: { 'max-size': '1m' } },
          { Type: 'journald', Config: { path: 'x' } },
        ],
      }),
      // With it a start fails (conmon).
      ignored(below(CreateLog, 'Config'), 'tag', { sample: 'x' }),
    ],
    examples: {
      'ContainerCreate requestUp body.HostConfig.Mounts.[].TmpfsOptions': [
        [{ SizeBytes: 5 }, { SizeBytes: 5, Mode: 0o1777 }],
        [{ Mode: 0o700 }],
      ],
      'ContainerCreate requestUp body.HostConfig': [
        [
          {
            Mounts: [
              { Type: 'bind', Source: '/a', Target: '/b', BindOptions: { Propagation: 'rslave' } },
              { Type: 'bind', Source: '/c', Target: '/d', BindOptions: { CreateMountpoint: true } },
              { Type: 'bind', Source: '/e', Target: '/f', BindOptions: { NonRecursive: true } },
            ],
          },
          {
            Mounts: [
              { Type: 'bind', Source: '/c', Target: '/d' },
              { Type: 'bind', Source: '/e', Target: '/f', BindOptions: { NonRecursive: true } },
            ],
            Binds: ['/a:/b:rslave'],
          },
        ],
      ],
    },
  },
} satisfies PodmanChanges
