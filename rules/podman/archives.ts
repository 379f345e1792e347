import { posix } from 'node:path'
import { isObject, type JsonValue, parseJson, writeJson } from '../../src/api/json/json.ts'
import { TarRenamer } from '../../src/api/tar-names.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { byHand, emulated } from '../../src/translate/ops.ts'

const STAT = 'X-Docker-Container-Path-Stat'
const SYMLINK = 2 ** 27
const NAME = 'podman.archive'

/** Podman reads the last of several, in any spelling, and starts from the working directory. */
function askFromRoot({ query }: RequestMessage, { memory }: StepContext): void {
  const path = query.get('path')
  if (!path) return
  for (const name of new Set(query.keys())) if (/^path$/i.test(name)) query.delete(name)
  const whole = posix.normalize(`/${path}`)
  query.set('path', whole)
  memory.set(NAME, /(?:^|\/)\.\/*$/.test(path) ? '.' : posix.basename(whole))
}

function nameAsDocker({ headers }: ResponseMessage, context: StepContext): void {
  const name = context.memory.get(NAME)
  if (typeof name !== 'string') return
  if (context.operation !== 'ContainerArchiveInfo') context.rewriter = new TarRenamer(name)
  const stat = statIn(headers.get(STAT))
  if (!isObject(stat)) return
  const isLink = (Number(stat['mode']) & SYMLINK) !== 0
  const shown = { ...stat, name: name || '/', linkTarget: isLink ? (stat['linkTarget'] ?? '') : '' }
  headers.set(STAT, Buffer.from(writeJson(shown)).toString('base64'))
}

const statIn = (header = ''): JsonValue | undefined => {
  const text = Buffer.from(header, 'base64').toString()
  return text.startsWith('{') ? parseJson(text) : undefined
}

const stat = (value: object) => ({ headers: { [STAT]: Buffer.from(JSON.stringify(value)).toString('base64') } })
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
        ['path=', 'path='],
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
} satisfies PodmanChanges
