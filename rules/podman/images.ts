import {
  asJson,
  isObject,
  type JsonObject,
  type JsonValue,
  listOf,
  membersWhere,
  stringOf,
  writeJson,
} from '../../src/api/json/json.ts'
import { response, shape } from '../../src/api/shapes/shape.ts'
import { ImageConfig, ImageInspect, ImageListItem } from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { readFilters } from '../../src/translate/ops/calls/filter-values.ts'
import { byHand, filled, headRetyped, isTrue, onEach, retyped } from '../../src/translate/ops.ts'
import { containerConfigFrom, IMAGE_ZEROS, RUN_TIME_ZEROS } from '../by-hand/image-config.ts'
import { noneWords } from '../by-hand/none-words.ts'
import { familiar, hasSet, isNamed } from '../by-hand/references.ts'

/** `nofile=1024:2048` for `{"Name":"nofile","Soft":1024,"Hard":2048}`. */
const limitText = (limit: JsonValue): JsonValue =>
  isObject(limit) ? `${limit['Name']}=${limit['Soft']}:${limit['Hard']}` : limit

/** A parameter whose JSON Podman reads in another form; other text stays, for Podman to refuse. */
const inJson = (spell: (value: JsonValue) => JsonValue) => (text: string) => {
  const value = asJson(text)
  return value === undefined ? undefined : writeJson(spell(value))
}

const withoutNulls = (value: JsonValue): JsonValue =>
  isObject(value) ? membersWhere(value, (_name, argument) => argument !== null) : value

const ImageId = shape('ImageId', '', [response('ImageCommit')])
const Removed = shape('Removed', '', [response('ImageDelete', '[]'), response('ImagePrune', 'ImagesDeleted.[]')])

const withAlgorithm = (id: JsonValue): JsonValue | undefined =>
  /^[0-9a-f]{64}\n?$/.test(stringOf(id)) ? `sha256:${stringOf(id)}` : undefined
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

export default {
  'podman/builds': {
    summary:
      'A build takes some parameters in other forms: it ignores `networkmode=none`, and refuses Docker’s hosts, limits and caches.',
    see: 'pkg/api/handlers/compat/images_build.go @v5.4.2',
    ops: [
      headRetyped('ImageBuild', 'query networkmode', {
        toNewer: (mode) => (mode === 'none' ? 'NetworkDisabled' : undefined),
        samples: [['none', 'NetworkDisabled']],
      }),
      headRetyped('ImageBuild', 'query extrahosts', {
        toNewer: (hosts) => (asJson(hosts) === undefined ? writeJson(hosts.split(',')) : undefined),
        samples: [['a:10.0.0.1,b:10.0.0.2', '["a:10.0.0.1","b:10.0.0.2"]']],
      }),
      headRetyped('ImageBuild', 'query ulimits', {
        toNewer: inJson((limits) => listOf(limits).map(limitText)),
        samples: [['[{"Name":"nofile","Soft":1,"Hard":2}]', '["nofile=1:2"]']],
      }),
      headRetyped('ImageBuild', 'query buildargs', {
        toNewer: inJson(withoutNulls),
        samples: [['{"A":null,"B":"1"}', '{"B":"1"}']],
      }),
      // It takes no tags here; what is cached of its own builds is found without.
      byHand('ImageBuild', 'sources of a cache are left out', {
        part: 'head',
        requestUp: ({ query }, context, { id }) => {
          if (query.has('cachefrom')) context.ignore('cachefrom', id)
          query.delete('cachefrom')
        },
      }),
      byHand('ImageBuild', 'a quiet build says the id with its algorithm', {
        elementwise: true,
        responseDown: ({ body }, { call }) => {
          if (!isObject(body) || !isTrue(call.query.get('q'))) return
          body['stream'] = withAlgorithm(body['stream'] ?? null) ?? body['stream']
        },
      }),
    ],
    examples: {
      'ImageBuild requestUp': [['cachefrom=["a:1"]', '', { ignored: ['cachefrom'] }]],
      'ImageBuild responseDown body': [
        [{ stream: `${ID}\n` }, { stream: `sha256:${ID}\n` }, { asked: { query: 'q=1' } }],
        [{ stream: `${ID}\n` }],
      ],
    },
  },
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
    examples: {
      'ImageCreate requestUp': [['fromSrc=-&repo=a&tag=1', 'fromSrc=-&repo=a:1'], ['fromImage=a&tag=1']],
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
