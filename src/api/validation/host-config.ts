import { integer, isObject, type JsonValue } from '../json/json.ts'
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
 * HostConfig as the specification's table 2.2 lists it, in its order, with the limits of its section 8. What the
 * engines refuse by themselves they refuse: their own error is translated. Where the specification says 1.21 and
 * engine 1.8 has a member already, it counts from 1.20 on.
 */
const MOST = 2n ** 63n

// `rw` stands in no form of a bind, but it is what leaving the mode out means, and every engine and client has it.
const namedBind = textLike(
  'must be host-src:container-dest or volume-name:container-dest, with :ro for read-only, the destination absolute',
  /^(?:\/[^:]*|[a-zA-Z0-9][a-zA-Z0-9_.-]*):\/[^:]*(?::r[ow])?$/,
)
const absoluteForm = textLike(
  'must be host-src:container-dest, with :ro for read-only, both paths absolute',
  /^\/[^:]*:\/[^:]*(?::r[ow])?$/,
)
// Engines 1.6 and 1.7 refused it; 20.10 makes the volume at every prefix. Two and three parts are binds; what else there is, the engine judges.
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

// `no` is how every command line says "no restart"; the specification has the empty name only.
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

/** Engines 1.7 and 1.8 refused it (recordings create-blkio); from 1.9 on only a host that has the weight looks at it. */
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
    // Equal is how clients say "no swap", and no engine minds.
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
    // -1 is how clients up to 1.13 say "not set".
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
    // 0 is "omitted": 64 MB.
    ShmSize: of(intWithin('must be greater than 0', [1n, MOST], [0n]), { since: 22 }),
  },
  rules: [swap],
}

/** The body of update (1.22): the limits, with the same rules. */
export const update: Area = { members: resources, rules: [swap] }

/** Whether a container is to live in the network of its host. */
export const inHostNetwork = (hostConfig: JsonValue | undefined): boolean =>
  isObject(hostConfig) && hostConfig['NetworkMode'] === 'host'
