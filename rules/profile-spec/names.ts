import { ImageInspect, Info } from '../../src/api/shapes/shapes.ts'
import type { Deviations } from '../../src/translate/change.ts'
import { byHand, headRetyped, moved } from '../../src/translate/ops.ts'
import { PATH_STAT } from '../by-hand/path-stat.ts'
import { MULTIPLEXED, RAW } from '../emulate/stream-type.ts'

const ENGINE_STAT = 'X-Engine-Container-Path-Stat'

export const RAW_STREAM = 'application/vnd.engine.raw-stream'

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
    ops: headRetyped(['ContainerAttach', 'ExecStart'], 'response header Content-Type', {
      toOlder: [RAW, MULTIPLEXED].map((type) => [type, RAW_STREAM]),
      samples: [[null]],
    }),
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
