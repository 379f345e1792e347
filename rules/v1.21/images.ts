import { ImageInspect } from '../../src/api/shapes/shapes.ts'
import type { Changes } from '../../src/translate/change.ts'
import { added, addedAll, byHand, emulated, gated, lookedUp, queryAdded, sameAs } from '../../src/translate/ops.ts'
import { printedOtherwise } from '../by-hand/build-text.ts'
import { tagAfterwards } from '../emulate/build-tags.ts'
import { tagsOf } from '../emulate/looked-up.ts'

/** Images and their build. */
export default {
  '1.21/build-t-repeatable': {
    summary: 'A build can name several tags; before, only the first one counted.',
    see: 'docs/api/v1.21.md, Build image; api/server/router/build/build_routes.go @v1.9.1 (r.FormValue), @v1.10.3 (r.Form)',
    // Documented in 1.21, implemented in engine 1.10: clients of 1.21 can use it, and the bridge does it for engine 1.9.
    ops: [
      byHand('ImageBuild', 'only the first tag counts', {
        part: 'head',
        stripsNewer: true,
        requestUp: ({ query }, context, change) => {
          const [first, ...further] = query.getAll('t')
          if (first === undefined || further.length === 0) return
          query.set('t', first)
          context.ignore(`query parameter t after the first: ${further.join(', ')}`, change.id)
        },
      }),
      ...gated(
        { from: '1.22' },
        emulated('ImageBuild', 'further tags are set after the build', { part: 'head', requestDown: tagAfterwards }),
      ),
    ],
    examples: {
      'ImageBuild requestUp': [['t=a:1&t=a:2&rm=1', 't=a:1&rm=1']],
      'ImageBuild requestDown': [['t=a:1&t=a:2&rm=1', 't=a:1&rm=1', { client: '1.22', engine: '1.21' }]],
    },
  },
  '1.21/build-args': {
    summary: 'A build takes arguments.',
    see: 'docs/api/v1.21.md, Build image; api/server/router/local/image.go @v1.9.1',
    ops: queryAdded('ImageBuild', 'buildargs', {
      sample: '{"A":"1"}',
      onLoss: 'refuse',
      neutral: (args) => /^\s*(\{\s*\}|null)\s*$/.test(args),
      // Without them another image would be built; engines that have them obey them at every prefix.
      request: 'keep',
    }),
    examples: { 'ImageBuild requestDown': [['t=a&buildargs={}', 't=a']] },
  },
  '1.21/image-inspect-shape': {
    summary: 'Image inspect has tags and digests.',
    see: 'docs/api/v1.18.md, v1.21.md, Inspect an image; image/image.go @v1.6.2; api/types/types.go ImageInspect @v1.7.1, @v1.9.1; recordings 1.8.3 and 1.9.1, image-inspect-pulled',
    ops: [
      ...addedAll(ImageInspect, ['RepoTags', 'RepoDigests'], { sample: ['a:1'] }),
      lookedUp(ImageInspect, 'tags and digests are taken from the list of images', {
        asks: '/images/json?all=1&digests=1',
        lacks: 'RepoTags',
        finds: tagsOf,
        samples: [
          [
            { Id: 'i1' },
            [{ Id: 'i2' }, { Id: 'i1', RepoTags: ['a:1', '<none>:<none>'], RepoDigests: [] }],
            { RepoTags: ['a:1'], RepoDigests: [] },
          ],
        ],
      }),
      // Documented from 1.21 on; engines have them since 1.6.
      ...addedAll(ImageInspect, ['Comment', 'Author', 'DockerVersion'], { sample: 'x', up: '', down: 'keep' }),
      added(ImageInspect, 'Os', { sample: 'linux', up: (_image, { engine }) => engine.os || 'linux', down: 'keep' }),
      added(ImageInspect, 'Architecture', {
        sample: 'arm',
        up: (_image, { engine }) => engine.arch || 'amd64',
        down: 'keep',
      }),
      added(ImageInspect, 'Config', { sample: {}, up: null, down: 'keep' }),
      added(ImageInspect, 'VirtualSize', { sample: 5, up: sameAs('Size', 0), down: 'keep' }),
    ],
  },
  '1.21/build-first-step': {
    summary: 'The steps that a build prints are counted from 1; before, from 0.',
    see: 'builder/dockerfile/evaluator.go @v1.9.1, builder/evaluator.go @v1.8.3',
    ops: printedOtherwise(/(?<=^Step )\d{1,9}(?= : )/, (step) => String(Number(step) - 1), [
      ['Step 1 : RUN a', 'Step 0 : RUN a'],
    ]),
  },
} satisfies Changes
