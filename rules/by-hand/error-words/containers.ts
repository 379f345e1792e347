import { olderErrors } from './words.ts'

const NOT_RUNNING = /^Container (\w+) is not running$/i
const ID = /\b[0-9a-f]{64}\b/
const STOP_IT = 'Stop the container before attempting removal or use -f'
const IS_REMOVED_RUNNING =
  'Conflict, You cannot remove a running container. Stop the container before attempting removal or use -f'

/** Errors due to the state of a container. Recorded like those of create, as …-exited, …-again, …-paused and start-…. */
export const containers = olderErrors({
  ContainerList: [
    [
      /^invalid filter 'status=(.*?)'/i,
      '1.24 500 Unrecognised filter value for status: $1',
      '1.21 500 Unrecognised filter value for status',
      ['1.19 200', []], // accepted, and no container matched
    ],
    [/^invalid filter '\w+=[^']*': (strconv\..*)$/i, '1.24 500 $1'],
    [/^no such container (\S+)$/, '1.24 No such container: $1'],
  ],
  ContainerListPs: [[/^page not found$/, '1.24', '1.22 404 404 page not found']],
  ContainerStart: [
    // A port in use. Newer errors do not name the network; engines up to 1.10 rarely published ports on any but bridge.
    [
      /^driver failed programming external connectivity on endpoint (\S+) \(\w+\): (.*)$/s,
      '1.24 500',
      '1.22 500 failed to create endpoint $1 on network bridge: $2',
      '1.21 500 Cannot start container {name}: failed to create endpoint $1 on network bridge: $2',
      '1.20 500 Cannot start container {name}: $2',
    ],
    [
      /\bnetwork (\S+) not found$/,
      '1.24 404 network $1 not found',
      '1.21 500 Cannot start container {name}: network $1 not found',
      '1.19 404 Cannot start container {name}: error locating network with name $1: network $1 not found',
      '1.18 500 Cannot start container {name}: invalid network mode: $1',
    ],

    // The container whose network is shared does not exist. If the started container does not exist, the error has its
    // name as requested.
    [
      /^(?:joining network namespace of container: )?No such container: (\S+)$/,
      { when: ({ name }, found) => found[1] !== name },
      '1.24 404 No such container: $1',
      '1.21 500 Cannot start container {name}: no such id: $1',
      '1.20 404 Cannot start container {name}: no such id: $1',
    ],
    [
      /^Cannot link to a non running container: (\S+) AS \S+$/,
      '1.24 500',
      '1.21 500 Cannot start container {name}: Cannot link to $1, as it does not belong to the default network',
      '1.20 500 Cannot start container {name}: $0',
    ],
    [
      /^error gathering device information while adding custom device "(.+)": no such file or directory$/,
      `1.24 404 linux runtime spec devices: ${device('$1')}`,
      `1.22 500 ${device('$1')}`,
      `1.21 500 Cannot start container {name}: ${device('$1')}`,
      `1.20 404 Cannot start container {name}: ${device('$1')}`,
    ],

    // The Docker CLI of 1.10 derives its exit code from these texts (api/client/run.go:runStartContainerErr @v1.10.3).
    [
      /exec: "((?:[^"\\]|\\.)+)": ([^"]*?(?:no such file or directory|executable file not found in \$PATH))(: unknown)?$/,
      '1.24 500',
      '1.22 500 Container command not found or does not exist.',
      '1.21 500 Cannot start container {name}: [8] System error: exec: "$1": $2',
      '1.20 404 Cannot start container {name}: [8] System error: exec: "$1": $2',
    ],
    [
      /exec: "((?:[^"\\]|\\.)+)": permission denied(: unknown)?$/,
      '1.24 500',
      '1.22 500 Container command could not be invoked.',
      '1.21 500 Cannot start container {name}: [8] System error: exec: "$1": permission denied',
    ],
    [
      /^cannot start a paused container, try unpause instead$/,
      '1.24 500 Cannot start a paused container, try unpause instead.',
    ],
  ],
  ContainerKill: [
    [
      /^cannot kill container: (\S+): container (\w+) is not running$/i,
      '1.24 500 Cannot kill container $1: Container $2 is not running',
      '1.21 500 Cannot kill container $1: notrunning: Container $2 is not running',
      '1.20 500 Cannot kill container $1: Container $2 is not running',
    ],
    [/^cannot kill container: (\S+): (No such container: \S+)$/i, '1.24 404 Cannot kill container $1: $2'],
    [/^(?:cannot kill container: \S+: )?invalid signal: (.*)$/i, '1.24 500 Invalid signal: $1'],
  ],
  ContainerPause: [
    [
      NOT_RUNNING,
      '1.24 500 Container $1 is not running',
      '1.22 500 Cannot pause container {name}: notrunning: Container $1 is not running',
      '1.20 500 Cannot pause container {name}: Container $1 is not running',
    ],
    [
      /^Container \w+ is already paused$/i,
      '1.24 500',
      '1.22 500 Cannot pause container {name}: alreadypaused: $0',
      '1.20 500 Cannot pause container {name}: $0',
    ],
  ],
  ContainerUnpause: [
    // Newer errors do not say whether the container runs; these are the texts for a running one.
    [
      /^Container \w+ is not paused$/i,
      '1.24',
      '1.22 500 Cannot unpause container {name}: notpaused: $0',
      '1.20 500 Cannot unpause container {name}: $0',
      '1.19 500 Cannot unpause container {name}: $0, so what',
      '1.18 500 Cannot unpause container {name}: $0',
    ],
  ],
  'ContainerTop ContainerExec': [
    [NOT_RUNNING, '1.24 500 Container $1 is not running', '1.22 500 Container {name} is not running'],
  ],
  ContainerTop: [[/^ps: /, '1.24 500 Error running ps: exit status 1']],
  ContainerResize: [
    [
      NOT_RUNNING,
      '1.24 500 Container $1 is not running',
      '1.19 500 Cannot resize container $1, container is not running',
    ],
  ],
  'ContainerResize ExecResize': [
    [
      /^(?:strconv\.Atoi: parsing|invalid resize \w+) "(.*)": invalid syntax$/,
      '1.24 500 strconv.Atoi: parsing "$1": invalid syntax',
    ],
  ],
  'ContainerAttach ContainerAttachWebsocket': [
    [
      /^container (.+) is paused, unpause the container before attach$/i,
      '1.24 409 Container $1 is paused. Unpause the container before attach',
    ],
  ],
  ContainerRename: [
    [
      /^Error when allocating new name: Invalid container name \(\/?(.*?)\),/,
      '1.24 500',
      '1.21 500 Error when allocating new name: Invalid container name ($1), only [a-zA-Z0-9][a-zA-Z0-9_.-] are allowed',
    ],
    [
      /^Neither old nor new names may be empty$/,
      '1.24 500',
      '1.20 500 usage: docker rename OLD_NAME NEW_NAME',
      '1.18 500 Error when allocating new name: Invalid container name (), only [a-zA-Z0-9][a-zA-Z0-9_.-] are allowed',
    ],

    // Engine 1.10 accepted it, and lost the name.
    [/^Renaming a container with the same name as its current name$/, '1.24 500', '1.22', '1.21 500', '1.20 409'],
  ],
  ContainerDelete: [
    // To engine 1.12 paused and restarting containers were running (container.IsRunning).
    [
      /^(?:You cannot remove a (?:running|paused|restarting) container \w+\. |cannot remove container ".*": container is (?:(?:running|restarting): |paused ))/,
      [
        '1.24 409',
        ([text], { name }) => `You cannot remove a running container ${ID.exec(text)?.[0] ?? name}. ${STOP_IT}`,
      ],
      `1.22 409 ${IS_REMOVED_RUNNING}`,
      `1.20 409 Cannot destroy container {name}: ${IS_REMOVED_RUNNING}`,
      `1.18 409 ${IS_REMOVED_RUNNING}`,
    ],

    // Engine 1.10 panicked.
    [
      /^invalid name or ID supplied: ""$/,
      '1.24 400 No container name or ID supplied',
      '1.22',
      '1.21 404 no such id: ""',
      "1.18 500 Prefix can't be empty",
    ],
    [
      /^conflict, cannot remove the default link name of the container$/i,
      '1.24 409 Conflict, cannot remove the default name of the container',
    ],
  ],
  ContainerExec: [[/^No exec command specified$/, ['1.24 500', ([text], { bodiless }) => (bodiless ? 'EOF' : text)]]],
  'ExecInspect ExecStart ExecResize': [
    [/^No such exec instance: (.+)$/, "1.24 404 No such exec instance '$1' found in daemon"],
  ],
  ExecStart: [
    [/^(?:Error: )?exec command (\w+) is already running$/i, '1.24 500 Error: Exec command $1 is already running'],
    [/^(?:Error: )?exec command (\w+) has already run$/i, '1.24 409 Error: Exec command $1 has already run', '1.21'],
  ],
  ContainerAttachWebsocket: [
    // Errors of the API server, not of the daemon.
    [/^not websocket protocol$/, '1.24'],
  ],
  SystemEvents: [[/^`since` time .* cannot be after `until` time/, '1.24 400']],
  'ContainerExec VolumeCreate NetworkCreate': [[/^got EOF while reading request body$/, '1.24 500 EOF']],
})

function device(path: string): string {
  const gathering = 'error gathering device information while adding custom device'
  return `${gathering} "${path}": lstat ${path}: no such file or directory`
}
