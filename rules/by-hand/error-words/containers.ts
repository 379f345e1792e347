import type { ErrorTextsOptions } from '../../../src/translate/ops/calls/error-texts.ts'

const ID = /\b[0-9a-f]{64}\b/

export const holes: ErrorTextsOptions['holes'] = {
  // If the started container itself does not exist, the error has its name as requested.
  joined: ({ found, name }) => (found['word'] === name ? undefined : found['word']),
  removed: ({ found, name }) => ID.exec(found['all'] ?? '')?.[0] ?? name,
  noExec: ({ found, body }) => (body === false ? 'EOF' : found['all']),
}

/** Errors due to the state of a container. Recorded like those of create, as …-exited, …-again, …-paused and start-…. */
export const containers = `
  ContainerList
    invalid filter 'status={status}'{rest}
      1.24 500 Unrecognised filter value for status: {status}
      1.21 500 Unrecognised filter value for status
      # accepted, and no container matched
      1.19 200 []
    invalid filter '{word}={value}': strconv.{rest}
      1.24 500 strconv.{rest}
    no such container {word}
      1.24 No such container: {word}
  ContainerListPs
    page not found
      1.24
      1.22 404 404 page not found
  ContainerStart
    # A port in use. Newer errors do not name the network; engines up to 1.10 rarely published ports on any but bridge.
    driver failed programming external connectivity on endpoint {word} ({endpoint}): {rest}
      1.24 500
      1.22 500 failed to create endpoint {word} on network bridge: {rest}
      1.21 500 Cannot start container {name}: failed to create endpoint {word} on network bridge: {rest}
      1.20 500 Cannot start container {name}: {rest}
    network {word} not found
    {rest}: network {word} not found
      1.24 404 network {word} not found
      1.21 500 Cannot start container {name}: network {word} not found
      1.19 404 Cannot start container {name}: error locating network with name {word}: network {word} not found
      1.18 500 Cannot start container {name}: invalid network mode: {word}
    # The container whose network is shared does not exist.
    {joining=joining network namespace of container: |}No such container: {word}
      1.24 404 No such container: {joined}
      1.21 500 Cannot start container {name}: no such id: {joined}
      1.20 404 Cannot start container {name}: no such id: {joined}
    Cannot link to a non running container: {word} AS {word2}
      1.24 500
      1.21 500 Cannot start container {name}: Cannot link to {word}, as it does not belong to the default network
      1.20 500 Cannot start container {name}: {all}
    error gathering device information while adding custom device "{path}": no such file or directory
      1.24 404 linux runtime spec devices: error gathering device information while adding custom device "{path}": lstat {path}: no such file or directory
      1.22 500 error gathering device information while adding custom device "{path}": lstat {path}: no such file or directory
      1.21 500 Cannot start container {name}: error gathering device information while adding custom device "{path}": lstat {path}: no such file or directory
      1.20 404 Cannot start container {name}: error gathering device information while adding custom device "{path}": lstat {path}: no such file or directory
    # The Docker CLI of 1.10 derives its exit code from these texts (api/client/run.go:runStartContainerErr @v1.10.3).
    {rest}exec: "{path}": {call}{why=no such file or directory|executable file not found in $PATH}{tail=: unknown|}
      1.24 500
      1.22 500 Container command not found or does not exist.
      1.21 500 Cannot start container {name}: [8] System error: exec: "{path}": {call}{why}
      1.20 404 Cannot start container {name}: [8] System error: exec: "{path}": {call}{why}
    {rest}exec: "{path}": permission denied{tail=: unknown|}
      1.24 500
      1.22 500 Container command could not be invoked.
      1.21 500 Cannot start container {name}: [8] System error: exec: "{path}": permission denied
    cannot start a paused container, try unpause instead
      1.24 500 Cannot start a paused container, try unpause instead.
    # Errors of libcontainer, part of engines up to 1.10, and later of runc. Seen on engines 1.9.1 and 1.10.3.
    {rest}unable to find {kind=user|group} {word}: no matching entries in {word2} file{rest2}
      1.24 500
      1.22 500 Cannot start container {name}: [9] System error: Unable to find {kind} {word}
      1.21 500 Cannot start container {name}: [8] System error: Unable to find {kind} {word}
    {rest}uids and gids must be in range {n}-{n2}{rest2}
      1.24 500
      1.22 500 Cannot start container {name}: [9] System error: Uids and gids must be in range {n}-{n2}
      1.21 500 Cannot start container {name}: [8] System error: Uids and gids must be in range {n}-{n2}
    {rest}the {bound=minimum|maximum} allowed cpu-shares is {n}{rest2}
      1.24 500
      1.22 500 Cannot start container {name}: [9] System error: The {bound} allowed cpu-shares is {n}
      1.21 500 Cannot start container {name}: [8] System error: The {bound} allowed cpu-shares is {n}
  ContainerKill
    cannot kill container: {word}: container {word2} is not running
      1.24 500 Cannot kill container {word}: Container {word2} is not running
      1.21 500 Cannot kill container {word}: notrunning: Container {word2} is not running
      1.20 500 Cannot kill container {word}: Container {word2} is not running
    cannot kill container: {word}: No such container: {word2}
      1.24 404 Cannot kill container {word}: No such container: {word2}
    cannot kill container: {word}: invalid signal: {signal}
    invalid signal: {signal}
      1.24 500 Invalid signal: {signal}
  ContainerPause
    container {word} is not running
      1.24 500 Container {word} is not running
      1.22 500 Cannot pause container {name}: notrunning: Container {word} is not running
      1.20 500 Cannot pause container {name}: Container {word} is not running
    container {word} is already paused
      1.24 500
      1.22 500 Cannot pause container {name}: alreadypaused: {all}
      1.20 500 Cannot pause container {name}: {all}
  ContainerUnpause
    # Newer errors do not say whether the container runs; these are the texts for a running one.
    container {word} is not paused
      1.24
      1.22 500 Cannot unpause container {name}: notpaused: {all}
      1.20 500 Cannot unpause container {name}: {all}
      1.19 500 Cannot unpause container {name}: {all}, so what
      1.18 500 Cannot unpause container {name}: {all}
  ContainerTop ContainerExec
    container {word} is not running
      1.24 500 Container {word} is not running
      1.22 500 Container {name} is not running
  ContainerTop
    ps: {rest}
      1.24 500 Error running ps: exit status 1
  ContainerResize
    container {word} is not running
      1.24 500 Container {word} is not running
      1.19 500 Cannot resize container {word}, container is not running
  ContainerResize ExecResize
    strconv.Atoi: parsing "{value}": invalid syntax
    invalid resize {word} "{value}": invalid syntax
      1.24 500 strconv.Atoi: parsing "{value}": invalid syntax
  ContainerAttach ContainerAttachWebsocket
    container {c} is paused, unpause the container before attach
      1.24 409 Container {c} is paused. Unpause the container before attach
  ContainerRename
    Error when allocating new name: Invalid container name ({slash=/|}{c}),{rest}
      1.24 500
      1.21 500 Error when allocating new name: Invalid container name ({c}), only [a-zA-Z0-9][a-zA-Z0-9_.-] are allowed
    Neither old nor new names may be empty
      1.24 500
      1.20 500 usage: docker rename OLD_NAME NEW_NAME
      1.18 500 Error when allocating new name: Invalid container name (), only [a-zA-Z0-9][a-zA-Z0-9_.-] are allowed
    # Engine 1.10 accepted it, and lost the name.
    Renaming a container with the same name as its current name
      1.24 500
      1.22
      1.21 500
      1.20 409
  ContainerDelete
    # To engine 1.12 paused and restarting containers were running (container.IsRunning).
    You cannot remove a {state=running|paused|restarting} container {word}. {rest}
    cannot remove container "{c}": container is {is=running: |restarting: |paused }{rest}
      1.24 409 You cannot remove a running container {removed}. Stop the container before attempting removal or use -f
      1.22 409 Conflict, You cannot remove a running container. Stop the container before attempting removal or use -f
      1.20 409 Cannot destroy container {name}: Conflict, You cannot remove a running container. Stop the container before attempting removal or use -f
      1.18 409 Conflict, You cannot remove a running container. Stop the container before attempting removal or use -f
    # Engine 1.10 panicked.
    invalid name or ID supplied: ""
      1.24 400 No container name or ID supplied
      1.22
      1.21 404 no such id: ""
      1.18 500 Prefix can't be empty
    conflict, cannot remove the default link name of the container
      1.24 409 Conflict, cannot remove the default name of the container
  ContainerExec
    No exec command specified
      1.24 500 {noExec}
  ExecInspect ExecStart ExecResize
    No such exec instance: {word}
      1.24 404 No such exec instance '{word}' found in daemon
  ExecStart
    {error=Error: |}exec command {word} is already running
      1.24 500 Error: Exec command {word} is already running
    {error=Error: |}exec command {word} has already run
      1.24 409 Error: Exec command {word} has already run
      1.21
  ContainerAttachWebsocket
    # Errors of the API server, not of the daemon.
    not websocket protocol
      1.24
  SystemEvents
    \`since\` time {since} cannot be after \`until\` time{rest}
      1.24 400
  ContainerExec VolumeCreate NetworkCreate
    got EOF while reading request body
      1.24 500 EOF
`
