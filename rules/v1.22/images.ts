import { memberAt } from '../../src/api/json/json.ts'
import { below, type Shape } from '../../src/api/shapes/shape.ts'
import { EventRecord, ImageInspect, ImageListItem } from '../../src/api/shapes/shapes.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { byHand, type Changes, callRefused, headRetyped, queryAdded, retyped } from '../../src/translate/ops.ts'
import { refusedInAuth } from '../by-hand/registry-config.ts'
import { setTagRefused } from '../emulate/refusals.ts'
import { ANSWERS_WITH_IDS, bare, prefixed, requestsWithBareIds } from './image-id.ts'

const ID = 'b55de8a883667a9ae827cc6e3ee756dd10209abe67a3031b61c856e66fd51dbc'
const PREFIXED = `sha256:${ID}`

const ofBusybox = (query: string) => ({ path: '/images/busybox/tag', query })
const THERE = { body: { Id: PREFIXED } }

/** How engines from 1.10 on refuse a repository name; its registry host can be in upper case. */
function badRepository({ query }: RequestMessage, { operation }: StepContext): string | undefined {
  const repository = query.get('repo') ?? ''
  if (repository === '') return operation === 'ImageTag' ? 'invalid reference format' : undefined
  const slash = repository.indexOf('/')
  const first = slash === -1 ? '' : repository.slice(0, slash)
  const isHost = /[.:]/.test(first) || first === 'localhost'
  const isUpper = /[A-Z]/.test(isHost ? repository.slice(slash + 1) : repository)
  return isUpper ? 'invalid reference format: repository name must be lowercase' : undefined
}

/** Up to engine 1.9 Size is that of the top layer; newer engines send the size of the whole image in both members. */
const wholeSize = (shape: Shape) =>
  retyped(shape, 'Size', {
    samples: [[0, 1982351, { with: { VirtualSize: 1982351 } }]],
    toNewer: (_size, { VirtualSize }) => VirtualSize,
    description: `${shape.name}.Size is that of the whole image`,
  })

export default {
  '1.22/image-id-prefix': {
    summary: 'Image ids begin with "sha256:"; before, they were bare digits.',
    see: 'image/, distribution/ @v1.10.3; docs/api/v1.23.md; recorded on 1.9.1 (404 for a prefixed id), 1.10.3',
    ops: [
      ...ANSWERS_WITH_IDS.flatMap(([shape, ...members]) =>
        members.map((member) =>
          retyped(shape, member, { samples: [[ID, PREFIXED]], toOlder: bare, toNewer: prefixed }),
        ),
      ),
      // The id of a container has no prefix.
      retyped(EventRecord, 'id', {
        samples: [[ID, PREFIXED, { with: { Type: 'image' } }]],
        toOlder: bare,
        toNewer: (id, { Type: type }) => (type === 'image' ? prefixed(id) : undefined),
      }),
      retyped(below(EventRecord, 'Actor'), 'ID', {
        samples: [[ID, PREFIXED, { beside: { Type: 'image' } }]],
        toNewer: (id, _actor, _context, record) => (memberAt(record, 'Type') === 'image' ? prefixed(id) : undefined),
      }),
      byHand('ImageCreate', 'the id at the end of an import is bare', {
        elementwise: true,
        responseDown: (message) => {
          const id = bare(memberAt(message.body, 'status'))
          if (id !== undefined) message.body = { status: id }
        },
      }),
      ...requestsWithBareIds,
    ],
    examples: {
      'ImageCreate responseDown body.status': [[PREFIXED, ID], [`Digest: ${PREFIXED}`]],
      'ImageHistory responseDown body.[].Id': [['<missing>']],
      'ImageDelete responseDown body.[].Untagged': [[`a@${PREFIXED}`]],
      'SystemEvents responseUp body': [[{ Type: 'container', id: ID, Actor: { ID } }]],
      'ContainerCreate requestDown body.Image': [[`busybox@${PREFIXED}`]],
    },
  },
  '1.22/image-size-semantics': {
    // Not for older clients: it would take a call per image, and every engine since 1.10 sends them the whole size.
    summary: 'The size of an image is that of all its layers; before, that of the top layer.',
    see: 'graph/list.go, graph/service.go @v1.9.1; daemon/images.go:newImage @v1.10.3',
    ops: [wholeSize(ImageListItem), wholeSize(ImageInspect)],
  },
  '1.22/images-list-null': {
    summary: 'An image without digests has null for them; before, an empty list.',
    see: 'recorded on 1.9.1 and 1.10.3 (images-list-filter)',
    ops: retyped(ImageListItem, 'RepoDigests', { toOlder: [[null, []]] }),
  },
  '1.22/tag-force': {
    summary: 'An existing tag moves without force; before, it was a conflict.',
    see: 'graph/tags.go:SetLoad @v1.9.1; daemon/images.go:TagImage @v1.10.3; recorded on 1.6.2 … 1.10.3 (image-tag-again)',
    ops: [setTagRefused, headRetyped('ImageTag', 'query force', { toOlder: '1' })],
    examples: {
      'ImageTag requestUp': [
        [
          ofBusybox('repo=rec/one&tag=x&force=0'),
          /^Conflict: Tag rec\/one:x is already set to image b55de8a88366, if you want to replace it, please use -f option$/,
          { calls: { 'GET /images/rec/one:x/json': THERE, 'GET /images/busybox/json': THERE } },
        ],
        [ofBusybox('repo=one&tag=x'), {}, { calls: { 'GET /images/one:x/json': { status: 404, body: '' } } }],
        [ofBusybox('repo=one&tag=x&force=1'), {}],
      ],
    },
  },
  '1.22/repository-name-checked': {
    summary: 'A repository name must be in lower case, and must be given.',
    see: 'recorded on 1.9.1 (201), 1.10.3 (commit-badrepo, image-tag-badrepo, image-tag-norepo)',
    ops: callRefused(['ImageTag', 'ImageCommit'], 'a missing or upper-case name is refused', {
      ...{ says: 'validation', finds: badRepository },
      samples: [
        [{ query: 'repo=BAD&tag=x' }, 'invalid reference format: repository name must be lowercase'],
        [{ query: 'tag=x' }, 'invalid reference format'],
      ],
    }),
    examples: { 'ImageCommit requestDown': [['container=web&repo=Registry.example:5000/one'], ['container=web']] },
  },
  '1.22/build-shmsize': {
    summary: 'The size of /dev/shm during a build can be set.',
    see: 'docs/api/v1.22.md, Build image from a Dockerfile; build_routes.go @v1.10.3',
    ops: queryAdded('ImageBuild', 'shmsize', { sample: '1048576', onLoss: 'warn', neutral: ['0', '67108864'] }),
  },
  '1.22/registry-token': {
    summary: 'A registry can get a bearer token; before, the call to it would have been anonymous.',
    see: 'docs/api/v1.22.md, Create an image, Push an image; engine-api types/auth.go @v1.10.3',
    ops: refusedInAuth('registrytoken', 'a registry token is refused', 'registrytoken of X-Registry-Auth'),
  },
} satisfies Changes
