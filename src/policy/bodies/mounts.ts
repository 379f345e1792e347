import type { JsonValue } from '../../api/json/json.ts'
import { foldName } from '../../api/json/names.ts'
import { type Judge, read, Violation } from '../judge.ts'
import { type Members, membersOf } from './members.ts'

/** What engines take for the name of a volume (volume/names.go); anything else in a bind is a path of the host. */
export const VOLUME_NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/

/**
 * Options of one of `Binds` that reach nothing but what is bound (volume/mounts/linux_parser.go). Podman has more: with
 * `O,upperdir=/etc` what the container writes goes to that folder of the host, below a named volume too.
 */
const MODES =
  /^(?:r[ow]|[zZ]|no(?:copy|exec|suid|dev)|copy|r?(?:shared|slave|private|bind)|consistent|cached|delegated|)$/

/** Gives the files new owners: those of a volume, or of a place that may be written. */
const CHOWN = 'U'

/** One of `Binds`: `source:target[:options]`, or a target alone for a volume without a name. */
export function judgeBind(judge: Judge, bind: string): void {
  const windows = /^[a-zA-Z]:[\\/]/.test(bind)
  const [source = '', ...rest] = bind.split(':')
  if (!windows && rest.length === 0) return
  const options = (rest[1] ?? '').split(',')
  const what = `the bind ${JSON.stringify(bind)}`
  if (!windows && judge.has('host-mounts')) {
    const strange = options.find((option) => option !== CHOWN && !MODES.test(option))
    if (strange !== undefined) throw new Violation('host-mounts', `the option ${JSON.stringify(strange)} of ${what}`)
    if (rest.length > 2) throw new Violation('host-mounts', `${what} has more than three parts`)
  }
  if (!windows && VOLUME_NAME.test(source)) return
  judge.hostPath(windows ? bind : source, options.includes('ro') && !options.includes(CHOWN), what)
}

/** One of `Mounts`, of a container or of a service. */
export function judgeMount(judge: Judge, mount: Members): void {
  const type = read.text(mount.get('Type'), 'Mounts.Type').toLowerCase()
  const source = read.text(mount.get('Source'), 'Mounts.Source')
  judgeSeparators(judge, mount)
  // Podman makes the folder before it looks at the type.
  if (type !== 'bind' && source.startsWith('/')) judge.hostPath(source, false, 'a mount')
  switch (type) {
    case 'bind':
      judge.hostPath(source, mount.get('ReadOnly') === true, 'a mount')
      break
    case 'volume': {
      if (source !== '' && !VOLUME_NAME.test(source)) judge.hostPath(source, false, 'a mount')
      const options = read.object(mount.get('VolumeOptions'), 'Mounts.VolumeOptions')
      const driver = read.object(options?.get('DriverConfig'), 'Mounts.VolumeOptions.DriverConfig')
      judgeDriver(judge, driver?.get('Name'), driver?.get('Options'))
      break
    }
    case 'tmpfs':
    case 'cluster': // of swarm, by name
      break
    case 'image':
      judge.deny('images', 'a mount of an image, which the list of images does not cover')
      break
    default:
      judge.deny('host-mounts', `a mount of the type ${JSON.stringify(type)} cannot be judged`)
  }
}

/**
 * Podman writes a mount as `type=volume,source=…,target=…,ro=true` and reads it again as CSV (compat/containers_create.go):
 * what stands behind a comma is an option, such as `volume-opt=device=/`, and what stands behind a line's end is lost.
 */
function judgeSeparators(judge: Judge, mount: Members): void {
  const { entries } = mount
  const options = entries.flatMap(([name, value]) =>
    foldName(name) === 'tmpfsoptions' ? [] : (membersOf(value)?.entries ?? []),
  )
  for (const [name, value] of [...entries, ...options])
    if (typeof value === 'string' && /[,"\r\n]/.test(value) && judge.has('host-mounts'))
      throw new Violation('host-mounts', `${name} of a mount could be read as further options`)
}

/** The keys of `Volumes`: paths in the container. Podman takes `source:target` there, as in `Binds`. */
export function judgeVolumes(judge: Judge, volumes: Members | undefined): void {
  for (const [volume] of volumes?.entries ?? []) judgeBind(judge, volume)
}

/**
 * The options of a log driver. Podman writes the log to a `path` of the host; Docker's drivers send it to a unix socket
 * (`syslog-address`, `fluentd-address`) and read keys from files.
 */
export function judgeLog(judge: Judge, options: JsonValue | undefined): void {
  if (!judge.has('host-mounts')) return
  for (const [name, value] of read.options(options, 'the options of a log')) {
    // Podman writes them as `name=value`.
    if (name.includes('=')) throw new Violation('host-mounts', 'a log option whose name holds another')
    const path = /^(?:unix(?:gram)?:(?:\/\/)?)?(\/.*)$/is.exec(value)?.[1]
    if (path !== undefined || name.toLowerCase() === 'path')
      judge.hostPath(path ?? value, false, `the log option ${name}`)
  }
}

/** Options of a bind that change nothing about what is bound. */
const BIND_OPTIONS = /^(?:r?bind|ro|rw|r?private|r?slave|nosuid|nodev|noexec|)$/

/** Options of a file system in memory. */
const TMPFS_OPTIONS = /^(?:(?:size|mode|uid|gid|nr_inodes|nr_blocks)=\w+%?|ro|rw|nosuid|nodev|noexec|noatime|)$/

/**
 * The driver of a volume. The local one hands `type`, `o` and `device` to mount(2): a bind of the host, a disk of the
 * host, or an overlay whose options name folders of the host (volume/local/local_unix.go).
 */
export function judgeDriver(judge: Judge, name: JsonValue | undefined, given: JsonValue | undefined): void {
  const driver = read.text(name, 'the driver of a volume')
  if (driver !== '' && driver !== 'local') {
    judge.unlessListed('volume-drivers', driver, `the volume driver ${JSON.stringify(driver)} is not listed`)
    return
  }
  if (!judge.has('host-mounts')) return
  const options = read.options(given, 'the options of a volume')
  if (![...options.keys()].some((key) => ['type', 'o', 'device'].includes(key.toLowerCase()))) return
  const option = (wanted: string): string =>
    [...options]
      .filter(([key]) => key.toLowerCase() === wanted)
      .map(([, value]) => value)
      .join('\n')
  const type = option('type')
  const words = option('o').split(',')
  // Not by its type alone: with `bind` among the options mount(2) looks at no type.
  if (type === 'tmpfs' && words.every((word) => TMPFS_OPTIONS.test(word))) return
  if (!['', 'none', 'bind'].includes(type) || !words.every((word) => BIND_OPTIONS.test(word)))
    throw new Violation('host-mounts', `a volume is a mount of the type ${JSON.stringify(type)} on the host`)
  judge.hostPath(option('device'), words.includes('ro'), 'a volume')
}
