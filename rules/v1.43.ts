import { isObject, isUnset, type JsonObject, type JsonValue } from '../src/api/json/json.ts'
import { HostConfig, ImageListItem, InfoRuntime } from '../src/api/shapes/shapes.ts'
import type { Change } from '../src/translate/change.ts'
import { ANSWERS, added, byHand, gated, onEach } from '../src/translate/ops.ts'
import { refuseWithoutRepository } from './by-hand/tag-without-repository.ts'

const NO_TAG = '<none>:<none>'
const NO_DIGEST = '<none>@<none>'

/** Only an image with neither has the words; with one of the two, the other is null (image_routes.go:getImagesJSON). */
function noneWords(image: JsonObject): void {
  const nothing = isUnset(image['RepoTags']) && isUnset(image['RepoDigests'])
  if (isUnset(image['RepoTags'])) image['RepoTags'] = nothing ? [NO_TAG] : null
  if (isUnset(image['RepoDigests'])) image['RepoDigests'] = nothing ? [NO_DIGEST] : null
}

const isOnly = (value: JsonValue | undefined, word: string): boolean =>
  isUnset(value) || (Array.isArray(value) && value.length === 1 && value[0] === word)

function emptyLists(image: JsonObject): void {
  if (isOnly(image['RepoTags'], NO_TAG)) image['RepoTags'] = []
  if (isOnly(image['RepoDigests'], NO_DIGEST)) image['RepoDigests'] = []
}

export default [
  {
    id: '1.43/none-tags',
    gate: 'prefix',
    summary: 'An image without tags or digests has empty lists; before, one of <none>.',
    see: 'docs/api/version-history.md v1.43; image_routes.go:getImagesJSON; recordings 20.10, 28.5 and 28.5-min1.44, images',
    ops: [
      onEach(ImageListItem, 'lists without an element hold <none>, or nothing', {
        responseDown: noneWords,
        responseUp: emptyLists,
      }),
    ],
    examples: [
      {
        on: 'ImageList',
        leg: 'responseDown',
        before: {
          body: [
            { RepoTags: [], RepoDigests: [] },
            { RepoTags: [], RepoDigests: ['a@sha256:1'] },
            { RepoTags: ['a:1'], RepoDigests: [] },
          ],
        },
        after: {
          body: [
            { RepoTags: ['<none>:<none>'], RepoDigests: ['<none>@<none>'] },
            { RepoTags: null, RepoDigests: ['a@sha256:1'] },
            { RepoTags: ['a:1'], RepoDigests: null },
          ],
        },
      },
      {
        on: 'ImageList',
        leg: 'responseUp',
        before: {
          body: [
            { RepoTags: ['<none>:<none>'], RepoDigests: ['<none>@<none>'] },
            { RepoTags: ['a:1'], RepoDigests: null },
          ],
        },
        after: {
          body: [
            { RepoTags: [], RepoDigests: [] },
            { RepoTags: ['a:1'], RepoDigests: [] },
          ],
        },
      },
    ],
  },
  {
    id: '1.43/annotations',
    gate: 'prefix',
    summary: 'A container may carry annotations for its runtime.',
    see: 'docs/api/version-history.md v1.43; container_routes.go:postContainersCreate',
    ops: gated({ gate: 'release', legs: ANSWERS }, added(HostConfig, 'Annotations', { onLoss: 'warn' })),
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { Annotations: { a: 'b' } } } },
        after: { body: { HostConfig: {} } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { Annotations: { a: 'b' } } } },
        after: { body: { HostConfig: {} } },
        losses: ['HostConfig.Annotations'],
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { HostConfig: { Annotations: { a: 'b' } } } },
        after: { body: { HostConfig: {} } },
      },
    ],
  },
  {
    id: '1.43/info-runtimes',
    gate: 'release',
    summary: 'Info names the shim of each runtime, and its options.',
    see: 'api/types/types.go:Runtime @v23.0.0, @v24.0.0 (api/types/system/runtime.go); in no document',
    ops: [added(InfoRuntime, 'runtimeType', { onLoss: 'ignore' }), added(InfoRuntime, 'options', { onLoss: 'ignore' })],
    examples: [
      {
        on: 'SystemInfo',
        leg: 'responseDown',
        before: { body: { Runtimes: { kata: { runtimeType: 'io.containerd.kata.v2', options: {} } } } },
        after: { body: { Runtimes: { kata: {} } } },
      },
    ],
  },
  {
    id: '1.43/tag-without-repository',
    gate: 'release',
    summary: 'A tag without a repository is answered as if it were set; before, it was refused.',
    see: 'image_routes.go:postImagesTag @v23.0, @v24.0; recordings image-tag-norepo; asked of 20.10 and 28.5',
    ops: [
      byHand('ImageTag', 'without a repository it is refused', { part: 'head', requestUp: refuseWithoutRepository }),
    ],
    examples: [
      {
        on: 'ImageTag',
        leg: 'requestUp',
        before: { query: 'tag=x' },
        after: { refused: /^invalid reference format$/ },
      },
      {
        on: 'ImageTag',
        leg: 'requestUp',
        client: '1.21',
        before: { query: 'repo=' },
        after: { refused: /^Repository name can't be empty$/ },
      },
      { on: 'ImageTag', leg: 'requestUp', before: { query: 'repo=a' }, after: { query: 'repo=a' } },
    ],
  },
  {
    id: '1.43/die-exec-duration',
    gate: 'release',
    summary: 'The event of a container that died says how long it ran.',
    see: 'daemon/monitor.go:handleContainerExit (engine 24.0, moby pull request 45494); recordings 20.10, 26.1, events',
    ops: [
      byHand('SystemEvents', 'how long it ran is new', {
        stripsNewer: true,
        responseDown: ({ body }) => {
          if (!isObject(body) || body['Action'] !== 'die' || !isObject(body['Actor'])) return
          if (isObject(body['Actor']['Attributes'])) delete body['Actor']['Attributes']['execDuration']
        },
      }),
    ],
    examples: [
      {
        on: 'SystemEvents',
        leg: 'responseDown',
        before: {
          body: {
            Type: 'container',
            Action: 'die',
            Actor: { ID: 'c', Attributes: { execDuration: '1', exitCode: '0' } },
          },
        },
        after: { body: { Type: 'container', Action: 'die', Actor: { ID: 'c', Attributes: { exitCode: '0' } } } },
      },
      {
        on: 'SystemEvents',
        leg: 'responseDown',
        before: { body: { Type: 'network', Action: 'create' } },
        after: { body: { Type: 'network', Action: 'create' } },
      },
    ],
  },
] satisfies Change[]
