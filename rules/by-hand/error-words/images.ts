import { operationNames } from '../../../src/api/operations.ts'
import type { Asked, ErrorTextsOptions } from '../../../src/translate/ops/calls/error-texts.ts'

const PATTERN_1_9 = '[a-z0-9](?:-*[a-z0-9])*(?:[._][a-z0-9](?:-*[a-z0-9])*)*'
const PATTERN_1_8 = '[a-z0-9]+(?:[._-][a-z0-9]+)*'

const REFERENCE = /^((?=[^/]*[.:]|localhost\/)[^/]*\/)?([^:@]+)(?:[:@](.+))?$/

/** A pulled image. On Docker Hub a missing owner means `library`. */
function pulled({ query }: Asked): { registry: string; path: string; repository: string; tag: string } {
  const image = query.get('fromImage') ?? ''
  const [, registry = '', path = image, tag = 'latest'] = REFERENCE.exec(image) ?? []
  const repository = registry === '' && !path.includes('/') ? `library/${path}` : path
  return { registry, path, repository, tag: query.get('tag') || tag }
}

const created = ({ query }: Asked): string => query.get('fromImage') || (query.get('repo') ?? query.get('t') ?? '')

export const holes: ErrorTextsOptions['holes'] = {
  tagged: ({ name }) => (name.includes(':') ? name : `${name}:latest`),
  tag: ({ query }) => query.get('tag') ?? '',
  lower: ({ found }) => found['command']?.toLowerCase(),
  created,
  createdName: (asked) => created(asked).replace(/:[^/:]*$/, ''),
  source: ({ found, query }) => (query.get('fromSrc') === found['url'] ? found['all'] : undefined),
  pulledTag: (asked) => pulled(asked).tag,
  pulled: (asked) => pulled(asked).repository,
  // Engine 1.8: `docker.io/library/web` (registry/config.go @v1.8.3: CanonicalName); 1.7 said `web`.
  fullName: (asked) => {
    const { registry, path, repository } = pulled(asked)
    return registry === '' ? `docker.io/${repository}` : registry + path
  },
  asNamed: (asked) => pulled(asked).registry + pulled(asked).path,
}

/** An invalid name in a query. */
const badName = (operation: string): string => `
  ${operation}
    {rest}invalid reference format{rest2}
      1.24 500 Error parsing reference: "{created}" is not a valid repository/tag
      1.21 500 repository name component must match "${PATTERN_1_9}"
      1.20 500 repository name component must match "${PATTERN_1_8}"
      1.19 500 Invalid repository name ({createdName}), only [a-z0-9-_.] are allowed
`

/** Recorded like those of create, as image-…. */
export const images = `
  ImageList
    invalid filter '{filter}'{rest}
      1.24 500 Invalid filter '{filter}'
  ImageInspect
    {rest}no such image: {rest2}
    {rest}invalid reference format{rest2}
      1.24 404 No such image: {name}
  ImageDelete
    {rest}invalid reference format{rest2}
      1.24 404 No such image: {tagged}
    conflict: unable to remove repository reference "{ref}" (must force) - container {word} is using its referenced image {word2}
      1.24
      1.20 409 Conflict, cannot delete {word2} because the container {word} is using it, use -f to force
    # With containerd's store.
    conflict: unable to delete {ref} (must be forced) - container {word} is using its referenced image {word2}
      1.24 409 conflict: unable to remove repository reference "{ref}" (must force) - container {word} is using its referenced image {word2}
      1.20 409 Conflict, cannot delete {word2} because the container {word} is using it, use -f to force
    conflict: unable to delete {word} (must be forced) - image is referenced in multiple repositories
      1.24 409 conflict: unable to delete {word} (must be forced) - image is referenced in one or more repositories
      1.20 409 Conflict, cannot delete image {name} because it is tagged in multiple repositories, use -f to force
  ImageHistory ImageTag
    {rest}no such image: {rest2}
      1.24 404 no such id: {name}
  ImageGet
    {rest}no such image: {rest2}
      1.24
      1.22 404 digest not found
  ImageTag
    cannot import digest reference
      1.24 500 refusing to create a tag with a digest reference
    invalid reference format
      1.24 500
      1.21 500 Repository name can't be empty
    invalid tag format
      1.24 500
      1.21 500 Illegal tag name ({tag}): only [A-Za-z0-9_.-] are allowed ('.' and '-' are NOT allowed in the initial), minimum 1, maximum 128 in length
      1.19 500 Illegal tag name ({tag}): only [A-Za-z0-9_.-] are allowed, minimum 1, maximum 128 in length
  ImageTag ImageCommit
    invalid repository name ({word}), cannot specify 64-byte hexadecimal strings
      1.24 500 Invalid repository name ({word}), cannot specify 64-byte hexadecimal strings
    invalid reference format: {any}must be lowercase
      1.24 500 invalid reference format: repository name must be lowercase
  ImageCommit ImageCreate
    {command} is not a valid change command
      1.24 500 {lower} is not a valid change command
  ImageCreate
    # Older engines sent this in the stream. It applies to fromSrc only.
    Get {q="|}{url}{q2="|}: {rest}
      1.24 200 Downloading from {url}\\n{source}
    # A registry without TLS that does not answer: older engines tried the older protocol.
    Get {q="|}http://{registry}/v2/{q2="|}: dial tcp {rest}
      1.24 200 Pulling repository {fullName}\\nError while pulling image: {all}
      1.19
    # With containerd's store.
    failed to resolve reference "{word}": failed to do request: Head "{scheme=http|https}://{registry}/v2/{path}": dial tcp{rest}
      1.24 200 Pulling repository {fullName}\\nError while pulling image: Get {scheme}://{registry}/v2/: dial tcp{rest}
      1.19 500 Get {scheme}://{registry}/v2/: dial tcp{rest}
${badName('ImageCreate')}
    # Older engines tried the older protocol as well. If a registry gives no detail, 20.10 passes on its bare text.
    manifest for {word} not found: {rest}
    manifest unknown
    failed to resolve reference "{word}": {word2}: not found
    pull access denied for {rest}
    failed to resolve reference "{word}": pull access denied, {rest}
      1.24 200 Pulling repository {fullName}\\nError: image {pulled}:{pulledTag} not found
      1.22 200 Pulling repository {fullName}\\nError: image {pulled} not found
      1.21 200 Pulling repository {fullName}\\nError: image {pulled}:{pulledTag} not found
      1.19 200 Pulling repository {asNamed}\\nError: image {pulled}:{pulledTag} not found
${badName('ImageBuild')}
  ImagePush
    An image does not exist locally with the tag: {word}
      1.23 200 Repository does not exist: {word}
  ImageLoad
    open {word}/repositories: no such file or directory
    invalid archive: does not contain a manifest.json
    unrecognized image format
      1.24 500 invalid argument
      1.21 500 EOF
`

/**
 * Errors of builds. Engines up to 1.12 check a line when they execute it: the answer has begun and the steps before it have
 * run. builder/dockerfile @v1.6.2 … v1.12.6; recorded as build-…
 */
export const builds = `
  ImageBuild
    the Dockerfile ({file}) cannot be empty
      1.24 500 The Dockerfile ({file}) cannot be empty
      1.18 500 Dockerfile cannot be empty
    error downloading remote context {word}: {why}
      1.24 500 Error downloading remote context {word}: {why}
      1.19 500 {why}
    failed to parse Dockerfile: {why}
      1.24 500 {why}
    {word} failed: forbidden path outside the build context: {path} ({path2})
    forbidden path outside the build context: {path} ({path2})
      1.24 500 Forbidden path outside the build context: {path} ({path})
    unsupported isolation: {isolation}
      1.24 500 Unsupported isolation: {isolation}
    error reading {what=ulimit settings|build args}: {why}
      1.24 500 {why}
    dockerfile parse error {on=on |}line {n}: {word} requires at least two arguments, but only one was provided{rest}
      1.24 200 {word} requires at least two arguments
    dockerfile parse error {on=on |}line {n}: VOLUME specified can not be an empty string
      1.24 200 Volume specified can not be an empty string
    dockerfile parse error {on=on |}line {n}: unknown flag: {dashes=--|}{word}
      1.24 200 Unknown flag: {word}
    dockerfile parse error {on=on |}line {n}: unknown instruction: {word}
      1.24 200 Unknown instruction: {word}
    dockerfile parse error {on=on |}line {n}: {why}
      1.24 200 {why}
    no build stage in current context
      1.24 200 Please provide a source image with \`from\` prior to commit
    # Every engine reports these in the stream.
    {word} failed: file not found in build context or excluded by .dockerignore: stat {path}: file does not exist
      1.24 200 lstat {path}: no such file or directory
    {word} failed: source can't be a URL for {word2}
      1.24 200 Source can't be a URL for {word2}
    invalid signal: {signal}
      1.24 200 Invalid signal: {signal}
    invalid containerPort: {port}
      1.24 200 Invalid containerPort: {port}
`

/** Errors of archives and of their destinations, recorded as archive-… and image-load-…, and of swarms. */
export const archives = `
  ImageLoad PutContainerArchive
    {tar=Error processing tar file(exit status 1): |}unexpected EOF
      1.24 500 Error processing tar file(exit status 1): unexpected EOF
      1.22 500 Untar re-exec error: exit status 1: output: unexpected EOF
      1.21 500 EOF
  PutContainerArchive
    {rest}cannot overwrite {kind=directory|non-directory} "{slash=/|}{a}" with {kind2=non-directory|directory} "{b}"{rest2}
      1.24 500 Error processing tar file(exit status 1): cannot overwrite {kind} "/{a}" with {kind2} "{b}"
      1.22 500 Untar re-exec error: exit status 1: output: cannot overwrite {kind} "/{a}" with {kind2} "{b}"
    extraction point is not a directory
      1.24 500
  ContainerArchive ContainerArchiveInfo PutContainerArchive
    bad parameter: {q='|}path{q2='|}{space= |}cannot be empty
      1.24 400 bad parameter: 'path' cannot be empty
    # Older engines named the path on the host, which newer errors do not have.
    Could not find the file {path} in container {word}
      1.24 404 lstat {path}: no such file or directory
  ${operationNames.filter((name) => /^(Swarm|Node|Service|Task)(?!ata)/.test(name)).join(' ')}
    # Engine 1.12 derived the status from the words "this node" (api/server/httputils/errors.go @v1.12.6; recorded at 1.24).
    This node is {rest}
      1.24 406
`
