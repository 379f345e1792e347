import { type OperationName, operationNamed, operationNames } from '../../api/operations.ts'

export interface Preset {
  readonly sentence: string
  readonly allows: ReadonlySet<OperationName>
  readonly bodies: 'none' | 'strict'
}

const starting = (...beginnings: string[]): OperationName[] =>
  operationNames.filter((name) => beginnings.some((beginning) => name.startsWith(beginning)))

/** GET operations that expose or change more than readers need: process input, file systems, keys, payloads. */
const NOT_FOR_READERS: ReadonlySet<OperationName> = new Set<OperationName>([
  'ContainerAttachWebsocket',
  'ContainerArchive',
  'ContainerArchiveInfo',
  'ContainerExport',
  'ImageGet',
  'ImageGetAll',
  'SwarmUnlockKey',
  'SwarmInspect', // contains the join token of managers
  'ConfigList',
  'ConfigInspect',
])

const BASICS: readonly OperationName[] = ['SystemPing', 'SystemPingHead', 'SystemVersion', 'SystemInfo', 'SystemEvents']

const readers = operationNames.filter(
  (name) => ['GET', 'HEAD'].includes(operationNamed(name).method) && !NOT_FOR_READERS.has(name),
)

/** What well-known clients need, by their documentation and source. */
export const presets: Readonly<Record<string, Preset>> = {
  all: {
    sentence: 'every endpoint that is known; for rules on bodies alone',
    allows: new Set(operationNames),
    bodies: 'none',
  },
  'read-only': {
    sentence: 'looking only: no files out of containers or images, no input to processes, no configs, no swarm keys',
    allows: new Set(readers),
    bodies: 'none',
  },
  traefik: {
    sentence: 'the Docker and Swarm providers of Traefik',
    allows: new Set<OperationName>([
      ...BASICS,
      ...(['ContainerList', 'ContainerInspect', 'NetworkList', 'NetworkInspect'] as const),
      ...(['ServiceList', 'ServiceInspect', 'TaskList', 'NodeList', 'NodeInspect'] as const),
    ]),
    bodies: 'none',
  },
  portainer: {
    sentence:
      'Portainer: all of containers, images, networks, volumes and services; no plugins, no change of the swarm',
    allows: new Set<OperationName>([
      ...readers,
      ...starting('Container', 'Exec', 'Image', 'Build', 'Volume', 'Network', 'Node', 'Service', 'Task', 'Secret'),
      'PutContainerArchive', // Compose copies configs and secrets into containers
      ...starting('Config', 'System', 'Distribution'),
      // It contains join tokens too, but Portainer needs the swarm's id to deploy stacks; and a client that may create
      // any container controls the host anyway.
      'SwarmInspect',
    ]),
    bodies: 'none',
  },
  watchtower: {
    sentence: 'Watchtower: pulls images and makes containers again from them',
    allows: new Set<OperationName>([
      ...BASICS,
      ...(['ContainerList', 'ContainerInspect', 'ContainerCreate', 'ContainerStart', 'ContainerStop'] as const),
      ...(['ContainerKill', 'ContainerWait', 'ContainerRestart', 'ContainerRename', 'ContainerDelete'] as const),
      ...(['ContainerExec', 'ExecStart', 'ExecInspect', 'NetworkConnect', 'NetworkDisconnect'] as const),
      ...(['NetworkList', 'NetworkInspect', 'ImageList', 'ImageInspect', 'ImageCreate', 'ImageDelete'] as const),
      'DistributionInspect',
    ]),
    bodies: 'none',
  },
  ci: {
    sentence: 'builds and runs containers that get nothing of the host: rules on bodies are strict',
    allows: new Set<OperationName>([
      ...BASICS,
      ...starting('Container', 'Exec').filter((name) => name !== 'ContainerPrune'),
      ...starting('Image').filter((name) => name !== 'ImagePrune'),
      ...(['SystemAuth', 'Session', 'DistributionInspect', 'BuildCancel'] as const),
      ...(['VolumeList', 'VolumeCreate', 'VolumeInspect', 'VolumeDelete'] as const),
      ...(['NetworkList', 'NetworkCreate', 'NetworkInspect', 'NetworkConnect', 'NetworkDisconnect'] as const),
      ...(['NetworkDelete', 'PutContainerArchive'] as const),
    ]),
    bodies: 'strict',
  },
}
