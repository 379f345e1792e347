import {
  isObject,
  type JsonObject,
  type JsonValue,
  listOf,
  memberAt,
  objectOf,
  stringOf,
} from '../../../src/api/json/json.ts'
import type { Asked, ErrorTextsOptions } from '../../../src/translate/ops/calls/error-texts.ts'

/** The smallest memory and kernel memory limit that any engine accepted. */
export const LEAST_MEMORY = 4 << 20

/** The body of a start is the HostConfig itself. */
function hostConfigOf({ body }: Asked): JsonObject {
  const hostConfig = memberAt(body, 'HostConfig')
  return isObject(hostConfig) ? hostConfig : objectOf(body)
}

/** Newer engines name their own minimum. Below 4MB the client's engine refused as well, and named 4MB. */
const least = (limit: JsonValue | undefined): string | undefined =>
  typeof limit === 'number' && limit < LEAST_MEMORY ? '4' : undefined

const WITH_LINKS = "can't be used with links. This would result in undefined behavior"

/** Engine 1.9 names options that exclude each other by the flags of the command line. */
const FLAGS: Readonly<Record<string, string>> = {
  'hostname and the network mode': '-h and the network mode (--net)',
  'dns and the network mode': '--dns and the network mode (--net)',
  'custom host-to-IP mapping and the network mode': '--add-host and the network mode (--net)',
  'mac-address and the network mode': '--mac-address and the network mode (--net)',
  'port publishing and the container type network mode':
    '-p, -P, --publish-all, --publish and the network mode (--net)',
  'port exposing and the container type network mode': '--expose and the network mode (--expose)',
  [`host type networking ${WITH_LINKS}`]: `--net=host ${WITH_LINKS}`,
  [`container type network ${WITH_LINKS}`]: `--net=container ${WITH_LINKS}`,
}

const endpoints = ({ found }: Asked): string[] => (found['list'] ?? '').split(/,? /).sort()

export const holes: ErrorTextsOptions['holes'] = {
  least: (asked) => least(hostConfigOf(asked)['Memory']),
  leastKernel: (asked) => least(hostConfigOf(asked)['KernelMemory']),
  flags: ({ found }) => FLAGS[found['options'] ?? ''],
  // The bind whose third field was refused.
  bind: (asked) =>
    listOf(hostConfigOf(asked)['Binds'])
      .map(stringOf)
      .find((bind) => bind.endsWith(`:${asked.found['mode']}`)),
  image: ({ body }) => stringOf(memberAt(body, 'Image')),
  commas: (asked) => endpoints(asked).join(', '),
  spaces: (asked) => endpoints(asked).join(' '),
  shortId: ({ found }) => found['id']?.slice(0, 12),
  bareName: ({ found }) => found['taken']?.replace(/^\//, ''),
}

/** Refused limits: daemon/daemon_unix.go:verifyContainerResources @v1.6.2 … v1.12.6; recorded as create-mem-…, create-swap-…. */
const limits = `
  ContainerCreate ContainerUpdate ContainerStart
    Minimum memory limit allowed is {n}MB
      1.24 500 Minimum memory limit allowed is {least}MB
    Minimum kernel memory limit allowed is {n}MB
      1.24 500 Minimum kernel memory limit allowed is {leastKernel}MB
    Minimum memory limit can not be less than memory reservation limit, see usage
      1.24 500 Minimum memory limit should be larger than memory reservation limit, see usage
      1.23 500 Minimum memory limit should be larger than memory reservation limit, see usage.
    Invalid value {value} for cpuset {kind=cpus|mems}: invalid format: {rest}
      1.24 500 Invalid value {value} for cpuset {kind}
      1.23 500 Invalid value {value} for cpuset {kind}.
    SHM size can not be less than 0
      1.24 500 SHM size must be greater than 0
      1.23 500 SHM size must be greater then 0
    invalid isolation: "{isolation}" - linux only supports 'default'
    invalid isolation ({isolation}): linux only supports 'default'
      1.24 500 invalid --isolation: "{isolation}" - linux only supports 'default'
    You should always set the Memory limit when using Memoryswap limit, see usage
    Minimum memoryswap limit should be larger than memory limit, see usage
    Invalid value: {value}, valid memory swappiness range is 0-100
    Invalid value {value}, range for oom score adj is [-1000, 1000]
    Range of blkio weight is from 10 to 1000
    Requested {kind=CPUs|memory nodes} are not available - {rest}
      1.24 500
      1.23 500 {all}.
`

/** Options that exclude each other: runconfig/errors.go @v1.10.3; runconfig/parse.go @v1.9.1. Engine 1.8 did not check. */
const options = `
  ContainerCreate ContainerStart
    conflicting options: {options}
      1.24 409 Conflicting options: {options}
      1.21 409 Conflicting options: {flags}
    invalid network mode: invalid container format container:<name|id>
      1.24 500 --net: invalid net mode: invalid container format container:<name|id>
`

/**
 * Refused binds: volume/volume_unix.go, daemon/volumes.go @v1.6.2 … v1.12.6; recorded as create-bind-…. Create names the bind,
 * and on 1.10 a code; start does not.
 */
const mounts = `
  ContainerCreate
    invalid mode: {mode}
      1.24 500 Invalid bind mount spec "{bind}": {all}
      1.22 500 Invalid bind mount spec "{bind}": volumeinvalidmode: invalid mode: "{mode}"
      1.21 500 invalid mode for volumes-from: {mode}
    invalid volume specification: '{spec}': invalid mount config for type "{word}": invalid mount path: '{path}' mount path must be absolute
      1.24 500 Invalid bind mount spec "{spec}": Invalid volume destination path: '{path}' mount path must be absolute.
      1.22 500 Invalid bind mount spec "{spec}": volumeabs: Invalid volume destination path: '{path}' mount path must be absolute.
      1.21 500 Invalid volume destination path: {path} mount path must be absolute.
    invalid volume specification: '{spec}': invalid mount config for type "{word}": invalid specification: destination can't be '/'
      1.24 500 Invalid bind mount spec "{spec}": Invalid specification: destination can't be '/' in '{spec}'
      1.22 500 Invalid bind mount spec "{spec}": volumeslash: Invalid specification: destination can't be '/' in '{spec}'
      1.21 500 Invalid specification: destination can't be '/' in '{spec}'
    invalid volume specification: '{spec}'
      1.24 500 Invalid bind mount spec "{spec}": Invalid volume specification: '{spec}'
      1.22 500 Invalid bind mount spec "{spec}": volumeinvalid: Invalid volume specification: '{spec}'
      1.21 500 Invalid volume specification: {spec}
  ContainerStart
    invalid volume specification: '{spec}': invalid mount config for type "{word}": invalid mount path: '{path}' mount path must be absolute
      1.24 500 Invalid volume destination path: '{path}' mount path must be absolute.
      1.21 500 Invalid volume destination path: {path} mount path must be absolute.
    invalid volume specification: '{spec}': invalid mount config for type "{word}": invalid specification: destination can't be '/'
      1.24 500 Invalid specification: destination can't be '/' in '{spec}'
    invalid volume specification: '{spec}'
      1.24 500 Invalid volume specification: '{spec}'
      1.21 500 Invalid volume specification: {spec}
  ContainerStart ContainerCreate
    invalid mode: {mode}
      1.24 500
      1.22 500 invalid mode: "{mode}"
      1.21 500 invalid mode for volumes-from: {mode}
    volumes-from specification cannot be an empty string
      1.24 500 malformed volumes-from specification: {}
      1.22 500 malformed volumes-from specification: ""
      1.21 500 malformed volumes-from specification: {}
    Duplicate mount point: {path}
      1.24 500 Duplicate mount point '{path}'
      1.21 500 Duplicate bind mount {path}
`

/** Recorded on 1.6.2 (1.18), 1.7.1, 1.8.3, 1.9.1, 1.10.3 (1.22) and 1.12.6 (1.24) as create-…; newer texts from 20.10.24, 26.1, 28.5. */
const others = `
  ContainerCreate
    {lead}Conflict. The container name "{taken}" is already in use by container {q="|}{id}{q2="|}. You have to remove {rest}
      1.24 409 {lead}Conflict. The name "/{bareName}" is already in use by container {id}. You have to remove {rest}
      1.21 409 {lead}Conflict. The name "{bareName}" is already in use by container {shortId}. You have to remove {rest}
      1.20 409 {lead}Conflict. The name "{bareName}" is already in use by container {shortId}. You have to delete {rest}
    no command specified
      1.24 No command specified
    Invalid container name ({rest}
      1.24 500
    config cannot be empty in order to create a container
      1.24 500 Config cannot be empty in order to create a container
      1.18 500 No command specified
    invalid reference format{rest}
      1.24 500 Error parsing reference: "{image}" is not a valid repository/tag
      1.22 404 No such image: {image}:latest
    No such container: {word}
      1.24 404
      1.21 404 no such id: {word}
      1.18 500 Could not apply volumes of non-existent container "{word}".
    invalid signal: {signal}
      1.24 500 Invalid signal: {signal}
    the working directory '{path}' is invalid, it needs to be an absolute path
      1.24 500 The working directory '{path}' is invalid. It needs to be an absolute path
      1.22 500 The working directory '{path}' is invalid. It needs to be an absolute path.
    Container cannot be connected to network endpoints: {list}
    Container cannot be connected to [{list}]
      1.24 400 Container cannot be connected to network endpoints: {commas}
      1.22 400 Container cannot be connected to [{spaces}]
    # Engines up to 18.09 reported these at start (daemon/caps/utils.go @v18.09.9).
    invalid CapAdd: unknown capability: "{prefix=CAP_|}{capability}"
      1.24 500 Unknown capability to add: "{capability}"
    invalid CapDrop: unknown capability: "{prefix=CAP_|}{capability}"
      1.24 500 Unknown capability drop: "{capability}"
    # Engine 1.10 accepted these, and refused them at start or not at all.
    unknown log opt {rest}
    CPU cfs {limit=period|quota} can not be less than {rest}
      1.24 500
      1.22
  ContainerRename
    # Engines 1.9 and 1.10 answered with 500.
    {lead}Conflict. The container name "{taken}" is already in use by container {q="|}{id}{q2="|}. You have to remove {rest}
      1.24 409 {lead}Conflict. The name "/{bareName}" is already in use by container {id}. You have to remove {rest}
      1.22 500 {lead}Conflict. The name "/{bareName}" is already in use by container {id}. You have to remove {rest}
      1.21 500 {lead}Conflict. The name "{bareName}" is already in use by container {shortId}. You have to remove {rest}
      1.20 409 {lead}Conflict. The name "{bareName}" is already in use by container {shortId}. You have to delete {rest}
  ContainerCreate ContainerExec ContainerUpdate VolumeCreate ImageCommit NetworkCreate NetworkConnect NetworkDisconnect
    Content-Type specified ({type}) must be 'application/json'
    unsupported Content-Type header ({type}): must be 'application/json'
    malformed Content-Type header ({type}): mime: {rest}
      1.24 500 Content-Type specified ({type}) must be 'application/json'
  ContainerCreate ContainerStart
    error looking up logging plugin {word}: plugin "{plugin}" not found
      1.24 500 logger: no log driver named '{word}' is registered
      1.22
    invalid port specification: {port}
      1.24 500 Invalid port specification: {port}
    could not get container for {word}: {rest}
      1.24 500 Could not get container for {word}
    invalid --security-opt {n}: {option}
      1.24 500 Invalid --security-opt {n}: {option}
      1.22 500 Invalid --security-opt: {option}
`

export const create = limits + options + mounts + others
