import {
  isObject,
  type JsonObject,
  type JsonValue,
  listOf,
  memberAt,
  stringOf,
  writeJson,
} from '../../src/api/json/json.ts'
import { below, response, shape } from '../../src/api/shapes/shape.ts'
import { ImageConfig, ImageInspect, ImageListItem } from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { readFilters } from '../../src/translate/ops/calls/filter-values.ts'
import { byHand, filled, headRetyped, onEach, retyped } from '../../src/translate/ops.ts'
import { containerConfigFrom, IMAGE_ZEROS, RUN_TIME_ZEROS } from '../by-hand/image-config.ts'
import { noneWords } from '../by-hand/none-words.ts'
import { familiar, hasSet, isNamed, withAlgorithm } from '../by-hand/references.ts'
import { ZERO_TIME } from '../by-hand/state-status.ts'

const ImageId = shape('ImageId', '', [response('ImageCommit')])
const Removed = shape('Removed', '', [response('ImageDelete', '[]'), response('ImagePrune', 'ImagesDeleted.[]')])

const ID = '0a'.repeat(32)
const ids = { toOlder: withAlgorithm, samples: [[ID, `sha256:${ID}`] as const, ['a'] as const] }

/** Before this version, names are in a parameter of their own. */
const HAS_REFERENCE = apiVersion(25)

/** From this version on, both lists of an image without a name are empty. */
const HAS_EMPTY_LISTS = apiVersion(43)

/** Podman finds the same images, and shows all their names. */
function onlyAskedNames(image: JsonObject, { call: { query }, client }: StepContext): void {
  const own = client < HAS_REFERENCE ? (query.get('filter') ?? '') : ''
  const patterns = own === '' ? (readFilters(query).get('reference') ?? []) : [own]
  if (patterns.length === 0 || patterns.some(hasSet)) return
  const asked = patterns.map(familiar)
  const [RepoTags, RepoDigests] = [image['RepoTags'], image['RepoDigests']].map((names) =>
    listOf(names).filter((name) => isNamed(familiar(stringOf(name)), asked)),
  )
  if (RepoTags?.length || RepoDigests?.length) Object.assign(image, { RepoTags, RepoDigests }) // else by a part of a name
}

const LOADED = 'Loaded image: '
const OTHERS = 'podman.loaded'

const loaded = (name: string) => ({ stream: `${LOADED}${name}\n` })

/** A record each, as command lines print and docker-py reads them. */
function oneOfLoaded({ body }: ResponseMessage, { memory }: StepContext): void {
  const text = stringOf(memberAt(body, 'stream'))
  if (!isObject(body) || !text.startsWith(LOADED)) return
  const [first = '', ...others] = text.slice(LOADED.length).trimEnd().split(',')
  memory.set(OTHERS, others)
  Object.assign(body, loaded(first))
}

function othersOfLoaded(_message: ResponseMessage, context: StepContext): void {
  const recordOf = (name: JsonValue): string => `${writeJson(loaded(stringOf(name)))}\n`
  context.rewriter = {
    push: (piece) => [piece],
    rest: () => Buffer.from(listOf(context.memory.get(OTHERS)).map(recordOf).join('')),
  }
}

export default {
  'podman/import-tag': {
    summary: 'An import ignores the tag of its image (before 4.6).',
    see: 'pkg/api/handlers/compat/images.go:CreateImageFromSrc @v4.3.1, @v5.4.2',
    ops: byHand('ImageCreate', 'it is a part of the name', {
      part: 'head',
      requestUp: ({ query }) => {
        const [repository, tag] = [query.get('repo'), query.get('tag')]
        if (!query.has('fromSrc') || !repository || !tag) return
        query.set('repo', `${repository}${tag.includes(':') ? '@' : ':'}${tag}`)
        query.delete('tag')
      },
    }),
    examples: { 'ImageCreate requestUp': [['fromSrc=-&repo=a&tag=1', 'fromSrc=-&repo=a:1'], ['fromImage=a&tag=1']] },
  },
  'podman/loaded-images': {
    summary: 'A load names all images in one record, without the end of its line.',
    see: 'pkg/api/handlers/compat/images.go:ImagesLoad @v5.4.2; docker-py takes the names for one',
    ops: [
      byHand('ImageLoad', 'the first has the record', { elementwise: true, responseDown: oneOfLoaded }),
      byHand('ImageLoad', 'the others follow', { part: 'head', responseDown: othersOfLoaded }),
    ],
    examples: {
      'ImageLoad responseDown body': [
        [{ stream: 'Loaded image: a:1,b:1' }, { stream: 'Loaded image: a:1\n' }, { asked: {} }],
        [{ stream: 'Loaded image: a:1\n' }],
        [{ stream: 'Getting image' }],
      ],
    },
  },
  'podman/image-ids': {
    summary: 'The ids of committed and removed images have no algorithm, nor has that of a parent (5.8).',
    see: 'pkg/api/handlers/compat/images.go:CommitContainer, images_remove.go @v5.4.2',
    ops: [retyped(ImageId, 'Id', ids), retyped(Removed, 'Deleted', ids), retyped(ImageInspect, 'Parent', ids)],
  },
  'podman/image-digests': {
    summary: 'A list of images with digests has no body at all; the digests are in every list.',
    see: 'pkg/api/handlers/compat/images.go:GetImages @v5.4.2',
    ops: headRetyped('ImageList', 'query digests', { toNewer: null }),
  },
  'podman/image-config': {
    summary:
      'ContainerConfig is almost empty. From 5.8 on, which says 1.44, the configuration of an image has what is set alone, as Docker has it from 1.52 on.',
    see: 'pkg/api/handlers/compat/images.go @v5.8.2, with the types of moby/api 1.52; seen on 5.8.6',
    ops: [
      ...Object.entries({ ...RUN_TIME_ZEROS, ...IMAGE_ZEROS }).map(([name, zero]) => filled(ImageConfig, name, zero)),
      filled(ImageInspect, 'Container', ''),
      // Compose 1 reads its volumes, repo2docker and Jenkins its working directory.
      retyped(ImageInspect, 'ContainerConfig', {
        description: 'ContainerConfig says what Config says',
        toOlder: (value, { Config: config }) =>
          isObject(value) && isObject(config)
            ? { ...containerConfigFrom(config), Hostname: value['Hostname'] ?? '' }
            : undefined,
        samples: [
          [
            { Hostname: 'h', WorkingDir: '' },
            { ...RUN_TIME_ZEROS, ...IMAGE_ZEROS, WorkingDir: '/w', Hostname: 'h' },
            { with: { Config: { WorkingDir: '/w' } } },
          ],
        ],
      }),
    ],
  },
  'podman/tag-time': {
    summary: 'An image does not say when it was tagged.',
    see: 'pkg/api/handlers/compat/images.go:imageDataToImageInspect @v5.4.2; `docker compose images` shows 292 years',
    ops: retyped(below(ImageInspect, 'Metadata'), 'LastTagTime', {
      toOlder: (time, _metadata, _context, whole) => (time === ZERO_TIME ? memberAt(whole, 'Created') : undefined),
      samples: [
        [ZERO_TIME, '2026-01-02T03:04:05Z', { beside: { Created: '2026-01-02T03:04:05Z' } }],
        ['2026-02-03T04:05:06Z'],
      ],
    }),
  },
  'podman/untagged-images': {
    summary:
      'An image without a name has no tags; up to API 1.42 Docker calls it `<none>`, without which command lines leave it out.',
    see: 'pkg/api/handlers/compat/images.go:GetImages @v5.4.2',
    ops: onEach(ImageListItem, 'it is called as Docker calls it', {
      responseDown: (image, { client }) => {
        if (client < HAS_EMPTY_LISTS) noneWords(image)
        else image['RepoTags'] ??= []
      },
    }),
    examples: {
      'ImageList responseDown body.[]': [
        [
          { RepoTags: null, RepoDigests: [] },
          { RepoTags: ['<none>:<none>'], RepoDigests: ['<none>@<none>'] },
          { client: '1.41' },
        ],
        [{ RepoTags: null }, { RepoTags: [] }, { client: '1.44' }],
      ],
    },
  },
  'podman/image-references': {
    summary: 'A list of images by name shows all the names of each.',
    see: 'pkg/api/handlers/compat/images.go:GetImages @v5.4.2; daemon/images/images.go @v20.10.24',
    ops: onEach(ImageListItem, 'only the names that were asked for are shown', { responseDown: onlyAskedNames }),
    examples: {
      'ImageList responseDown body.[]': [
        [
          {
            RepoTags: ['docker.io/library/web:1', 'docker.io/library/a:1', 'docker.io/b/c:1', 'd.io/web:1'],
            RepoDigests: ['docker.io/library/web@sha256:0a', 'docker.io/library/a@sha256:0a'],
          },
          {
            RepoTags: ['docker.io/library/web:1', 'docker.io/b/c:1'],
            RepoDigests: ['docker.io/library/web@sha256:0a'],
          },
          { asked: 'filters={"reference":["docker.io/library/web","b/*"]}' },
        ],
        [
          { RepoTags: ['web:1', 'a:1'], RepoDigests: ['a@sha256:0a'] },
          { RepoTags: ['web:1'], RepoDigests: [] },
          { asked: 'filter=web', client: '1.24' },
        ],
        [{ RepoTags: ['web:1', 'a:1'] }, { RepoTags: ['web:1', 'a:1'] }, { asked: 'filter=web' }],
        [{ RepoTags: ['web:1', 'a:1'] }, { RepoTags: ['web:1', 'a:1'] }, { asked: 'filters={"reference":["[w]eb"]}' }],
        [{ RepoTags: null }],
      ],
    },
  },
} satisfies PodmanChanges
