import { isUnset, type JsonObject, type JsonValue } from '../src/api/json/json.ts'
import { EventAttributes, HostConfig, ImageListItem, InfoRuntime } from '../src/api/shapes/shapes.ts'
import type { StepContext } from '../src/translate/message.ts'
import { added, type Changes, callRefused, errorTexts, onEach, shownAtEveryVersion } from '../src/translate/ops.ts'
import { NO_DIGEST, NO_TAG, noneWords } from './by-hand/none-words.ts'
import { statsOfOneShot } from './by-hand/stats-one-shot.ts'

const isOnly = (value: JsonValue | undefined, word: string): boolean =>
  isUnset(value) || (Array.isArray(value) && value.length === 1 && value[0] === word)

/** Disk usage has null instead of an empty list of digests (seen on 28.5 and 29.8). */
function emptyLists(image: JsonObject, { operation }: StepContext): void {
  if (isOnly(image['RepoTags'], NO_TAG)) image['RepoTags'] = []
  if (isOnly(image['RepoDigests'], NO_DIGEST)) image['RepoDigests'] = operation === 'SystemDataUsage' ? null : []
}

const named = (RepoTags: JsonValue, RepoDigests: JsonValue) => ({ RepoTags, RepoDigests })

export default {
  '1.43/none-tags': {
    gate: 'prefix',
    summary: 'An image without tags and digests has empty lists; before, lists with <none>.',
    see: 'docs/api/version-history.md v1.43; image_routes.go:getImagesJSON; recordings 20.10, 28.5 and 28.5-min1.44, images',
    ops: onEach(ImageListItem, 'empty lists hold <none>', { responseDown: noneWords, responseUp: emptyLists }),
    examples: {
      'ImageList responseDown body.[]': [
        [named([], []), named([NO_TAG], [NO_DIGEST])],
        [named([], ['a@sha256:1']), named(null, ['a@sha256:1'])],
      ],
      'ImageList responseUp body.[]': [[named([NO_TAG], [NO_DIGEST]), named([], [])]],
    },
  },
  '1.43/annotations': {
    gate: 'prefix',
    summary: 'A container can have annotations for its runtime.',
    see: 'docs/api/version-history.md v1.43; container_routes.go:postContainersCreate',
    ops: shownAtEveryVersion(added(HostConfig, 'Annotations', { sample: { a: 'b' }, onLoss: 'warn' })),
  },
  '1.43/info-runtimes': {
    summary: 'Info names the shim of each runtime, and its options.',
    see: 'api/types/types.go:Runtime @v23.0.0, @v24.0.0 (api/types/system/runtime.go); not in the documents',
    ops: [
      added(InfoRuntime, 'runtimeType', { sample: 'io.containerd.kata.v2' }),
      added(InfoRuntime, 'options', { sample: { a: 'b' } }),
    ],
  },
  '1.43/no-swarm-status': {
    summary: 'A network that needs a swarm gets 403 where there is none; before, 500.',
    see: 'daemon/network.go:createNetwork @v23.0.0, @v24.0.9; seen on 20.10 and 28.5',
    ops: errorTexts(`
      NetworkCreate
        403 This node is not a swarm manager. {rest}
          500 This node is not a swarm manager. {rest}
    `),
  },
  '1.43/task-error': {
    summary: 'The error of a start begins with “failed to create task for container”.',
    see: 'libcontainerd/remote/client.go:NewTask @v23.0.6, @v24.0.9',
    ops: errorTexts(`
      ContainerStart
        failed to create task for container: {rest}
          down {rest}
      ContainerRestart
        Cannot restart container {word}: failed to create task for container: {rest}
          down Cannot restart container {word}: {rest}
    `),
  },
  '1.43/tag-without-repository': {
    summary: 'A tag call without a repository succeeds and does nothing; before, it was refused.',
    see: 'image_routes.go:postImagesTag @v23.0, @v24.0; recordings image-tag-norepo; seen on 20.10 and 28.5',
    // Engines from 24.0 on answer 200 and set no tag, so the client would believe that the tag exists.
    ops: callRefused('ImageTag', 'a tag without a repository', {
      ...{ leg: 'requestUp', says: 'validation' },
      finds: ({ query }, { client }) => {
        if (query.get('repo')) return undefined
        // recordings 1.6.2 to 1.9.1, image-tag-norepo
        return client <= 21 ? "500 Repository name can't be empty" : '500 invalid reference format'
      },
      samples: [
        ['tag=x', 'invalid reference format'],
        ['repo=', "Repository name can't be empty", { client: '1.21' }],
      ],
      stay: ['repo=a'],
    }),
  },
  '1.43/stats-one-shot': statsOfOneShot(
    'A one-shot reading of stats does not name its container.',
    'daemon/stats.go @v20.10.24, @v23.0.6, @v24.0.9; seen on 20.10 and 28.5',
    'responseDown',
  ),
  '1.43/die-exec-duration': {
    summary: 'The die event of a container has the time it ran.',
    see: 'daemon/monitor.go:handleContainerExit (engine 24.0, moby pull request 45494); recordings 20.10, 26.1, events',
    ops: added(EventAttributes, 'execDuration', { sample: '1' }),
  },
} satisfies Changes
