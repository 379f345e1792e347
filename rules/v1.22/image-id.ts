import { isObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts'
import type { OperationName } from '../../src/api/operations.ts'
import { shape } from '../../src/api/shapes/shape.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'

type Spell = (value: JsonValue | undefined) => string | undefined

/** The id as in engines up to 1.9. Anything but a full prefixed id stays: `<missing>`, `name@sha256:…`. */
const bare: Spell = (value) => (typeof value === 'string' ? /^sha256:([0-9a-f]{64})$/.exec(value)?.[1] : undefined)

/** The id as in engines from 1.10 on. */
const prefixed: Spell = (value) =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? `sha256:${value}` : undefined

/** Members with image ids. RepoDigests, labels and the Image of a create body can contain "sha256:" too. */
const MEMBERS = new Map<OperationName, readonly string[]>([
  ['ImageList', ['Id', 'ParentId']],
  ['ImageInspect', ['Id', 'Parent']],
  ['ImageHistory', ['Id']],
  ['ImageDelete', ['Untagged', 'Deleted']],
  ['ImageCommit', ['Id']],
  ['ContainerInspect', ['Image']],
  // Image is an id if its tag has moved to another image (from 1.9 on).
  ['ContainerList', ['Image', 'ImageID']],
  ['ContainerListPs', ['Image', 'ImageID']],
  ['SystemEvents', ['id']],
])

const LISTS: ReadonlySet<OperationName> = new Set<OperationName>([
  'ImageList',
  'ImageHistory',
  'ImageDelete',
  'ContainerList',
  'ContainerListPs',
])

export const AnswerWithImageIds = shape(
  'AnswerWithImageIds',
  '',
  [...MEMBERS.keys()].map((operation) => ({
    operation,
    side: 'response',
    path: LISTS.has(operation) ? '[]' : '',
  })),
)

export function bareIds(object: JsonObject, { operation }: StepContext): void {
  rewrite(object, MEMBERS.get(operation) ?? [], bare)
}

export function prefixedIds(object: JsonObject, { operation }: StepContext): void {
  if (operation === 'SystemEvents') {
    if (object['Type'] !== 'image') return // the id of a container has no prefix
    if (isObject(object['Actor'])) rewrite(object['Actor'], ['ID'], prefixed)
  }
  rewrite(object, MEMBERS.get(operation) ?? [], prefixed)
}

function rewrite(object: JsonObject, members: readonly string[], spell: Spell): void {
  for (const member of members) {
    const id = spell(object[member])
    if (id !== undefined) object[member] = id
  }
}

/** Operations that name an image: the first in its body, the second in its query, the others in their path. */
export const REQUESTS_WITH_IDS = [
  ...(['ContainerCreate', 'ImageGetAll', 'ImageInspect', 'ImageHistory'] as const),
  ...(['ImageGet', 'ImagePush', 'ImageTag', 'ImageDelete'] as const),
]

const withoutPrefix = (name: string): string => name.replace(/^sha256:(?=[0-9a-f]+$)/, '')

/** Engines up to 1.9 know no prefixed id, full or short: 404 "No such image: sha256:…". */
export function withBareId(message: RequestMessage): void {
  const { body, query } = message
  message.path = message.path.replace(/^\/images\/sha256:(?=[0-9a-f]+(\/|$))/, '/images/')
  if (isObject(body) && typeof body['Image'] === 'string') body['Image'] = withoutPrefix(body['Image'])
  const names = query.getAll('names')
  query.delete('names')
  for (const name of names) query.append('names', withoutPrefix(name))
}
