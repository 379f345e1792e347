import type { JsonValue } from '../../src/api/json/json.ts'
import { onlyIn, response, type Shape, shape } from '../../src/api/shapes/shape.ts'
import { ContainerInspect, HistoryItem, ImageConfig, ImageInspect, ImageListItem } from '../../src/api/shapes/shapes.ts'
import { headRetyped, type Op, retyped } from '../../src/translate/ops.ts'
import { CreateBody, Listed } from '../by-hand/places.ts'

/** The id as in engines up to 1.9. Anything but a full prefixed id stays: `<missing>`, `name@sha256:…`. */
export const bare = (id: JsonValue | undefined): string | undefined =>
  typeof id === 'string' ? /^sha256:([0-9a-f]{64})$/.exec(id)?.[1] : undefined

/** The id as in engines from 1.10 on. */
export const prefixed = (id: JsonValue): string | undefined =>
  typeof id === 'string' && /^[0-9a-f]{64}$/.test(id) ? `sha256:${id}` : undefined

/** Members with image ids. RepoDigests, labels and the Image of a create body can contain "sha256:" too. */
export const ANSWERS_WITH_IDS: readonly (readonly [Shape, ...string[]])[] = [
  [onlyIn(ImageListItem, 'ImageList'), 'Id', 'ParentId'],
  [ImageInspect, 'Id', 'Parent'],
  [ImageConfig, 'Image'],
  [HistoryItem, 'Id'],
  [shape('DeletedImage', '', [response('ImageDelete', '[]')]), 'Untagged', 'Deleted'],
  [shape('CommitAnswer', '', [response('ImageCommit')]), 'Id'],
  [ContainerInspect, 'Image'],
  // Image is an id if its tag has moved to another image (from 1.9 on).
  [Listed, 'Image', 'ImageID'],
]

const withoutPrefix = (name: string): string => name.replace(/^sha256:(?=[0-9a-f]+$)/, '')
const IN_PATH = ['ImageInspect', 'ImageHistory', 'ImageGet', 'ImagePush', 'ImageTag', 'ImageDelete'] as const

/** Engines up to 1.9 know no prefixed id, full or short: 404 "No such image: sha256:…". */
export const requestsWithBareIds: readonly Op[] = [
  retyped(CreateBody, 'Image', {
    samples: [['sha256:b55de8a88366', 'b55de8a88366']],
    toOlder: (name) => (typeof name === 'string' ? withoutPrefix(name) : undefined),
  }),
  headRetyped('ImageGetAll', 'query names', { samples: [['sha256:b55d', 'b55d']], toOlder: withoutPrefix }),
  headRetyped(IN_PATH, 'path', {
    samples: [['/images/sha256:b55d/json', '/images/b55d/json']],
    toOlder: (path) => path.replace(/^\/images\/sha256:(?=[0-9a-f]+(\/|$))/, '/images/'),
  }),
]
