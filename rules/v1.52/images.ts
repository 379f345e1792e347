import { ProxyError } from '../../src/api/errors.ts'
import { isObject, type JsonValue, memberAt } from '../../src/api/json/json.ts'
import {
  ContainerInspect,
  HistoryItem,
  ImageConfig,
  ImageInspect,
  ImageListItem,
  Info,
} from '../../src/api/shapes/shapes.ts'
import {
  byHand,
  type Change,
  gated,
  ignored,
  omittedWhenEmpty,
  only,
  removed,
  retyped,
} from '../../src/translate/ops.ts'
import { macToEndpoint } from '../by-hand/endpoints.ts'
import { IMAGE_ZEROS } from '../by-hand/image-config.ts'
import { CreateBody, ShownConfig } from '../by-hand/places.ts'

const MAC = '02:42:ac:11:00:02'

const tags = (value: JsonValue): JsonValue[] | undefined =>
  Array.isArray(value) ? value.filter((tag) => !String(tag).includes('@')) : undefined
const orNull = (some: JsonValue[] | undefined) => (some?.length === 0 ? null : some)

/** Docker 29, newly installed, keeps images with containerd; older engines do if they are told to, and show the digests. */
export const digestsAsTags = {
  summary:
    'In the store that Docker 29 has with containerd, an image that was pulled by its digest has it among its tags, too.',
  see: 'daemon/containerd/image_inspect.go:collectRepoTagsAndDigests @docker-v29.1.0; seen on 29.8, not on 20.10',
  ops: [
    retyped(ImageListItem, 'RepoTags', {
      samples: [[['a@sha256:1', 'a:1'], ['a:1']]],
      // Up to 1.42 a list of images has null where there are digests (1.43/none-tags).
      toOlder: (value, _image, { client }) => (client < 43 ? orNull(tags(value)) : tags(value)),
    }),
    retyped(ImageInspect, 'RepoTags', { samples: [[['a@sha256:1'], []]], toOlder: tags }),
    retyped(HistoryItem, 'Tags', { samples: [[['a@sha256:1'], null]], toOlder: (value) => orNull(tags(value)) }),
  ],
  examples: { 'ImageList responseDown body.[].RepoTags': [[['a@sha256:1'], null, { client: '1.42' }]] },
} satisfies Change

export const inspectStorage = {
  gate: 'prefix',
  summary: 'With a snapshotter a container has Storage, not GraphDriver; Config lost MacAddress and empty OnBuild.',
  see: 'docs/api/version-history.md v1.52; daemon/inspect.go @docker-v29.0.0; recordings `29`, `29-overlayfs`',
  ops: [
    // Engine 29 omits it at every version.
    ...gated(
      { gate: 'release', legs: ['responseDown'] },
      omittedWhenEmpty(ShownConfig, 'OnBuild', null, { bothWays: true }),
    ),
    ...gated(
      { gate: 'release' },
      omittedWhenEmpty(ImageConfig, 'OnBuild', null),
      // Removed from info together with the limits.
      removed(Info, 'KernelMemoryTCP', { down: false }),
    ),
    // From 1.52 on engine 29 silently ignores it: the container would get another address (recorded at 1.52 and 1.53).
    byHand('ContainerCreate', 'a container’s MAC address moves to its first endpoint', {
      requestUp: ({ body }, { engine }) => {
        if (!macToEndpoint(body, engine.os))
          throw new ProxyError('validation', 'conflicting options: mac-address and the network mode')
      },
    }),
    ignored(CreateBody, 'MacAddress', { leg: 'requestDown', sample: MAC }),
    byHand('ContainerInspect', `${ContainerInspect.name}.GraphDriver names the snapshotter of Storage`, {
      responseDown: ({ body }) => {
        if (!isObject(body)) return
        const storage = body['Storage']
        delete body['Storage']
        if (isObject(body['GraphDriver'])) return
        const name = memberAt(storage, 'RootFS', 'Snapshot', 'Name')
        body['GraphDriver'] = { Name: name ?? body['Driver'] ?? '', Data: null }
      },
    }),
    ...only({ legs: ['responseUp'] }, removed(ShownConfig, 'MacAddress', { down: '' })),
  ],
  examples: {
    'ContainerCreate requestUp body': [
      [
        { MacAddress: MAC, HostConfig: { NetworkMode: 'own' } },
        { HostConfig: { NetworkMode: 'own' }, NetworkingConfig: { EndpointsConfig: { own: { MacAddress: MAC } } } },
      ],
      [{ MacAddress: MAC, HostConfig: { NetworkMode: 'host' } }, /mac-address and the network mode/],
    ],
    'ContainerInspect responseDown body': [
      [{ Storage: { RootFS: { Snapshot: { Name: 'overlay' } } } }, { GraphDriver: { Name: 'overlay', Data: null } }],
      [{ GraphDriver: { Name: 'vfs', Data: null } }],
    ],
  },
} satisfies Change

const IMAGE_MEMBERS = { Parent: '', Comment: '', DockerVersion: '', Author: '' } as const

export const imageInspectOmitEmpty = {
  gate: 'prefix',
  summary: 'Empty members of an image and its configuration are omitted.',
  see: 'docs/api/version-history.md v1.52; api/server/router/image/inspect_response.go @docker-v29.0.0',
  ops: [
    ...Object.entries(IMAGE_ZEROS).map(([name, zero]) => omittedWhenEmpty(ImageConfig, name, zero, { bothWays: true })),
    ...Object.entries(IMAGE_MEMBERS).map(([name, zero]) =>
      omittedWhenEmpty(ImageInspect, name, zero, { bothWays: true }),
    ),
    // Omitted with the containerd store; this answer does not name the snapshotter.
    omittedWhenEmpty(ImageInspect, 'GraphDriver', { Name: '', Data: null }),
  ],
} satisfies Change
