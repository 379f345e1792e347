import { onSide } from '../src/api/shapes/shape.ts'
import { HostConfig, PluginInterface } from '../src/api/shapes/shapes.ts'
import { TaskContainerSpec, TaskSpec } from '../src/api/shapes/swarm-shapes.ts'
import { added, addedAll, type Changes, headRetyped } from '../src/translate/ops.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'

export default {
  '1.38/masked-paths': {
    summary: 'A container can choose its masked and read-only kernel paths.',
    see: 'docs/api/v1.38.yaml, HostConfig; api/types/container/host_config.go @v18.06.3',
    // Null means the engine's default list; an empty list turns the protection off.
    ops: addedAll(HostConfig, ['MaskedPaths', 'ReadonlyPaths'], {
      sample: [],
      saysByBeing: true,
      up: null,
      onLoss: 'refuse',
    }),
  },
  '1.38/plugin-protocol': {
    summary: 'A plugin can name the protocol it speaks.',
    see: 'api/types/plugin.go:PluginConfigInterface @v18.03, @v18.06',
    ops: added(PluginInterface, 'ProtocolScheme', { sample: 'moby.plugins.http/v1' }),
  },
  '1.38/task-attachment': {
    summary: 'Tasks show which container they attach to a network.',
    see: 'docs/api/v1.38.yaml, TaskSpec; daemon/cluster/convert/service.go @v18.06 (requests with it are refused)',
    ops: added(onSide(TaskSpec, 'response'), 'NetworkAttachmentSpec', { sample: { ContainerID: 'c' } }),
  },
  '1.38/archive-compressed': {
    summary: 'An archive of a container is compressed if the client accepts that.',
    see: 'container/copy.go:writeCompressedResponse (moby#36164); docker-java#1079, of 18.06; seen on 20.10',
    ops: headRetyped(['ContainerArchive', 'ContainerCopy'], 'header Accept-Encoding', { toNewer: null }),
  },
  '1.38/swarm-members': swarmMembers({
    summary: 'Containers of services can have an init process.',
    see: 'docs/api/v1.38.yaml, TaskSpec',
    members: [{ of: TaskContainerSpec, samples: { Init: true } }],
  }),
} satisfies Changes
