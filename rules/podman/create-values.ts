import { isObject, isUnset, type JsonObject, memberAt, objectOf, stringOf } from '../../src/api/json/json.ts'
import { onlyIn } from '../../src/api/shapes/shape.ts'
import { BindOptions, LogConfig, UpdateConfig } from '../../src/api/shapes/shapes.ts'
import { words } from '../../src/config/text.ts'
import type { BoundChange, PodmanChanges } from '../../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { byHand, refusedWhere, retyped } from '../../src/translate/ops.ts'
import { bindOf, moveElements } from '../by-hand/mount-options.ts'
import { CreateBody, CreateHostConfig, ShownConfig, ShownHostConfig } from '../by-hand/places.ts'

/** A limit that no machine reaches; Podman takes -1 for none given, which is twice the memory. */
const UNLIMITED = 2 ** 52

/** Options of Docker's json-file; of these Podman's drivers know the size. */
const LOG_OPTIONS = words(`
  max-size max-file compress labels labels-regex env env-regex tag mode max-buffer-size
  cache-disabled cache-max-file cache-max-size cache-compress
`)

/** Any BindOptions make Podman's bind leave out the mounts below it (`bind-nonrecursive=false` is read as set). */
function recursiveBinds({ body }: RequestMessage): void {
  moveElements(memberAt(body, 'HostConfig'), 'Mounts', 'Binds', (mount) => {
    const options = memberAt(mount, 'BindOptions')
    if (!isObject(mount) || mount['Type'] !== 'bind' || !isObject(options)) return undefined
    if (options['NonRecursive'] === true || options['ReadOnlyForceRecursive'] === true) return undefined
    const { Propagation: propagation } = options
    if (isUnset(propagation)) delete mount['BindOptions']
    else mount['BindOptions'] = { Propagation: propagation ?? '' }
    return isUnset(propagation) ? undefined : bindOf(mount)
  })
}

function withDomain({ body }: RequestMessage, context: StepContext, { id }: BoundChange): void {
  if (!isObject(body) || isUnset(body['Domainname'])) return
  if (isUnset(body['Hostname'])) context.ignore('Domainname', id)
  else if (!stringOf(body['Hostname']).endsWith(`.${body['Domainname']}`))
    body['Hostname'] = `${body['Hostname']}.${body['Domainname']}`
  delete body['Domainname']
}

const CreateLog = onlyIn(LogConfig, 'ContainerCreate')
const isOfFiles = ({ Type: type }: JsonObject): boolean => isUnset(type) || type === 'json-file'
export default {
  'podman/read-otherwise': {
    summary:
      'A create reads binds with options without the mounts below, no entrypoint as that of the image, no domain, and a limit of swap of -1 as none given.',
    see: 'pkg/specgenutil/{specgen,volumes}.go, cmd/podman/common/create_opts.go @v5.4.2',
    ops: [
      byHand('ContainerCreate', 'a bind has the mounts below it', { requestUp: recursiveBinds }),
      // Without a command the image's own would be taken away as well.
      retyped(CreateBody, 'Entrypoint', {
        toNewer: (words, { Cmd: command }) =>
          Array.isArray(words) && words.length === 0 && !isUnset(command) ? [''] : undefined,
        samples: [[[], [''], { with: { Cmd: ['a'] } }], [[]], [['sh'], ['sh'], { with: { Cmd: ['a'] } }]],
      }),
      retyped(ShownConfig, 'Entrypoint', { toOlder: [[[''], []]] }),
      byHand('ContainerCreate', 'the domain is in the host name', { requestUp: withDomain }),
      ...[CreateHostConfig, UpdateConfig].map((shape) =>
        retyped(shape, 'MemorySwap', {
          toNewer: (swap, { Memory: memory }) => (swap === -1 && Number(memory) > 0 ? UNLIMITED : undefined),
          samples: [[-1, UNLIMITED, { with: { Memory: 5 } }], [-1]],
        }),
      ),
      retyped(ShownHostConfig, 'MemorySwap', { toOlder: [[UNLIMITED, -1]] }),
      refusedWhere(CreateLog, 'an option of a log driver', {
        ...{ leg: 'requestUp', says: 'validation' },
        words: (name) => `unknown log opt '${name}' for json-file log driver`,
        finds: (log) =>
          isOfFiles(log) ? Object.keys(objectOf(log['Config'])).find((name) => !LOG_OPTIONS.includes(name)) : undefined,
        samples: [[{ Type: 'json-file', Config: { path: '/etc/x' } }, 'path']],
        stay: [
          { Type: 'json-file', Config: { 'max-size': '1m' } },
          { Type: 'journald', Config: { path: 'x' } },
        ],
      }),
      // With a tag, files of Podman fail to start (conmon).
      byHand('ContainerCreate', 'the tag of a file is left out', {
        requestUp: ({ body }, context, { id }) => {
          const log = memberAt(body, 'HostConfig', 'LogConfig')
          const options = memberAt(log, 'Config')
          if (!isObject(log) || !isOfFiles(log) || !isObject(options) || isUnset(options['tag'])) return
          delete options['tag']
          context.ignore('HostConfig.LogConfig.Config.tag', id)
        },
      }),
      refusedWhere(onlyIn(BindOptions, 'ContainerCreate'), 'a bind that is read-only with the mounts below', {
        ...{ leg: 'requestUp', says: 'validation' },
        words: () => 'Podman cannot make the mounts below a bind read-only (ReadOnlyForceRecursive)',
        finds: ({ ReadOnlyForceRecursive: all }) => (all === true ? 'all' : undefined),
        samples: [[{ Propagation: 'rprivate', ReadOnlyForceRecursive: true }, 'all']],
        stay: [{ NonRecursive: true }],
      }),
    ],
    examples: {
      'ContainerCreate requestUp body': [
        [{ Hostname: 'web', Domainname: 'example.com' }, { Hostname: 'web.example.com' }],
        [{ Domainname: 'example.com' }, {}, { ignored: ['Domainname'] }],
      ],
      'ContainerCreate requestUp body.HostConfig.LogConfig': [
        [
          { Type: 'json-file', Config: { tag: 'x', mode: 'non-blocking' } },
          { Type: 'json-file', Config: { mode: 'non-blocking' } },
        ],
        [{ Type: 'journald', Config: { tag: 'x' } }],
      ],
      'ContainerCreate requestUp body.HostConfig': [
        [{ Mounts: [5, null] }],
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
        [
          { Mounts: [{ Type: 'bind', BindOptions: { Propagation: 'rprivate', ReadOnlyForceRecursive: true } }] },
          /^Podman cannot make the mounts below/,
        ],
      ],
    },
  },
} satisfies PodmanChanges
