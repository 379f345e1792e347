import { listOf, memberAt, stringOf } from '../../src/api/json/json.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import { errorTexts } from '../../src/translate/ops.ts'
import { tagged } from '../by-hand/references.ts'

/** Errors of Podman 5.4.2, each seen, and what Docker 20.10.24 (API 1.41 as well) answered to the same call. */
const table = `
  ContainerInspect ContainerStart ContainerStop ContainerRestart ContainerKill ContainerPause ContainerUnpause ContainerTop ContainerLogs ContainerStats ContainerAttach ContainerAttachWebsocket ContainerResize ContainerRename ContainerDelete ContainerExec ContainerUpdate ContainerExport ContainerArchive ContainerArchiveInfo PutContainerArchive ContainerCopy ImageCommit NetworkConnect NetworkDisconnect
    404 {rest}no container with {order=name or ID|ID or name} "{word}" found: no such container
      404 No such container: {word}
  ContainerWait
    404 no such container
      404 No such container: {name}
  ContainerChanges
    500 {word} not found: layer not known
      404 No such container: {name}
  ContainerCreate
    404 no such image: {rest}: image not known
      404 No such image: {image}
    500 {rest}the container name "{word}" is already in use by {id}. You have to remove that container to be able to reuse that name: that name is already in use
      409 Conflict. The container name "/{word}" is already in use by container "{id}". You have to remove (or rename) that container to be able to reuse that name.
    {rest}parsing reference "": repository name must have at least one component
      400 Config cannot be empty in order to create a container
    {rest}invalid value {list} for cpuset {kind=cpus|mems}
      400 Invalid value {list} for cpuset {kind}
    500 fill out specgen: invalid signal: {list}
      400 Invalid signal: {list}
    500 {rest}invalid log driver: invalid argument
      400 error looking up logging plugin {logDriver}: plugin "{logDriver}" not found
    500 container create: "{capability}": unknown capability
      400 invalid {capabilities}: unknown capability: "{capability}"
    500 {rest}minimum memoryswap limit should be larger than memory limit, see usage
      400 Minimum memoryswap limit should be larger than memory limit, see usage
    500 fill out specgen: the --rm option conflicts with --restart, {rest}
      400 can't create 'AutoRemove' container with restart policy
  ContainerUpdate
    404 Not Found
      501 this Podman cannot update a container: 5.2 and newer can
  ContainerCreate ContainerUpdate
    500 {rest}"{policy}" is not a valid restart policy: invalid argument
      400 invalid restart policy '{policy}'
  ContainerCreate
    500 {rest}creating named volume "{volume}": running volume create option: names must match {rest2}
      400 create {volume}: "{volume}" includes invalid characters for a local volume name, only "[a-zA-Z0-9][a-zA-Z0-9_.-]" are allowed. If you intended to pass a host directory, use absolute path
  ContainerCreate ContainerRename
    500 {rest}names must match [a-zA-Z0-9][a-zA-Z0-9_.-]*: invalid argument
      400 Invalid container name ({asked}), only [a-zA-Z0-9][a-zA-Z0-9_.-] are allowed
  ContainerRename
    500 {rest}UNIQUE constraint failed: ContainerConfig.Name{rest2}
      409 Error when allocating new name: Conflict. The container name "/{asked}" is already in use. You have to remove (or rename) that container to be able to reuse that name.
  ContainerStart
    500 {runtime=runc|crun}: {rest}: OCI {why=runtime attempted to invoke a command that was not found|permission denied}
      400 failed to create shim task: OCI runtime create failed: {rest}: unknown
  ContainerDelete
    500 cannot remove container {id} as it is running - running or paused containers cannot be removed without force: container state improper
      409 You cannot remove a running container {id}. Stop the container before attempting removal or force remove
    500 cannot remove container {id} as it is paused - running or paused containers cannot be removed without force: container state improper
      409 You cannot remove a paused container {id}. Unpause and then stop the container before attempting removal or force remove
  ContainerPause
    500 "{id}" is already paused: container state improper
      409 Container {id} is already paused
    500 "{state}" is not running, can't pause: container state improper
      409 Container {name} is not running
  ContainerUnpause
    500 "{id}" is not paused, can't unpause: container state improper
      500 Container {id} is not paused
  ContainerKill
    can only kill running containers. {id} is in state {word}: container state improper
      409 Cannot kill container: {name}: Container {id} is not running
    500 invalid signal: {word}
      400 Invalid signal: {word}
  ContainerTop
    500 top can only be used on running containers
      409 Container {name} is not running
  ContainerResize
    409 can only resize created or running containers: container state improper
      409 Container {name} is not running
  ContainerExec
    500 can only create exec sessions on running containers: container state improper
      409 Container {name} is not running
    409 cannot create exec session as container {id} is paused
      409 Container {name} is paused, unpause the container before exec
    500 must provide a non-empty command to start an exec session: invalid argument
      400 No exec command specified
  ExecInspect ExecStart ExecResize
    404 no exec session with ID {word} found: no such exec session
      404 No such exec instance: {word}
  ContainerLogs
    400 Bad Request: you must choose at least one stream for {rest}
      400 Bad parameters: you must choose at least one stream
  ContainerArchive
    404 no such file or directory
      404 Could not find the file {path} in container {name}
  ImageInspect ImageHistory ImageTag ImageDelete ImageGet ImagePush
    404 failed to find image {rest}
      404 No such image: {tagged}
  ImageDelete
    409 image {list} is in use: image used by {id}: {rest}
      409 conflict: unable to remove repository reference "{name}" (must force) - container {short} is using its referenced image
  ContainerList ContainerListPs ContainerPrune
    500 unknown container state: {list}: invalid argument
      400 Invalid filter 'status={list}'
    500 {list} is an invalid filter
      400 Invalid filter '{list}'
  NetworkList NetworkPrune
    500 invalid filter "{list}"
      400 Invalid filter '{list}'
  ImageList ImagePrune
    500 invalid image filter "{list}": must be in the format "filter=value or filter!=value"
      400 Invalid filter '{list}'
  VolumeList
    500 {rest}\\"{word}\\" is an invalid volume filter{rest2}
      400 Invalid filter '{word}'
  VolumeList VolumePrune
    500 {rest}"{list}" is an invalid volume filter{rest2}
      400 Invalid filter '{list}'
  NetworkInspect NetworkConnect NetworkDisconnect NetworkDelete
    404 unable to find network with name or ID {word}: network not found
      404 network {word} not found
  NetworkDelete
    500 default network {word} cannot be removed
      403 bridge is a pre-defined network and cannot be removed
    500 "podman" has associated containers with it. {rest}
      403 bridge is a pre-defined network and cannot be removed
    404 network not found
      404 network {name} not found
    500 "{word}" has associated containers with it. Use -f to forcibly delete containers and pods: network is being used
      403 error while removing network: network {word} has active endpoints
  NetworkCreate
    network name {word} already used: network already exists
      409 network with name {word} already exists
    500 failed to find driver or plugin "{word}"
      404 plugin "{word}" not found
  VolumeCreate
    500 volume {word} uses volume plugin {plugin} but it could not be retrieved: {rest}
      404 create {word}: error looking up volume plugin {plugin}: plugin "{plugin}" not found
    500 running volume create option: names must match {rest}
      400 create {volumeAsked}: "{volumeAsked}" includes invalid characters for a local volume name, only "[a-zA-Z0-9][a-zA-Z0-9_.-]" are allowed. If you intended to pass a host directory, use absolute path
    500 invalid mount option {option} for driver 'local': invalid argument
      400 create {volumeAsked}: invalid option: "{option}"
  VolumeInspect VolumeDelete
    404 {rest}no such volume
      404 get {name}: no such volume
  VolumeDelete
    409 volume {word} is being used by the following container(s): {list}: volume is being used
      409 remove {word}: volume is in use - [{list}]
`

export default {
  'podman/error-words': {
    summary: 'Errors have other texts, and many are 500 that are 400, 404 or 409 on Docker.',
    see: 'Podman 5.4.2 and Docker 20.10.24, asked the same; pkg/api/handlers/compat @v5.4.2',
    ops: errorTexts(table, {
      everyProfile: true,
      remembers: ['ContainerCreate', 'VolumeCreate'],
      holes: {
        asked: ({ query }) => query.get('name') ?? '',
        path: ({ query }) => query.get('path') ?? '',
        image: ({ body }) => tagged(stringOf(memberAt(body, 'Image'))),
        tagged: ({ name }) => tagged(name),
        logDriver: ({ body }) => stringOf(memberAt(body, 'HostConfig', 'LogConfig', 'Type')),
        volumeAsked: ({ body }) => stringOf(memberAt(body, 'Name')),
        capabilities: ({ body, found: { capability = '' } }) =>
          listOf(memberAt(body, 'HostConfig', 'CapDrop')).some((one) =>
            capability.endsWith(stringOf(one).toUpperCase()),
          )
            ? 'CapDrop'
            : 'CapAdd',
        short: ({ found: { id = '' } }) => id.slice(0, 12),
      },
      samples: [
        {
          query: 'name=b c&path=/x',
          body: { Image: 'web', Name: 'v', HostConfig: { LogConfig: { Type: 'gelf' } } },
          values: {
            ...{ asked: 'b c', path: '/x', image: 'web:latest', tagged: 'web:latest', volumeAsked: 'v' },
            ...{ logDriver: 'gelf', capability: 'CAP_A', capabilities: 'CapAdd', short: '0a0a0a0a0a0a' },
          },
        },
      ],
    }),
  },
} satisfies PodmanChanges
