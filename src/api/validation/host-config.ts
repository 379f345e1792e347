import { integer } from '../json/json.ts'
import { byVersion } from '../version.ts'
import {
  type Area,
  anything,
  before,
  type CrossRule,
  flag,
  int,
  intWithin,
  type Kind,
  listOf,
  mapOf,
  object,
  of,
  text,
  textLike,
} from './kinds.ts'

/**
 * HostConfig of the specification's table 2.2, in its order, with the limits of its section 8. Values that engines
 * refuse themselves are forwarded, and their error is translated. Members that the specification dates 1.21 and engine
 * 1.8 already has count from 1.20 on.
 */
const MOST = 2n ** 63n

// The specification does not list `rw`, but it is the default mode, and all engines and clients accept it.
const namedBind = textLike(
  'must be host-src:container-dest or volume-name:container-dest, with :ro for read-only, the destination absolute',
  /^(?:\/[^:]*|[a-zA-Z0-9][a-zA-Z0-9_.-]*):\/[^:]*(?::r[ow])?$/,
)
const absoluteForm = textLike(
  'must be host-src:container-dest, with :ro for read-only, both paths absolute',
  /^\/[^:]*:\/[^:]*(?::r[ow])?$/,
)
// Engines 1.6 and 1.7 refused it; 20.10 creates the volume with every prefix. Two or three parts make a bind; the
// engine judges anything else.
const absoluteBind: Kind = (version) => (bind, field, say) => {
  if (typeof bind === 'string' && /^[^/:][^:]*:[^:]*(?::[^:]*)?$/.test(bind))
    say(field, 'must have an absolute path as its source (volumes have names from API 1.21 on)')
  else absoluteForm(version)(bind, field, say)
}

const port = /^\d{1,5}\/(?:tcp|udp)$/
export const portKeys = { words: 'must be a port and its protocol, such as 80/tcp', matches: port }

const FIRST_LOG_TYPES = ['json-file', 'syslog', 'journald', 'none']
const logTypesOf = byVersion({
  '1.18': FIRST_LOG_TYPES,
  '1.20': [...FIRST_LOG_TYPES, 'gelf'], // engine 1.8
  '1.21': [...FIRST_LOG_TYPES, 'gelf', 'awslogs', 'fluentd'], // fluentd: docs/api/v1.21.md
  '1.22': [...FIRST_LOG_TYPES, 'gelf', 'awslogs', 'fluentd', 'splunk'],
})
const logTypes: Kind = (version) => {
  const types = logTypesOf(version)
  return textLike(`must be one of ${types.join(', ')}`, new RegExp(`^(?:${types.join('|')})$`))(version)
}

// Command lines send `no` for "no restart"; the specification only has the empty name.
const restartNames = before(
  21,
  textLike('must be always or on-failure', /^(?:no|always|on-failure)$/),
  textLike('must be always, unless-stopped or on-failure', /^(?:no|always|unless-stopped|on-failure)$/),
)
const restartPolicy: Area = {
  members: { Name: of(restartNames), MaximumRetryCount: of(int) },
  rules: [
    {
      field: 'MaximumRetryCount',
      words: 'bounds the retries of on-failure: it must not be negative, and 0 with any other policy',
      breaks: ({ MaximumRetryCount: count, Name }) => {
        const retries = integer(count) ?? 0n
        return retries < 0n || (retries > 0n && Name !== 'on-failure')
      },
    },
  ],
}

const container = 'container:[^:]+'
const networkMode = before(
  21,
  textLike('must be bridge, host, none or container:<name or id>', new RegExp(`^(?:bridge|host|none|${container})$`)),
  text,
)

/** Engines 1.7 and 1.8 refused it (recordings create-blkio); from 1.9 on only hosts with block I/O weights check it. */
const weightWithin = intWithin('must be from 10 to 1000', [10n, 1000n], [0n])

const device: Area = {
  members: {
    PathOnHost: of(text),
    PathInContainer: of(text),
    CgroupPermissions: of(textLike('must be made of r, w and m', /^[rwm]{1,3}$/)),
  },
}
const ulimit: Area = { members: { Name: of(text), Soft: of(int), Hard: of(int) } }
const rates = listOf(object({ members: { Path: of(text), Rate: of(int) } }))
const weights = listOf(object({ members: { Path: of(text), Weight: of(weightWithin) } }))

/** The limits that create and update share (1.22). */
export const resources: Area['members'] = {
  Memory: of(int),
  MemorySwap: of(int),
  MemoryReservation: of(int, { since: 21 }),
  KernelMemory: of(int, { since: 21 }),
  CpuShares: of(int),
  CpuPeriod: of(int, { since: 19 }),
  CpuQuota: of(int, { since: 19 }),
  CpusetCpus: of(text),
  CpusetMems: of(text, { since: 19 }),
  BlkioWeight: of(weightWithin, { since: 19 }),
}

const swap: CrossRule = {
  field: 'MemorySwap',
  words: 'must be used with Memory and be larger than it, or be -1 for unlimited',
  breaks: ({ Memory, MemorySwap }) => {
    const total = integer(MemorySwap) ?? 0n
    const memory = integer(Memory) ?? 0n
    // Clients send equal values for "no swap", and engines accept them.
    return total !== 0n && total !== -1n && (memory === 0n || total < memory)
  },
}

export const hostConfig: Area = {
  members: {
    Binds: of(listOf(before(20, absoluteBind, namedBind))),
    Tmpfs: of(mapOf(text), { since: 22 }),
    Links: of(listOf(textLike('must be container_name:alias', /^[^:]+:[^:]+$/))),
    LxcConf: of(anything, { until: 21 }),
    ...resources,
    BlkioWeightDevice: of(weights, { since: 22 }),
    BlkioDeviceReadBps: of(rates, { since: 22 }),
    BlkioDeviceWriteBps: of(rates, { since: 22 }),
    BlkioDeviceReadIOps: of(rates, { since: 22 }),
    BlkioDeviceWriteIOps: of(rates, { since: 22 }),
    // Clients up to 1.13 send -1 for "not set".
    MemorySwappiness: of(intWithin('must be from 0 to 100', [0n, 100n], [-1n]), {
      since: 20,
      unset: (value) => value === -1,
    }),
    OomKillDisable: of(flag, { since: 19 }),
    OomScoreAdj: of(int, { since: 22 }),
    PidMode: of(textLike('must be empty, host or container:<name or id>', new RegExp(`^(?:host|${container})$`))),
    PortBindings: of(mapOf(listOf(object({ members: { HostIp: of(text), HostPort: of(text) } })), portKeys)),
    PublishAllPorts: of(flag),
    Privileged: of(flag),
    ReadonlyRootfs: of(flag),
    Dns: of(listOf(text)),
    DnsOptions: of(listOf(text), { since: 21 }),
    DnsSearch: of(listOf(text)),
    ExtraHosts: of(listOf(textLike('must be hostname:IP', /^[^:]+:[0-9a-fA-F.:]+$/))),
    VolumesFrom: of(listOf(textLike('must be <container name>, with :ro or :rw', /^[^:]+(?::r[ow])?$/))),
    CapAdd: of(listOf(text)),
    CapDrop: of(listOf(text)),
    GroupAdd: of(listOf(text), { since: 20 }),
    RestartPolicy: of(object(restartPolicy)),
    NetworkMode: of(networkMode),
    Devices: of(listOf(object(device))),
    Ulimits: of(listOf(object(ulimit))),
    SecurityOpt: of(listOf(text)),
    LogConfig: of(object({ members: { Type: of(logTypes), Config: of(mapOf(text)) } })),
    CgroupParent: of(text),
    VolumeDriver: of(text, { since: 21 }),
    // 0 means unset: 64 MB.
    ShmSize: of(intWithin('must be greater than 0', [1n, MOST], [0n]), { since: 22 }),
  },
  rules: [swap],
}

/** The body of update (1.22): the limits, with the same rules. */
export const update: Area = { members: resources, rules: [swap] }
