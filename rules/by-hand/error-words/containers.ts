import type { Words } from './words.ts'

const NOT_RUNNING = /^Container (\w+) is not running$/i
const ID = /\b[0-9a-f]{64}\b/
const STOP_IT = 'Stop the container before attempting removal or use -f'
const IS_REMOVED_RUNNING =
  'Conflict, You cannot remove a running container. Stop the container before attempting removal or use -f'

/** Errors due to the state of a container. Recorded like those of create, as …-exited, …-again, …-paused and start-…. */
export const containers: readonly Words[] = [
  {
    on: 'ContainerList',
    says: /^invalid filter 'status=(.*?)'/i,
    was: [
      [24, 500, 'Unrecognised filter value for status: $1'],
      [21, 500, 'Unrecognised filter value for status'],
      [19, 200, []], // accepted, and no container matched
    ],
  },
  { on: 'ContainerList', says: /^invalid filter '\w+=[^']*': (strconv\..*)$/i, was: [[24, 500, '$1']] },
  { on: 'ContainerListPs', says: /^page not found$/, was: [[24], [22, 404, '404 page not found']] },
  { on: 'ContainerList', says: /^no such container (\S+)$/, was: [[24, undefined, 'No such container: $1']] },
  {
    // A port in use. Newer errors do not name the network; engines up to 1.10 rarely published ports on any but bridge.
    on: 'ContainerStart',
    says: /^driver failed programming external connectivity on endpoint (\S+) \(\w+\): (.*)$/s,
    was: [
      [24, 500],
      [22, 500, 'failed to create endpoint $1 on network bridge: $2'],
      [21, 500, 'Cannot start container {name}: failed to create endpoint $1 on network bridge: $2'],
      [20, 500, 'Cannot start container {name}: $2'],
    ],
  },
  {
    on: 'ContainerStart',
    says: /\bnetwork (\S+) not found$/,
    was: [
      [24, 404, 'network $1 not found'],
      [21, 500, 'Cannot start container {name}: network $1 not found'],
      [19, 404, 'Cannot start container {name}: error locating network with name $1: network $1 not found'],
      [18, 500, 'Cannot start container {name}: invalid network mode: $1'],
    ],
  },
  {
    // The container whose network is shared does not exist. If the started container does not exist, the error has its
    // name as requested.
    on: 'ContainerStart',
    says: /^(?:joining network namespace of container: )?No such container: (\S+)$/,
    when: ({ name }, found) => found[1] !== name,
    was: [
      [24, 404, 'No such container: $1'],
      [21, 500, 'Cannot start container {name}: no such id: $1'],
      [20, 404, 'Cannot start container {name}: no such id: $1'],
    ],
  },
  {
    on: 'ContainerStart',
    says: /^Cannot link to a non running container: (\S+) AS \S+$/,
    was: [
      [24, 500],
      [21, 500, 'Cannot start container {name}: Cannot link to $1, as it does not belong to the default network'],
      [20, 500, 'Cannot start container {name}: $0'],
    ],
  },
  {
    on: 'ContainerStart',
    says: /^error gathering device information while adding custom device "(.+)": no such file or directory$/,
    was: [
      [24, 404, `linux runtime spec devices: ${device('$1')}`],
      [22, 500, device('$1')],
      [21, 500, `Cannot start container {name}: ${device('$1')}`],
      [20, 404, `Cannot start container {name}: ${device('$1')}`],
    ],
  },
  {
    // The Docker CLI of 1.10 derives its exit code from these texts (api/client/run.go:runStartContainerErr @v1.10.3).
    on: 'ContainerStart',
    says: /exec: "((?:[^"\\]|\\.)+)": ([^"]*?(?:no such file or directory|executable file not found in \$PATH))(: unknown)?$/,
    was: [
      [24, 500],
      [22, 500, 'Container command not found or does not exist.'],
      [21, 500, 'Cannot start container {name}: [8] System error: exec: "$1": $2'],
      [20, 404, 'Cannot start container {name}: [8] System error: exec: "$1": $2'],
    ],
  },
  {
    on: 'ContainerStart',
    says: /exec: "((?:[^"\\]|\\.)+)": permission denied(: unknown)?$/,
    was: [
      [24, 500],
      [22, 500, 'Container command could not be invoked.'],
      [21, 500, 'Cannot start container {name}: [8] System error: exec: "$1": permission denied'],
    ],
  },
  {
    on: 'ContainerStart',
    says: /^cannot start a paused container, try unpause instead$/,
    was: [[24, 500, 'Cannot start a paused container, try unpause instead.']],
  },
  {
    on: 'ContainerKill',
    says: /^cannot kill container: (\S+): container (\w+) is not running$/i,
    was: [
      [24, 500, 'Cannot kill container $1: Container $2 is not running'],
      [21, 500, 'Cannot kill container $1: notrunning: Container $2 is not running'],
      [20, 500, 'Cannot kill container $1: Container $2 is not running'],
    ],
  },
  {
    on: 'ContainerKill',
    says: /^cannot kill container: (\S+): (No such container: \S+)$/i,
    was: [[24, 404, 'Cannot kill container $1: $2']],
  },
  {
    on: 'ContainerKill',
    says: /^(?:cannot kill container: \S+: )?invalid signal: (.*)$/i,
    was: [[24, 500, 'Invalid signal: $1']],
  },
  {
    on: 'ContainerPause',
    says: NOT_RUNNING,
    was: [
      [24, 500, 'Container $1 is not running'],
      [22, 500, 'Cannot pause container {name}: notrunning: Container $1 is not running'],
      [20, 500, 'Cannot pause container {name}: Container $1 is not running'],
    ],
  },
  {
    on: 'ContainerPause',
    says: /^Container \w+ is already paused$/i,
    was: [
      [24, 500],
      [22, 500, 'Cannot pause container {name}: alreadypaused: $0'],
      [20, 500, 'Cannot pause container {name}: $0'],
    ],
  },
  {
    // Newer errors do not say whether the container runs; these are the texts for a running one.
    on: 'ContainerUnpause',
    says: /^Container \w+ is not paused$/i,
    was: [
      [24],
      [22, 500, 'Cannot unpause container {name}: notpaused: $0'],
      [20, 500, 'Cannot unpause container {name}: $0'],
      [19, 500, 'Cannot unpause container {name}: $0, so what'],
      [18, 500, 'Cannot unpause container {name}: $0'],
    ],
  },
  {
    on: ['ContainerTop', 'ContainerExec'],
    says: NOT_RUNNING,
    was: [
      [24, 500, 'Container $1 is not running'],
      [22, 500, 'Container {name} is not running'],
    ],
  },
  { on: 'ContainerTop', says: /^ps: /, was: [[24, 500, 'Error running ps: exit status 1']] },
  {
    on: 'ContainerResize',
    says: NOT_RUNNING,
    was: [
      [24, 500, 'Container $1 is not running'],
      [19, 500, 'Cannot resize container $1, container is not running'],
    ],
  },
  {
    on: ['ContainerResize', 'ExecResize'],
    says: /^(?:strconv\.Atoi: parsing|invalid resize \w+) "(.*)": invalid syntax$/,
    was: [[24, 500, 'strconv.Atoi: parsing "$1": invalid syntax']],
  },
  {
    on: ['ContainerAttach', 'ContainerAttachWebsocket'],
    says: /^container (.+) is paused, unpause the container before attach$/i,
    was: [[24, 409, 'Container $1 is paused. Unpause the container before attach']],
  },
  {
    on: 'ContainerRename',
    says: /^Error when allocating new name: Invalid container name \(\/?(.*?)\),/,
    was: [
      [24, 500],
      [
        21,
        500,
        'Error when allocating new name: Invalid container name ($1), only [a-zA-Z0-9][a-zA-Z0-9_.-] are allowed',
      ],
    ],
  },
  {
    on: 'ContainerRename',
    says: /^Neither old nor new names may be empty$/,
    was: [
      [24, 500],
      [20, 500, 'usage: docker rename OLD_NAME NEW_NAME'],
      [
        18,
        500,
        'Error when allocating new name: Invalid container name (), only [a-zA-Z0-9][a-zA-Z0-9_.-] are allowed',
      ],
    ],
  },
  {
    // Engine 1.10 accepted it, and lost the name.
    on: 'ContainerRename',
    says: /^Renaming a container with the same name as its current name$/,
    was: [[24, 500], [22], [21, 500], [20, 409]],
  },
  {
    on: 'ContainerDelete',
    // To engine 1.12 paused and restarting containers were running (container.IsRunning).
    says: /^(?:You cannot remove a (?:running|paused|restarting) container \w+\. |cannot remove container ".*": container is (?:(?:running|restarting): |paused ))/,
    was: [
      [
        24,
        409,
        ([text], { name }) => `You cannot remove a running container ${ID.exec(text)?.[0] ?? name}. ${STOP_IT}`,
      ],
      [22, 409, IS_REMOVED_RUNNING],
      [20, 409, `Cannot destroy container {name}: ${IS_REMOVED_RUNNING}`],
      [18, 409, IS_REMOVED_RUNNING],
    ],
  },
  {
    // Engine 1.10 panicked.
    on: 'ContainerDelete',
    says: /^invalid name or ID supplied: ""$/,
    was: [
      [24, 400, 'No container name or ID supplied'],
      [22],
      [21, 404, 'no such id: ""'],
      [18, 500, "Prefix can't be empty"],
    ],
  },
  {
    on: 'ContainerExec',
    says: /^No exec command specified$/,
    was: [[24, 500, ([text], { bodiless }) => (bodiless ? 'EOF' : text)]],
  },
  {
    on: ['ExecInspect', 'ExecStart', 'ExecResize'],
    says: /^No such exec instance: (.+)$/,
    was: [[24, 404, "No such exec instance '$1' found in daemon"]],
  },
  {
    on: 'ExecStart',
    says: /^(?:Error: )?exec command (\w+) is already running$/i,
    was: [[24, 500, 'Error: Exec command $1 is already running']],
  },
  {
    on: 'ExecStart',
    says: /^(?:Error: )?exec command (\w+) has already run$/i,
    was: [[24, 409, 'Error: Exec command $1 has already run'], [21]],
  },
  {
    on: 'ContainerDelete',
    says: /^conflict, cannot remove the default link name of the container$/i,
    was: [[24, 409, 'Conflict, cannot remove the default name of the container']],
  },
  // Errors of the API server, not of the daemon.
  { on: 'ContainerAttachWebsocket', says: /^not websocket protocol$/, was: [[24]] },
  { on: 'SystemEvents', says: /^`since` time .* cannot be after `until` time/, was: [[24, 400]] },
  {
    on: ['ContainerExec', 'VolumeCreate', 'NetworkCreate'],
    says: /^got EOF while reading request body$/,
    was: [[24, 500, 'EOF']],
  },
]

function device(path: string): string {
  const gathering = 'error gathering device information while adding custom device'
  return `${gathering} "${path}": lstat ${path}: no such file or directory`
}
