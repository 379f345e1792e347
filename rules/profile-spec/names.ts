import { ImageInspect, Info } from '../../src/api/shapes/shapes.ts'
import type { Deviations } from '../../src/translate/change.ts'
import type { ResponseMessage } from '../../src/translate/message.ts'
import { byHand, moved } from '../../src/translate/ops.ts'
import { PATH_STAT } from '../by-hand/path-stat.ts'

const ENGINE_STAT = 'X-Engine-Container-Path-Stat'

export const RAW_STREAM = 'application/vnd.engine.raw-stream'
const DOCKER_STREAM = /^application\/vnd\.docker\.(raw|multiplexed)-stream$/

function neutralStream({ headers }: ResponseMessage): void {
  if (DOCKER_STREAM.test(headers.get('Content-Type') ?? '')) headers.set('Content-Type', RAW_STREAM)
}

/** The specification's neutral names. In requests either name is understood, with either profile: src/api/read-call.ts. */
export default {
  'spec/path-stat-name': {
    clients: ['1.18', '1.22'],
    summary: 'The stat of a path is in X-Engine-Container-Path-Stat; the engines’ own header stays beside it.',
    see: 'specification, 2.3 and 4.1, archive',
    ops: byHand(['ContainerArchive', 'ContainerArchiveInfo'], 'the header is sent under both names', {
      part: 'head',
      responseDown: ({ headers }) => {
        const stat = headers.get(PATH_STAT)
        if (stat !== undefined) headers.set(ENGINE_STAT, stat)
      },
    }),
    examples: {
      'ContainerArchiveInfo responseDown': [
        [{ headers: { [PATH_STAT]: 'e30=' } }, { headers: { [PATH_STAT]: 'e30=', [ENGINE_STAT]: 'e30=' } }],
      ],
    },
  },
  'spec/raw-stream-name': {
    clients: ['1.18', '1.22'],
    summary: 'A raw stream is of the type application/vnd.engine.raw-stream.',
    see: 'specification, 4.1, attach, and 4.2, exec start',
    ops: byHand(['ContainerAttach', 'ExecStart'], 'the type of a raw stream', {
      part: 'head',
      responseDown: neutralStream,
    }),
    examples: {
      'ContainerAttach responseDown': [
        [
          { status: 101, headers: { 'Content-Type': 'application/vnd.docker.raw-stream' } },
          { status: 101, headers: { 'Content-Type': RAW_STREAM } },
        ],
      ],
      'ExecStart responseDown': [[{ headers: {} }, { headers: { 'Content-Type': null } }]],
    },
  },
  'spec/info-root-dir-name': {
    clients: ['1.18', '1.22'],
    summary: 'Info calls the engine’s directory EngineRootDir.',
    see: 'specification, 2.6',
    ops: moved(Info, 'EngineRootDir', 'DockerRootDir', { keepsEmpty: true }),
  },
  'spec/image-engine-version-name': {
    clients: ['1.20', '1.22'],
    summary: 'An image shows the version of the engine that made it as EngineVersion.',
    see: 'specification, 2.5, inspect from 1.21 on',
    ops: moved(ImageInspect, 'EngineVersion', 'DockerVersion', { keepsEmpty: true }),
  },
  'spec/build-file-default': {
    clients: ['1.18', '1.22'],
    summary: 'A build uses Enginefile by default.',
    see: 'specification, 4.3, build details; engines use Dockerfile',
    ops: byHand('ImageBuild', 'the default file is Enginefile', {
      part: 'head',
      // Not for a remote context: a single remote file is the build file whatever its name.
      requestUp: ({ query }) => {
        if (!query.get('dockerfile') && !query.get('remote')) query.set('dockerfile', 'Enginefile')
      },
    }),
    examples: {
      'ImageBuild requestUp': [
        ['t=a', 't=a&dockerfile=Enginefile'],
        ['dockerfile=Dockerfile'],
        ['remote=https://git.example/a.git'],
      ],
    },
  },
} satisfies Deviations
