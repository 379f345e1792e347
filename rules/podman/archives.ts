import { posix } from 'node:path'
import { ProxyError } from '../../src/api/errors.ts'
import { isObject, type JsonValue, listOf, memberAt, stringOf } from '../../src/api/json/json.ts'
import { TarRenamer } from '../../src/api/tar-names.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { EmulationContext, RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { bodyOf } from '../../src/translate/ops/calls/looked-up.ts'
import { byHand, emulated, inspectPath } from '../../src/translate/ops.ts'
import { asStat, PATH_STAT, statIn } from '../by-hand/path-stat.ts'
import { copyAfterEnd } from './copy-after-end.ts'

const SYMLINK = 2 ** 27
const NAME = 'podman.archive'

/** Podman reads the last of several, in any spelling, and starts from the working directory. */
function askFromRoot({ query }: RequestMessage, { memory }: StepContext): void {
  const path = query.get('path')
  for (const name of new Set(query.keys())) if (/^path$/i.test(name)) query.delete(name)
  if (path !== null) query.set('path', path)
  if (!path) return
  const whole = posix.normalize(`/${path}`)
  query.set('path', whole)
  if (!path.includes('\ufffd')) memory.set(NAME, /(?:^|\/)\.\/*$/.test(path) ? '.' : posix.basename(whole))
}

function nameAsDocker({ headers }: ResponseMessage, context: StepContext): void {
  const name = context.memory.get(NAME)
  if (typeof name !== 'string') return
  if (context.operation !== 'ContainerArchiveInfo') context.rewriter = new TarRenamer(name)
  const stat = statIn(headers.get(PATH_STAT))
  if (!isObject(stat)) return
  const isLink = (Number(stat['mode']) & SYMLINK) !== 0
  headers.set(PATH_STAT, asStat({ ...stat, name: name || '/', linkTarget: isLink ? (stat['linkTarget'] ?? '') : '' }))
}

const folderOf = (mount: JsonValue): string => posix.resolve('/', stringOf(memberAt(mount, 'Destination')))

/** Podman finds the mount of a stopped container in the same way (libpod/container_path_resolution.go @v5.4.2). */
const mountAt = (path: string, container: JsonValue | undefined): JsonValue | undefined =>
  listOf(memberAt(container, 'Mounts'))
    .filter((mount) => !/^\.\.(?:\/|$)/.test(posix.relative(folderOf(mount), path)))
    .toSorted((one, other) => folderOf(other).length - folderOf(one).length)[0]

/**
 * A policy that denies the inspect denies the copy: it could write to folders of the host that the policy opens for reading
 * alone.
 */
async function refuseUnwritable({ path, query }: RequestMessage, context: EmulationContext): Promise<void> {
  const asked = query.get('path')
  if (!asked) throw new ProxyError('validation', 'bad parameter: path cannot be empty')
  const container = await bodyOf(inspectPath(context), context)
  if (memberAt(container, 'Id') === undefined) return
  const mount = mountAt(asked, container)
  if (memberAt(mount, 'RW') === false) throw serverError('mounted volume is marked read-only')
  // A new volume gets what its image has there with the first copy.
  if (mount !== undefined) return
  if (context.allows('HEAD', path)) {
    const { status } = await context.engineCall('HEAD', path, { query: { path: asked } })
    const { params, query } = context.call
    if (status === 404)
      throw new ProxyError('not-found', `Could not find the file ${query.get('path')} in container ${params['name']}`)
  }
  if (memberAt(container, 'HostConfig', 'ReadonlyRootfs') === true)
    throw serverError('container rootfs is marked read-only')
}

/** daemon/archive.go:containerExtractToDir @v20.10.24 */
const serverError = (text: string): ProxyError => new ProxyError('validation', text, { status: 500 })

const stat = (value: object) => ({ headers: { [PATH_STAT]: asStat(value) } })
const into = (container: object, head?: number) => ({
  calls: {
    'GET /containers/web/json': { body: { Id: 'x', ...container } },
    ...(head === undefined ? {} : { 'HEAD /containers/web/archive?path=%2Fa%2Fb': { status: head, body: '' } }),
  },
})
const mounted = (...mounts: [string, boolean][]) => ({
  Mounts: mounts.map(([Destination, RW]) => ({ Destination, RW })),
})

export default {
  'podman/archive-names': {
    summary:
      'An archive of `/data/.` has no names that begin with a dot, and one of a volume in a stopped container none of `/data`. A path begins at the working directory, and its stat shows a link’s target for what is no link.',
    see: 'libpod/container_copy_common.go:copyToArchive, container_stat_common.go:stat @v4.3.1, @v5.4.2, @v5.8.2; the command line renames by these names (pkg/archive/copy.go @v20.10.24)',
    ops: [
      byHand(['ContainerArchive', 'ContainerArchiveInfo', 'PutContainerArchive'], 'a path begins at the root', {
        part: 'head',
        requestUp: askFromRoot,
      }),
      // Only then does the call have its path.
      emulated('ContainerCopy', 'a path begins at the root', {
        part: 'head',
        requestUp: async (message, context) => askFromRoot(message, context),
      }),
      byHand(['ContainerArchive', 'ContainerArchiveInfo', 'ContainerCopy'], 'names and stat are Docker’s', {
        part: 'head',
        responseDown: nameAsDocker,
      }),
    ],
    examples: {
      'ContainerArchive requestUp': [
        ['path=/data/.', 'path=/data'],
        ['path=data', 'path=/data'],
        ['path=/a&Path=/b&path=/c', 'path=/a'],
        ['path=&path=/b&PATH=/c', 'path='],
        ['Path=/b', ''],
      ],
      'ContainerCopy requestUp': [['path=/data/.', 'path=/data']],
      'ContainerArchiveInfo responseDown': [
        [
          stat({ name: 'data', mode: 1, linkTarget: '/data' }),
          stat({ name: '.', mode: 1, linkTarget: '' }),
          { asked: 'path=/data/.' },
        ],
        [
          stat({ name: 'f', mode: SYMLINK, linkTarget: '/f' }),
          stat({ name: 'l', mode: SYMLINK, linkTarget: '/f' }),
          { asked: 'path=/l' },
        ],
        [{ headers: {} }, { headers: {} }, { asked: 'path=/l' }],
      ],
    },
  },
  'podman/copy-after-end': copyAfterEnd,
  'podman/archive-targets': {
    summary: 'Files are written to read-only mounts of a stopped container, and a missing directory is made.',
    see: 'libpod/container_copy_common.go:copyFromArchive @v4.3.1, @v5.4.2, @v5.8.2; daemon/archive.go @v20.10.24',
    ops: emulated('PutContainerArchive', 'the target is a directory that may be written', {
      part: 'head',
      requestUp: refuseUnwritable,
    }),
    examples: {
      'PutContainerArchive requestUp': [
        ['path=/a/b', 'path=/a/b', into({}, 200)],
        ['path=/a/b', 'path=/a/b', into(mounted(['/a', false], ['/a/b', true], ['/', false]))],
        ['path=/a/b', /^mounted volume is marked read-only$/, into(mounted(['/a/', false], ['/a/bc', true]))],
        ['path=/a/b', /^Could not find the file \/a\/b in container web$/, into({}, 404)],
        ['Path=/a/b', /^bad parameter: path cannot be empty$/],
        ['path=/a/b', /rootfs is marked read-only/, into({ HostConfig: { ReadonlyRootfs: true } }, 200)],
      ],
    },
  },
} satisfies PodmanChanges
