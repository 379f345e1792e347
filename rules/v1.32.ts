import { Info } from '../src/api/shapes/shapes.ts'
import { NodeResources, Task, TaskReservations } from '../src/api/shapes/swarm-shapes.ts'
import { added, type Changes, errorTexts, queryAdded, retyped, valueAdded } from '../src/translate/ops.ts'
import { CreateHostConfig, ShownHostConfig } from './by-hand/places.ts'
import { isOwnPlatform } from './by-hand/platform.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'

export default {
  '1.32/info-generic-resources': {
    summary: 'Info lists generic resources, such as GPUs.',
    see: 'types.go:Info @v17.09; not in the documents',
    ops: added(Info, 'GenericResources', { sample: [{}], up: null }),
  },
  '1.32/ipc-mode-values': {
    summary: 'An IPC namespace can be private, and inspect shows the effective mode instead of an unset one.',
    see: 'docs/api/version-history.md v1.32; daemon/create_unix.go @v17.09.0; recordings 1.6.2 … 1.12.6 (IpcMode "")',
    ops: [
      // Older engines always share the namespace.
      retyped(CreateHostConfig, 'IpcMode', { toOlder: [['shareable', '']] }),
      valueAdded(CreateHostConfig, 'IpcMode', ['private', 'none']),
      retyped(ShownHostConfig, 'IpcMode', {
        toOlder: [['shareable', '']],
        description: 'HostConfig.IpcMode: shareable is shown as unset',
      }),
    ],
  },
  '1.32/image-name-status': {
    summary: 'An invalid name of an image to inspect is a bad request; before, the image was not found.',
    see: 'daemon/image.go:GetImageIDAndPlatform @v17.07.0, @v17.09.0; moby integration-cli TestInspectInvalidReference @v17.06.0',
    ops: errorTexts(`
      ImageInspect
        400 no such image: {image}: invalid reference format{more}
          404 no such image: {image}: invalid reference format{more}
    `),
  },
  '1.32/platform-param': {
    gate: 'prefix',
    summary: 'Pulls and builds can name a platform.',
    see: 'docs/api/version-history.md v1.32; image_routes.go:postImagesCreate',
    ops: queryAdded(['ImageCreate', 'ImageBuild'], 'platform', {
      sample: 'linux/arm64',
      onLoss: 'refuse',
      neutral: isOwnPlatform,
    }),
    examples: {
      'ImageCreate requestDown': [['fromImage=busybox&platform=linux/x86_64', 'fromImage=busybox', { losses: [] }]],
    },
  },
  '1.32/swarm-members': swarmMembers({
    summary: 'Nodes have generic resources, which services can reserve.',
    see: 'docs/api/v1.32.yaml, GenericResources',
    members: [
      { of: TaskReservations, samples: { GenericResources: [{ DiscreteResourceSpec: { Kind: 'GPU', Value: 2 } }] } },
      { of: NodeResources, samples: { GenericResources: [{ DiscreteResourceSpec: { Kind: 'GPU', Value: 2 } }] } },
      { of: Task, samples: { AssignedGenericResources: [{ DiscreteResourceSpec: { Kind: 'GPU', Value: 2 } }] } },
      // Documented as AssignedGenericResources, sent as GenericResources (api/types/swarm/task.go @v17.09).
      { of: Task, samples: { GenericResources: [{ DiscreteResourceSpec: { Kind: 'GPU', Value: 2 } }] } },
    ],
  }),
} satisfies Changes
