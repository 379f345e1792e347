import { apiVersion } from '../../../src/api/version.ts'
import { type Asked, olderErrors, type Row } from './words.ts'

const INVALID_REFERENCE = /\binvalid reference format\b/
const PATTERN_1_9 = '[a-z0-9](?:-*[a-z0-9])*(?:[._][a-z0-9](?:-*[a-z0-9])*)*'
const PATTERN_1_8 = '[a-z0-9]+(?:[._-][a-z0-9]+)*'

const illegalTag =
  (allowed: string) =>
  (_: RegExpExecArray, { query }: Asked): string =>
    `Illegal tag name (${query.get('tag') ?? ''}): only ${allowed}, minimum 1, maximum 128 in length`

/** Errors of images and builds. Recorded like those of create, as image-… and build-…. */
export const images = olderErrors({
  ImageList: [[/^invalid filter '(.*?)'/i, "1.24 500 Invalid filter '$1'"]],
  ImageInspect: [
    [/\bno such image: /i, '1.24 404 No such image: {name}'],
    [INVALID_REFERENCE, '1.24 404 No such image: {name}'],
  ],
  ImageDelete: [
    [INVALID_REFERENCE, ['1.24 404', (_, { name }) => `No such image: ${name}${name.includes(':') ? '' : ':latest'}`]],
    [
      /^conflict: unable to remove repository reference ".*" \(must force\) - container (\w+) is using its referenced image (\w+)$/,
      '1.24',
      '1.20 409 Conflict, cannot delete $2 because the container $1 is using it, use -f to force',
    ],
    [
      /^(conflict: unable to delete \S+ \(must be forced\) - image is referenced in) multiple repositories$/,
      '1.24 409 $1 one or more repositories',
      '1.20 409 Conflict, cannot delete image {name} because it is tagged in multiple repositories, use -f to force',
    ],
  ],
  'ImageHistory ImageTag': [[/\bno such image: /i, '1.24 404 no such id: {name}']],
  ImageGet: [[/\bno such image: /i, '1.24', '1.22 404 digest not found']],
  ImageTag: [
    [/^cannot import digest reference$/, '1.24 500 refusing to create a tag with a digest reference'],
    [/^invalid reference format$/, '1.24 500', "1.21 500 Repository name can't be empty"],
    [
      /^invalid tag format$/,
      '1.24 500',
      ['1.21 500', illegalTag("[A-Za-z0-9_.-] are allowed ('.' and '-' are NOT allowed in the initial)")],
      ['1.19 500', illegalTag('[A-Za-z0-9_.-] are allowed')],
    ],
  ],
  'ImageTag ImageCommit': [
    [
      /^invalid repository name \((\S+)\), cannot specify 64-byte hexadecimal strings$/i,
      '1.24 500 Invalid repository name ($1), cannot specify 64-byte hexadecimal strings',
    ],
    [
      /^invalid reference format: .*must be lowercase$/,
      '1.24 500 invalid reference format: repository name must be lowercase',
    ],
  ],
  'ImageCommit ImageCreate': [
    [
      /^(\w+) is not a valid change command$/,
      ['1.24 500', ([, word = '']) => `${word.toLowerCase()} is not a valid change command`],
    ],
  ],
  ImageCreate: [
    // Older engines sent `Downloading from …` before they tried the download.
    [
      /^Get "?(https?:\/\/\S+?)"?: .*$/,
      { when: ({ query }, found) => query.get('fromSrc') === found[1] },
      '1.24 200 $0',
    ],

    // A registry without TLS that does not answer: older engines sent `Pulling repository …` and tried the older protocol.
    [
      /^Get "?http:\/\/([^/]+)\/v2\/"?: (dial tcp .*)$/,
      { when: ({ query }) => query.has('fromImage') },
      '1.24 200 Error while pulling image: $0',
      '1.19',
    ],
    badName(({ query }) => query.get('fromImage') || (query.get('repo') ?? '')),

    // Older engines tried the older protocol as well. If a registry gives no detail, 20.10 passes on its bare text.
    [
      /^(?:manifest for \S+ not found: |manifest unknown$|pull access denied for )/,
      { begun: (asked, client) => `Pulling repository ${canonical(asked, client >= FULL_NAMES_FROM)}` },
      ['1.24 200', (_, asked) => `Error: image ${pulled(asked).join(':')} not found`],
      ['1.22 200', (_, asked) => `Error: image ${pulled(asked)[0]} not found`],
      ['1.21 200', (_, asked) => `Error: image ${pulled(asked).join(':')} not found`],
    ],
  ],
  ImageBuild: [badName(({ query }) => query.get('t') ?? '')],
  ImagePush: [[/^An image does not exist locally with the tag: (\S+)$/, '1.24 200 Repository does not exist: $1']],
  ImageLoad: [
    [
      /^(?:open \S+\/repositories: no such file or directory|invalid archive: does not contain a manifest\.json)$/,
      '1.24 500 invalid argument',
      '1.21 500 EOF',
    ],
  ],
})

function badName(of: (asked: Asked) => string): Row {
  const repository = (asked: Asked): string => of(asked).replace(/:[^/:]*$/, '')
  return [
    INVALID_REFERENCE,
    ['1.24 500', (_, asked) => `Error parsing reference: "${of(asked)}" is not a valid repository/tag`],
    `1.21 500 repository name component must match "${PATTERN_1_9}"`,
    `1.20 500 repository name component must match "${PATTERN_1_8}"`,
    ['1.19 500', (_, asked) => `Invalid repository name (${repository(asked)}), only [a-z0-9-_.] are allowed`],
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
