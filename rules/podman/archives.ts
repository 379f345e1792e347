import { posix } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { ProxyError } from '../../src/api/errors.ts'
import { isObject, type JsonValue, listOf, memberAt, stringOf } from '../../src/api/json/json.ts'
import { TarRenamer } from '../../src/api/tar-names.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { EmulationContext, RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { byHand, emulated, inspectPath } from '../../src/translate/ops.ts'
import { asStat, PATH_STAT, statIn } from '../by-hand/path-stat.ts'

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

/** Milliseconds between looks at a container. */
const LOOKS = [0, 20, 50, 100, 200, 400, 800, 1600, 3200, 3200]
/** A container that ended before, in milliseconds, is kept mounted by somebody else. */
const CLEANED_UP = 10_000

/** Only while it is mounted does an inspect show where, with the driver overlay (libpod/driver/driver.go @v5.4.2). */
const awaitsCleanup = (container: JsonValue | undefined): boolean =>
  memberAt(container, 'State', 'Status') === 'exited' &&
  memberAt(container, 'GraphDriver', 'Data', 'MergedDir') !== undefined &&
  Date.now() - Date.parse(stringOf(memberAt(container, 'State', 'FinishedAt'))) < CLEANED_UP

/**
 * The inspect of the container, once Podman has unmounted it after its end. A copy takes no lock: where it found the container
 * mounted, it reads or writes an empty directory after that (libpod/container_copy_common.go @v5.4.2).
 */
async function unmounted(context: EmulationContext): Promise<JsonValue | undefined> {
  let container: JsonValue | undefined
  for (const ms of LOOKS) {
    if (ms > 0) await setTimeout(ms, undefined, { ref: false })
    container = (await context.engineCall('GET', inspectPath(context))).body
    if (!awaitsCleanup(container)) break
  }
  return container
}

/** A look that fails does not fail the copy. */
async function waitForCleanup({ path, query }: RequestMessage, context: EmulationContext): Promise<void> {
  context.permit?.('GET', `${path}?${query}`)
  if (context.allows?.('GET', inspectPath(context)) === false) return
  await unmounted(context).catch((cause: unknown) => {
    if (!(cause instanceof ProxyError)) throw cause
  })
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
  const container = await unmounted(context)
  if (memberAt(container, 'Id') === undefined) return
  const mount = mountAt(asked, container)
  if (memberAt(mount, 'RW') === false) throw serverError('mounted volume is marked read-only')
  // A new volume gets what its image has there with the first copy.
  if (mount !== undefined) return
  if (context.allows?.('HEAD', path) !== false) {
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
const into = (container: object, head = 200) => ({
  params: { name: 'x' },
  calls: {
    'GET /containers/x/json': { body: { Id: 'x', ...container } },
    'HEAD /containers/x/archive?path=%2Fa%2Fb': { status: head, body: '' },
  },
})
const mounted = (...mounts: [string, boolean][]) => ({
  Mounts: mounts.map(([Destination, RW]) => ({ Destination, RW })),
})

export default {
  'podman/archive-names': {
    summary:
      'A copy right after the end of a container has nothing in it, or goes nowhere. An archive of `/data/.` has no names that begin with a dot, and one of a volume in a stopped container none of `/data`. A path begins at the working directory, and its stat shows a link’s target for what is no link.',
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
      emulated(['ContainerArchive', 'ContainerCopy'], 'the container is unmounted after its end', {
        part: 'head',
        requestUp: waitForCleanup,
      }),
      byHand(['ContainerArchive', 'ContainerArchiveInfo', 'ContainerCopy'], 'names and stat are Docker’s', {
        part: 'head',
        responseDown: nameAsDocker,
      }),
    ],
    examples: {
      'ContainerArchive requestUp': [
        ['path=/data/.', 'path=/data', into({})],
        ['path=data', 'path=/data', into({})],
        ['path=/a&Path=/b&path=/c', 'path=/a', into({})],
        ['path=&path=/b&PATH=/c', 'path=', into({})],
        ['Path=/b', '', into({})],
      ],
      'ContainerCopy requestUp': [['path=/data/.', 'path=/data', into({})]],
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
  'podman/archive-targets': {
    summary: 'Files are written to read-only mounts of a stopped container, and a missing directory is made.',
    see: 'libpod/container_copy_common.go:copyFromArchive @v4.3.1, @v5.4.2, @v5.8.2; daemon/archive.go @v20.10.24',
    ops: emulated('PutContainerArchive', 'the target is a directory that may be written', {
      part: 'head',
      requestUp: refuseUnwritable,
    }),
    examples: {
      'PutContainerArchive requestUp': [
        ['path=/a/b', 'path=/a/b', into({})],
        ['path=/a/b', 'path=/a/b', into(mounted(['/a', false], ['/a/b', true], ['/', false]), 404)],
        ['path=/a/b', /^mounted volume is marked read-only$/, into(mounted(['/a/', false], ['/a/bc', true]))],
        ['path=/a/b', /^Could not find the file \/a\/b in container x$/, into({}, 404)],
        ['Path=/a/b', /^bad parameter: path cannot be empty$/],
        ['path=/a/b', /rootfs is marked read-only/, into({ HostConfig: { ReadonlyRootfs: true } })],
      ],
    },
  },
} satisfies PodmanChanges
