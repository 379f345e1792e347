import { type OperationName, operationNamed, operationNames, operationsNamed } from '../../api/operations.ts'

export interface Preset {
  readonly sentence: string
  readonly allows: readonly OperationName[]
  readonly bodies?: 'strict'
}

const without = (names: readonly OperationName[], patterns: string): readonly OperationName[] => {
  const others = new Set(operationsNamed(patterns))
  return names.filter((name) => !others.has(name))
}

/**
 * GET operations without those that expose or change more than readers need: process input, file systems, keys,
 * payloads. SwarmInspect has the join token of managers.
 */
const readers = without(
  operationNames.filter((name) => ['GET', 'HEAD'].includes(operationNamed(name).method)),
  `ContainerAttachWebsocket ContainerArchive ContainerArchiveInfo ContainerExport ImageGet ImageGetAll SwarmUnlockKey
  SwarmInspect ConfigList ConfigInspect`,
)

const BASICS = 'SystemPing SystemPingHead SystemVersion SystemInfo SystemEvents'

/** The operations that well-known clients need, by their documentation and source. docs/policy.md: `npm run docs`. */
export const presets: Readonly<Record<string, Preset>> = {
  all: { sentence: 'every endpoint that is known; for rules on bodies alone', allows: operationNames },
  'read-only': {
    sentence: 'looking only: no files out of containers or images, no input to processes, no configs, no swarm keys',
    allows: readers,
  },
  traefik: {
    sentence: 'the Docker and Swarm providers of Traefik',
    allows: operationsNamed(`${BASICS} ContainerList ContainerInspect NetworkList NetworkInspect
      ServiceList ServiceInspect TaskList NodeList NodeInspect`),
  },
  portainer: {
    sentence:
      'Portainer: all of containers, images, networks, volumes and services; no plugins, no change of the swarm',
    // Compose copies configs and secrets into containers with PutContainerArchive. SwarmInspect contains join tokens too,
    // but Portainer needs the swarm's id to deploy stacks; and a client that may create any container controls the host.
    allows: operationsNamed(`${readers.join(' ')} Container* Exec* Image* Build* Volume* Network* Node* Service* Task*
      Secret* PutContainerArchive Config* System* Distribution* SwarmInspect`),
  },
  watchtower: {
    sentence: 'Watchtower: pulls images and makes containers again from them',
    allows: operationsNamed(`${BASICS} ContainerList ContainerInspect ContainerCreate ContainerStart ContainerStop
      ContainerKill ContainerWait ContainerRestart ContainerRename ContainerDelete ContainerExec ExecStart ExecInspect
      NetworkConnect NetworkDisconnect NetworkList NetworkInspect
      ImageList ImageInspect ImageCreate ImageDelete DistributionInspect`),
  },
  ci: {
    sentence: 'builds and runs containers that get nothing of the host: rules on bodies are strict',
    allows: without(
      operationsNamed(`${BASICS} Container* Exec* Image* SystemAuth Session DistributionInspect BuildCancel
        VolumeList VolumeCreate VolumeInspect VolumeDelete NetworkList NetworkCreate NetworkInspect NetworkConnect
        NetworkDisconnect NetworkDelete PutContainerArchive`),
      'ContainerPrune ImagePrune',
    ),
    bodies: 'strict',
  },
}
