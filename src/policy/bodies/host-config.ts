import type { JsonValue } from '../../api/json/json.ts'
import { Names } from '../../api/json/names.ts'
import { words } from '../../config/text.ts'
import { type Judge, read } from '../judge.ts'
import type { Members } from './members.ts'
import { judgeBind, judgeDriver, judgeLog, judgeMount, judgeTmpfs } from './mounts.ts'

/** Members that give no access to the host, such as resource limits. */
const HARMLESS = words(`
  CpuShares Memory NanoCpus BlkioWeight BlkioWeightDevice BlkioDeviceReadBps CpuPeriod CpuQuota
  BlkioDeviceWriteBps BlkioDeviceReadIOps BlkioDeviceWriteIOps CpuRealtimePeriod CpuRealtimeRuntime CpusetCpus
  CpusetMems Cpuset KernelMemory KernelMemoryTCP MemoryReservation MemorySwap PidsLimit MemorySwappiness
  OomKillDisable Ulimits CpuCount CpuPercent IOMaximumIOps IOMaximumBandwidth DiskQuota PortBindings
  RestartPolicy AutoRemove ConsoleSize CapDrop Dns DnsOptions DnsSearch ExtraHosts GroupAdd Links OomScoreAdj
  PublishAllPorts ReadonlyRootfs StorageOpt ShmSize Sysctls Isolation Init
`)

type JudgeMember = (judge: Judge, value: JsonValue | undefined, name: string) => void

const namespace =
  (kind: string): JudgeMember =>
  (judge, value, name) =>
    judgeNamespace(judge, kind, read.text(value, name), name)

/** Engines accept any case and an optional prefix; lists use `NET_ADMIN`. */
const capabilities: JudgeMember = (judge, value, name) => judgeCapabilities(judge, read.texts(value, name))

export function judgeCapabilities(judge: Judge, names: readonly string[]): void {
  for (const name of names) {
    const bare = name.toUpperCase().replace(/^CAP_/, '')
    judge.unlessListed('capabilities', bare, `the capability ${JSON.stringify(name)}`)
  }
}

const denied =
  (rule: 'devices' | 'unknown-members' | 'volumes-from' | 'cgroup-parent'): JudgeMember =>
  (judge, value, name) => {
    if (value === '' || value === undefined || (Array.isArray(value) && value.length === 0)) return
    judge.deny(rule, `${name} is set`)
  }

const JUDGED: Readonly<Record<string, JudgeMember>> = {
  Privileged: (judge, value) => {
    if (read.flag(value)) judge.deny('privileged', 'the container is privileged')
  },
  Binds: (judge, value) => {
    for (const bind of read.texts(value, 'Binds')) judgeBind(judge, bind)
  },
  Mounts: (judge, value) => {
    for (const mount of read.objects(value, 'Mounts')) judgeMount(judge, mount)
  },
  Tmpfs: (judge, value) => judgeTmpfs(judge, read.options(value, 'Tmpfs')),
  LogConfig: (judge, value) => {
    const log = read.object(value, 'LogConfig')
    judgeLog(judge, log?.get('Type'), log?.get('Config'))
  },
  // Podman removes this file together with the container (libpod/runtime_ctr.go), but the client writes it itself.
  ContainerIDFile: (judge, value) => {
    const path = read.text(value, 'ContainerIDFile')
    if (path !== '') judge.hostPath(path, false, 'ContainerIDFile')
  },
  VolumeDriver: (judge, value) => judgeDriver(judge, value, undefined),
  VolumesFrom: denied('volumes-from'),
  NetworkMode: namespace('network'),
  PidMode: namespace('pid'),
  IpcMode: namespace('ipc'),
  UTSMode: namespace('uts'),
  UsernsMode: namespace('user'),
  CgroupnsMode: namespace('cgroup'),
  Cgroup: namespace('cgroup'),
  CapAdd: capabilities,
  Capabilities: capabilities,
  SecurityOpt: (judge, value) => {
    for (const option of read.texts(value, 'SecurityOpt'))
      if (!/^(?:no-new-privileges(?:[:=]true)?|mask=.*)$/s.test(option))
        // Podman's mask=… hides more paths
        judge.unlessListed('security-opts', option, `the security option ${JSON.stringify(option.slice(0, 100))}`)
  },
  MaskedPaths: paths(['/proc/acpi', '/proc/kcore', '/proc/keys', '/proc/timer_list', '/proc/scsi', '/sys/firmware']),
  ReadonlyPaths: paths(['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger']),
  Devices: (judge, value) => {
    for (const device of read.objects(value, 'Devices')) {
      const path = read.text(device.get('PathOnHost'), 'Devices.PathOnHost')
      const clear = /(?:^|\/)\.\.?(?:\/|$)/.test(path) ? '' : path // with `..` it matches no pattern
      judge.unlessListed('devices', clear, `the device ${JSON.stringify(path)}`)
    }
  },
  DeviceCgroupRules: denied('devices'),
  DeviceRequests: denied('devices'),
  Runtime: (judge, value) => {
    const runtime = read.text(value, 'Runtime')
    if (runtime !== '' && runtime !== 'runc')
      judge.unlessListed('runtimes', runtime, `the runtime ${JSON.stringify(runtime)}`)
  },
  CgroupParent: denied('cgroup-parent'),
  InitPath: denied('unknown-members'), // a program of the host
  LxcConf: denied('unknown-members'),
  // Some runtimes read hooks and mounts from annotations.
  Annotations: (judge, value) => {
    if (read.object(value, 'Annotations')?.entries.length) judge.deny('unknown-members', 'Annotations is set')
  },
}

const judged = new Map(Object.entries(JUDGED))
const fields = new Names([...judged.keys(), ...HARMLESS])

/**
 * Judges a HostConfig: of create, of start on engines that accept one, or the flat body of update. Unknown members are
 * denied under `unknown-members`, because a newer engine may give them any meaning.
 */
export function judgeHostConfig(judge: Judge, host: Members | undefined): void {
  if (host === undefined) return
  for (const [key] of host.entries) {
    const field = fields.field(key)
    if (field === undefined) judge.deny('unknown-members', `unknown member HostConfig.${key}`)
    else judged.get(field)?.(judge, host.get(field), field)
  }
}

/** Judges the members of a HostConfig that stand directly in a body, beside members that are not judged. */
export function judgeMembersBeside(judge: Judge, body: Members): void {
  for (const [name, judgeMember] of judged) judgeMember(judge, body.get(name), name)
}

/** Modes that share no namespace: names of networks, and the engines' keywords. */
const OWN_MODE = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/

const isOwn = (kind: string, mode: string): boolean =>
  mode === '' ||
  (kind === 'network'
    ? OWN_MODE.test(mode) && mode.toLowerCase() !== 'host'
    : /^(?:private|shareable|none|default)$/.test(mode))

/** Engines compare modes as text; all but the known harmless ones must be listed. */
export function judgeNamespace(judge: Judge, kind: string, mode: string, name: string): void {
  const reason = `${name} is ${JSON.stringify(mode)}`
  if (mode.startsWith('container:')) judge.deny('container-namespaces', reason)
  else if (!isOwn(kind, mode)) judge.unlessListed('host-namespaces', kind, reason)
}

/** Lists that replace the engine's default: a shorter one exposes more of the host. */
function paths(least: readonly string[]): JudgeMember {
  return (judge, value, name) => {
    if (value === undefined || value === null) return
    const given = new Set(read.texts(value, name))
    if (!least.every((path) => given.has(path)))
      judge.unlessListed('security-opts', 'systempaths=unconfined', `${name} leaves out paths that engines protect`)
  }
}
