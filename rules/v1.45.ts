import { type JsonObject, type JsonValue, listOf } from '../src/api/json/json.ts'
import { onlyIn, onSide } from '../src/api/shapes/shape.ts'
import { EndpointSettings, ImageInspect, Ipam, MountVolumeOptions } from '../src/api/shapes/shapes.ts'
import { type ApiVersion, apiVersion } from '../src/api/version.ts'
import { added, type Changes, errorTexts, filled, only, removed, retyped } from '../src/translate/ops.ts'
import { aliasesAsked, ownNames, userDefinedEndpoints } from './by-hand/endpoints.ts'
import { containerConfigFrom, IMAGE_ZEROS, RUN_TIME_ZEROS } from './by-hand/image-config.ts'

/** Engines up to 19.03 (1.40) had the short id alone, those up to 25.0 the host name as well (daemon/container_operations.go). */
const HAS_HOST_NAME = apiVersion(41)

function namesAt(container: JsonValue | undefined, version: ApiVersion): string[] {
  const [shortId, hostName] = ownNames(container)
  return [shortId, version < HAS_HOST_NAME ? '' : hostName].filter((name) => name !== '')
}

const SHORT = '0123456789ab'
const SH = { Cmd: ['sh'] }

/** The container `web` with these aliases in its networks. */
const inNetworks = (aliases: JsonObject) => ({
  Id: `${SHORT}cdef`,
  Config: { Hostname: 'web' },
  NetworkSettings: {
    Networks: Object.fromEntries(Object.entries(aliases).map(([name, Aliases]) => [name, { Aliases }])),
  },
})

export default {
  '1.45/image-container-config': {
    // The containerd store sends ContainerConfig null and Container "" at every version (engine 29, `29-overlayfs`
    // recordings), so the prefix does not decide. Members that an engine fills stay.
    summary: 'An image no longer shows the container it was built with, nor that container’s configuration.',
    see: 'docs/api/version-history.md v1.45; api/server/router/image/image_routes.go:getImagesByName',
    ops: [
      removed(ImageInspect, 'Container', { down: '' }),
      // Compose v1 reads image['ContainerConfig'] whenever it recreates a container: KeyError without it.
      filled(ImageInspect, 'ContainerConfig', ({ Config: config }) => containerConfigFrom(config), {
        samples: [[{ Config: SH }, { ...RUN_TIME_ZEROS, ...IMAGE_ZEROS, ...SH }]],
      }),
      // Engines show it below 1.45, so a target pinned below the client's version has it too.
      ...only({ legs: ['responseUp'], gate: 'prefix' }, removed(ImageInspect, 'ContainerConfig', { down: {} })),
    ],
  },
  '1.45/aliases-short-id': {
    gate: 'prefix',
    summary:
      'Aliases on a network are those of the request; before, they included the short id, and from 1.41 on the host name.',
    see: 'docs/api/version-history.md v1.45; daemon/inspect.go:getInspectData (engine 26)',
    ops: retyped(onSide(onlyIn(EndpointSettings, 'ContainerInspect'), 'response'), 'Aliases', {
      description: 'aliases on user-defined networks include the short id and the host name',
      toOlder: (aliases, endpoint, { client }, container) => {
        const names = namesAt(container, client)
        if (names.length === 0 || !userDefinedEndpoints(container).includes(endpoint)) return undefined
        return [...new Set([...listOf(aliases), ...names])]
      },
      toNewer: (aliases, endpoint, { target }, container) =>
        userDefinedEndpoints(container).includes(endpoint)
          ? aliasesAsked(aliases, namesAt(container, target))
          : undefined,
    }),
    examples: {
      'ContainerInspect responseDown body': [
        [
          inNetworks({ bridge: null, own: ['db'], other: null }),
          inNetworks({ bridge: null, own: ['db', SHORT, 'web'], other: [SHORT, 'web'] }),
        ],
        [inNetworks({ own: null }), inNetworks({ own: [SHORT] }), { client: '1.40' }],
      ],
      'ContainerInspect responseUp body': [
        [inNetworks({ own: ['db', SHORT, 'web'], other: [SHORT] }), inNetworks({ own: ['db'], other: null })],
        [inNetworks({ own: ['web', SHORT] }), inNetworks({ own: ['web'] }), { engine: '1.40' }],
      ],
    },
  },
  '1.45/volume-subpath': {
    gate: 'prefix',
    summary: 'A mount can be a subdirectory of a volume.',
    // Without it the container would get the whole volume.
    ops: added(MountVolumeOptions, 'Subpath', { sample: 'a', onLoss: 'refuse' }),
  },
  '1.45/kill-words': {
    summary: 'The error for a container that cannot be killed begins with a small letter.',
    see: 'api/server/router/container/container_routes.go:postContainersKill @v25.0.0, @v26.0.0; seen on 20.10, 28.5',
    ops: errorTexts(`
      ContainerKill
        cannot kill container: {rest}
          Cannot kill container: {rest}
    `),
  },
  '1.45/ipam-config-null': {
    summary: 'IPAM.Config of a network without its own subnet is null; before, an empty list.',
    see: 'recorded on 1.9.1 … 20.10.24 (network-inspect-none); engine 26.1 and 28.5 answer null',
    ops: retyped(onSide(Ipam, 'response'), 'Config', { toOlder: [[null, []]] }),
  },
} satisfies Changes
