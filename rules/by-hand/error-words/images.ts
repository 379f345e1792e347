import { apiVersion } from '../../../src/api/version.ts'
import type { Asked, Words } from './words.ts'

const INVALID_REFERENCE = /\binvalid reference format\b/
const PATTERN_1_9 = '[a-z0-9](?:-*[a-z0-9])*(?:[._][a-z0-9](?:-*[a-z0-9])*)*'
const PATTERN_1_8 = '[a-z0-9]+(?:[._-][a-z0-9]+)*'

const illegalTag =
  (allowed: string) =>
  (_: RegExpExecArray, { query }: Asked): string =>
    `Illegal tag name (${query.get('tag') ?? ''}): only ${allowed}, minimum 1, maximum 128 in length`

/** Errors of images and builds. Recorded like those of create, as image-… and build-…. */
export const images: readonly Words[] = [
  { on: 'ImageList', says: /^invalid filter '(.*?)'/i, was: [[24, 500, "Invalid filter '$1'"]] },
  { on: 'ImageInspect', says: /\bno such image: /i, was: [[24, 404, 'No such image: {name}']] },
  { on: 'ImageInspect', says: INVALID_REFERENCE, was: [[24, 404, 'No such image: {name}']] },
  {
    on: 'ImageDelete',
    says: INVALID_REFERENCE,
    was: [[24, 404, (_, { name }) => `No such image: ${name}${name.includes(':') ? '' : ':latest'}`]],
  },
  { on: ['ImageHistory', 'ImageTag'], says: /\bno such image: /i, was: [[24, 404, 'no such id: {name}']] },
  { on: 'ImageGet', says: /\bno such image: /i, was: [[24], [22, 404, 'digest not found']] },
  {
    on: 'ImageTag',
    says: /^cannot import digest reference$/,
    was: [[24, 500, 'refusing to create a tag with a digest reference']],
  },
  {
    on: ['ImageTag', 'ImageCommit'],
    says: /^invalid repository name \((\S+)\), cannot specify 64-byte hexadecimal strings$/i,
    was: [[24, 500, 'Invalid repository name ($1), cannot specify 64-byte hexadecimal strings']],
  },
  {
    on: ['ImageCommit', 'ImageCreate'],
    says: /^(\w+) is not a valid change command$/,
    was: [[24, 500, ([, word = '']) => `${word.toLowerCase()} is not a valid change command`]],
  },
  {
    on: ['ImageTag', 'ImageCommit'],
    says: /^invalid reference format: .*must be lowercase$/,
    was: [[24, 500, 'invalid reference format: repository name must be lowercase']],
  },
  {
    on: 'ImageTag',
    says: /^invalid reference format$/,
    was: [
      [24, 500],
      [21, 500, "Repository name can't be empty"],
    ],
  },
  {
    on: 'ImageDelete',
    says: /^conflict: unable to remove repository reference ".*" \(must force\) - container (\w+) is using its referenced image (\w+)$/,
    was: [[24], [20, 409, 'Conflict, cannot delete $2 because the container $1 is using it, use -f to force']],
  },
  {
    on: 'ImageDelete',
    says: /^(conflict: unable to delete \S+ \(must be forced\) - image is referenced in) multiple repositories$/,
    was: [
      [24, 409, '$1 one or more repositories'],
      [20, 409, 'Conflict, cannot delete image {name} because it is tagged in multiple repositories, use -f to force'],
    ],
  },
  {
    on: 'ImageTag',
    says: /^invalid tag format$/,
    was: [
      [24, 500],
      [21, 500, illegalTag("[A-Za-z0-9_.-] are allowed ('.' and '-' are NOT allowed in the initial)")],
      [19, 500, illegalTag('[A-Za-z0-9_.-] are allowed')],
    ],
  },
  {
    // Older engines sent `Downloading from …` before they tried the download.
    on: 'ImageCreate',
    says: /^Get "?(https?:\/\/\S+?)"?: .*$/,
    when: ({ query }, found) => query.get('fromSrc') === found[1],
    was: [[24, 200, '$0']],
  },
  {
    // A registry without TLS that does not answer: older engines sent `Pulling repository …` and tried the older protocol.
    on: 'ImageCreate',
    says: /^Get "?http:\/\/([^/]+)\/v2\/"?: (dial tcp .*)$/,
    when: ({ query }) => query.has('fromImage'),
    was: [[24, 200, 'Error while pulling image: $0'], [19]],
  },
  {
    on: 'ImageCreate',
    says: INVALID_REFERENCE,
    was: badName(({ query }) => query.get('fromImage') || (query.get('repo') ?? '')),
  },
  { on: 'ImageBuild', says: INVALID_REFERENCE, was: badName(({ query }) => query.get('t') ?? '') },
  {
    // Older engines tried the older protocol as well. If a registry gives no detail, 20.10 passes on its bare text.
    on: 'ImageCreate',
    says: /^(?:manifest for \S+ not found: |manifest unknown$|pull access denied for )/,
    was: [
      [24, 200, (_, asked) => `Error: image ${pulled(asked).join(':')} not found`],
      [22, 200, (_, asked) => `Error: image ${pulled(asked)[0]} not found`],
      [21, 200, (_, asked) => `Error: image ${pulled(asked).join(':')} not found`],
    ],
    begun: (asked, client) => `Pulling repository ${canonical(asked, client >= FULL_NAMES_FROM)}`,
  },
  {
    on: 'ImagePush',
    says: /^An image does not exist locally with the tag: (\S+)$/,
    was: [[24, 200, 'Repository does not exist: $1']],
  },
  {
    on: 'ImageLoad',
    says: /^(?:open \S+\/repositories: no such file or directory|invalid archive: does not contain a manifest\.json)$/,
    was: [
      [24, 500, 'invalid argument'],
      [21, 500, 'EOF'],
    ],
  },
]

function badName(of: (asked: Asked) => string): Words['was'] {
  const repository = (asked: Asked): string => of(asked).replace(/:[^/:]*$/, '')
  return [
    [24, 500, (_, asked) => `Error parsing reference: "${of(asked)}" is not a valid repository/tag`],
    [21, 500, `repository name component must match "${PATTERN_1_9}"`],
    [20, 500, `repository name component must match "${PATTERN_1_8}"`],
    [19, 500, (_, asked) => `Invalid repository name (${repository(asked)}), only [a-z0-9-_.] are allowed`],
  ]
}

/** Engine 1.8: `docker.io/library/web` (registry/config.go @v1.8.3: CanonicalName); 1.7 said `web`. */
const FULL_NAMES_FROM = apiVersion(20)

const readImage = ({ query }: Asked): { registry: string; path: string; tag: string | undefined } => {
  const image = query.get('fromImage') ?? ''
  const [, registry = '', path = image, tag] =
    /^((?=[^/]*[.:]|localhost\/)[^/]*\/)?([^:@]+)(?:[:@](.+))?$/.exec(image) ?? []
  return { registry, path, tag }
}

/** The repository without its registry, and the tag or digest. On Docker Hub a missing owner means `library`. */
function pulled(asked: Asked): [repository: string, tag: string] {
  const { registry, path, tag = 'latest' } = readImage(asked)
  const repository = registry === '' && !path.includes('/') ? `library/${path}` : path
  return [repository, asked.query.get('tag') || tag]
}

function canonical(asked: Asked, full: boolean): string {
  const { registry, path } = readImage(asked)
  return registry === '' && full ? `docker.io/${pulled(asked)[0]}` : `${registry}${path}`
}
