import { integer, isUnset } from '../json/json.ts'
import { LAST_SPECIFIED } from './finding.ts'
import {
  anything,
  atVersion,
  before,
  each,
  flag,
  int,
  intLike,
  type Kind,
  type Kinds,
  kind,
  listOf,
  mapOf,
  object,
  rule,
  since,
  specified,
  text,
} from './kinds.ts'

/**
 * HostConfig of the specification's table 2.2, in its order, with the limits of its section 8. Values that engines
 * refuse themselves are forwarded, and their error is translated. Members that the specification dates 1.21 and engine
 * 1.8 already has count from 1.20 on.
 */

// The specification does not list `rw`, but it is the default mode, and all engines and clients accept it.
const namedBind = specified(
  'must be host-src:container-dest or volume-name:container-dest, with :ro for read-only, the destination absolute',
  /^(?:\/[^:]*|[a-zA-Z0-9][a-zA-Z0-9_.-]*):\/[^:]*(?::r[ow])?$/,
)
const absoluteForm = specified(
  'must be host-src:container-dest, with :ro for read-only, both paths absolute',
  /^\/[^:]*:\/[^:]*(?::r[ow])?$/,
)
// Engines 1.6 and 1.7 refused it; 20.10 creates the volume with every prefix. Two or three parts make a bind; the
// engine judges anything else.
const absoluteBind: Kind = (bind, field, say, version) => {
  if (typeof bind === 'string' && /^[^/:][^:]*:[^:]*(?::[^:]*)?$/.test(bind))
    say(field, 'must have an absolute path as its source (volumes have names from API 1.21 on)')
  else absoluteForm(bind, field, say, version)
}

/** A key of a map, which is not unset when empty. */
export const portKey = before(
  LAST_SPECIFIED + 1,
  kind('must be a port and its protocol, such as 80/tcp', (key) => /^\d{1,5}\/(?:tcp|udp)$/.test(String(key))),
  anything,
)

const oneOf = (types: readonly string[]): Kind =>
  specified(`must be one of ${types.join(', ')}`, new RegExp(`^(?:${types.join('|')})$`))
const FIRST_LOG_TYPES = ['json-file', 'syslog', 'journald', 'none']
const logTypes = atVersion({
  '1.18': oneOf(FIRST_LOG_TYPES),
  '1.20': oneOf([...FIRST_LOG_TYPES, 'gelf']), // engine 1.8
  '1.21': oneOf([...FIRST_LOG_TYPES, 'gelf', 'awslogs', 'fluentd']), // fluentd: docs/api/v1.21.md
  '1.22': oneOf([...FIRST_LOG_TYPES, 'gelf', 'awslogs', 'fluentd', 'splunk']),
})

// Command lines send `no` for "no restart"; the specification only has the empty name.
const restartPolicy = object(
  {
    Name: before(
      21,
      specified('must be always or on-failure', /^(?:no|always|on-failure)$/),
      specified('must be always, unless-stopped or on-failure', /^(?:no|always|unless-stopped|on-failure)$/),
    ),
    MaximumRetryCount: int,
  },
  rule(
    'MaximumRetryCount',
    'bounds the retries of on-failure: it must not be negative, and 0 with any other policy',
    ({ MaximumRetryCount: count, Name }) => {
      const retries = integer(count) ?? 0n
      return retries < 0n || (retries > 0n && Name !== 'on-failure')
    },
  ),
)

const networkMode = specified(
  'must be bridge, host, none or container:<name or id>',
  /^(?:bridge|host|none|container:[^:]+)$/,
)

/** Engines 1.7 and 1.8 refused it (recordings create-blkio); later only hosts with such weights check it. 0: unset. */
const weight = intLike('must be from 10 to 1000', (value) => value === 0n || (value >= 10n && value <= 1000n))
const rates = listOf(object({ Path: text, Rate: int }))

/** The limits that create and update share (1.22). */
const resources: Kinds = {
  ...each('Memory MemorySwap', int),
  ...each('MemoryReservation KernelMemory', since(21, int)),
  CpuShares: int,
  ...each('CpuPeriod CpuQuota', since(19, int)),
  CpusetCpus: text,
  CpusetMems: since(19, text),
  BlkioWeight: since(19, weight),
}

const swap = rule(
  'MemorySwap',
  'must be used with Memory and be larger than it, or be -1 for unlimited',
  ({ Memory, MemorySwap }) => {
    const total = integer(MemorySwap) ?? 0n
    const memory = integer(Memory) ?? 0n
    // Clients send equal values for "no swap", and engines accept them.
    return total !== 0n && total !== -1n && (memory === 0n || total < memory)
  },
)

const members: Kinds = {
  Binds: listOf(before(20, absoluteBind, namedBind)),
  Tmpfs: since(22, mapOf(text)),
  Links: listOf(specified('must be container_name:alias', /^[^:]+:[^:]+$/)),
  LxcConf: before(22, anything, kind('is a member of API 1.18 to 1.21', isUnset)),
  ...resources,
  BlkioWeightDevice: since(22, listOf(object({ Path: text, Weight: weight }))),
  ...each('BlkioDeviceReadBps BlkioDeviceWriteBps BlkioDeviceReadIOps BlkioDeviceWriteIOps', since(22, rates)),
  // Clients up to 1.13 send -1 for "not set".
  MemorySwappiness: since(
    20,
    intLike('must be from 0 to 100', (value) => value >= -1n && value <= 100n),
    (value) => isUnset(value) || value === -1,
  ),
  OomKillDisable: since(19, flag),
  OomScoreAdj: since(22, int),
  PidMode: specified('must be empty, host or container:<name or id>', /^(?:host|container:[^:]+)$/),
  PortBindings: mapOf(listOf(object({ HostIp: text, HostPort: text })), portKey),
  ...each('PublishAllPorts Privileged ReadonlyRootfs', flag),
  Dns: listOf(text),
  DnsOptions: since(21, listOf(text)),
  DnsSearch: listOf(text),
  ExtraHosts: listOf(specified('must be hostname:IP', /^[^:]+:[0-9a-fA-F.:]+$/)),
  VolumesFrom: listOf(specified('must be <container name>, with :ro or :rw', /^[^:]+(?::r[ow])?$/)),
  ...each('CapAdd CapDrop', listOf(text)),
  GroupAdd: since(20, listOf(text)),
  RestartPolicy: restartPolicy,
  NetworkMode: before(21, networkMode, text),
  Devices: listOf(
    object({
      ...each('PathOnHost PathInContainer', text),
      CgroupPermissions: specified('must be made of r, w and m', /^[rwm]{1,3}$/),
    }),
  ),
  Ulimits: listOf(object({ Name: text, Soft: int, Hard: int })),
  SecurityOpt: listOf(text),
  LogConfig: object({ Type: logTypes, Config: mapOf(text) }),
  CgroupParent: text,
  VolumeDriver: since(21, text),
  // 0 means unset: 64 MB.
  ShmSize: since(
    22,
    intLike('must be greater than 0', (value) => value >= 0n),
  ),
}

export const hostConfig = object(members, swap)

/** Start takes a bare or wrapped HostConfig (rules/by-hand/host-config-members.ts). */
export const startBody = object({ ...members, HostConfig: hostConfig }, swap)

/** The body of update (1.22): the limits, with the same rules. */
export const update = object(resources, swap)
