import { VOLUME_NAME } from '../../api/engine-facts.ts'
import type { JsonValue } from '../../api/json/json.ts'
import { foldName } from '../../api/json/names.ts'
import { type Judge, read } from '../judge.ts'
import { type Members, membersOf } from './members.ts'

/**
 * Options of `Binds` that affect only the bind (volume/mounts/linux_parser.go). With Podman's `O,upperdir=/etc` the
 * container writes to that directory of the host, even below a named volume.
 */
const MODES =
  /^(?:r[ow]|[zZ]|no(?:copy|exec|suid|dev)|copy|r?(?:shared|slave|private|bind)|consistent|cached|delegated|)$/

/** Changes the owner of files, of a volume or of a writable path. */
const CHOWN = 'U'

/** Judges an element of `Binds`: `source:target[:options]`, or only the target of an anonymous volume. */
export function judgeBind(judge: Judge, bind: string): void {
  const windows = /^[a-zA-Z]:[\\/]/.test(bind)
  const [source = '', ...rest] = bind.split(':')
  if (!windows && rest.length === 0) return
  const options = (rest[1] ?? '').split(',')
  const what = `the bind ${JSON.stringify(bind)}`
  if (!windows) {
    const strange = options.find((option) => option !== CHOWN && !MODES.test(option))
    if (strange !== undefined) judge.deny('host-mounts', `the option ${JSON.stringify(strange)} of ${what}`)
    if (rest.length > 2) judge.deny('host-mounts', `${what} has more than three parts`)
    if (VOLUME_NAME.test(source)) return
  }
  judge.hostPath(windows ? bind : source, options.includes('ro') && !options.includes(CHOWN), what)
}

/** Judges an element of `Mounts`, of a container or service. */
export function judgeMount(judge: Judge, mount: Members): void {
  const type = read.text(mount.get('Type'), 'Mounts.Type').toLowerCase()
  const source = read.text(mount.get('Source'), 'Mounts.Source')
  judgeSeparators(judge, mount)
  // Podman creates the directory before it checks the type.
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
    case 'cluster': // a swarm volume, by name
      break
    case 'image':
      judge.deny('images', 'a mount of an image cannot be judged')
      break
    default:
      judge.deny('host-mounts', `a mount of the type ${JSON.stringify(type)} cannot be judged`)
  }
}

/**
 * Podman formats a mount as `type=volume,source=…,target=…,ro=true` and parses it again as CSV
 * (compat/containers_create.go): text after a comma becomes an option, such as `volume-opt=device=/`; text after a
 * newline is lost.
 */
function judgeSeparators(judge: Judge, mount: Members): void {
  const { entries } = mount
  const options = entries.flatMap(([name, value]) =>
    foldName(name) === 'tmpfsoptions' ? [] : (membersOf(value)?.entries ?? []),
  )
  for (const [name, value] of [...entries, ...options])
    if (typeof value === 'string' && /[,"\r\n]/.test(value))
      judge.deny('host-mounts', `${name} of a mount could be read as further options`)
}

/** Judges the keys of `Volumes`, paths in the container. Podman also accepts `source:target`, as in `Binds`. */
export function judgeVolumes(judge: Judge, volumes: Members | undefined): void {
  for (const [volume] of volumes?.entries ?? []) judgeBind(judge, volume)
}

/** The path of a unix socket's URL, if it is no other one for the drivers: they drop a host and decode escapes. */
const SOCKET = /^unix(?:gram)?:(?:\/\/)?(\/(?!\/)[^%?#]*)$/i

/** Options that name a file. Engines resolve relative paths, too (`syslog-tls-key`, `splunk-capath`). */
const FILE = /(?:^|-)(?:(?:ca)?path|cert|key)$/i

/**
 * Judges a log driver. Podman writes to a `path` of the host; Docker's drivers connect to unix sockets
 * (`syslog-address`, `fluentd-address`) and read keys from files. syslog's without an address, and journald's, write to
 * the host's own log (daemon/logger/syslog, journald), where tag and fields can make lines look like another program's.
 */
export function judgeLog(judge: Judge, driver: JsonValue | undefined, given: JsonValue | undefined): void {
  if (!judge.has('host-mounts')) return
  const options = read.options(given, 'the options of a log')
  const name = read.text(driver, 'the driver of a log')
  if (name === 'syslog' && !options.get('syslog-address'))
    judge.hostPath('/dev/log', false, 'a log to syslog without syslog-address')
  if (name === 'journald') judge.hostPath('/run/systemd/journal/socket', false, 'a log to journald')
  for (const [option, value] of options) {
    // Podman formats them as `name=value`.
    if (option.includes('=')) judge.deny('host-mounts', 'a log option with = in its name')
    const isSocket = /^unix(?:gram)?:/i.test(value)
    if (isSocket || value.startsWith('/') || (value !== '' && FILE.test(option)))
      judge.hostPath((isSocket && SOCKET.exec(value)?.[1]) || value, false, `the log option ${option}`)
  }
}

/** Harmless options of a bind. */
const BIND_OPTIONS = /^(?:r?bind|ro|rw|r?private|r?slave|nosuid|nodev|noexec|)$/

/** Options of tmpfs; others could be flags of mount(2), such as `bind`. */
const TMPFS_OPTIONS =
  /^(?:(?:size|mode|uid|gid|nr_inodes|nr_blocks)=\w+%?|defaults|r[ow]|(?:no)?(?:suid|dev|exec|(?:dir|rel|strict)?atime|tmpcopyup)|)$/

const isTmpfs = (options: readonly string[]): boolean => options.every((option) => TMPFS_OPTIONS.test(option))

/** Judges `Tmpfs`. With `remount`, a path such as `/sys/` makes the mount there writable (runc, rootfs_linux.go). */
export function judgeTmpfs(judge: Judge, tmpfs: ReadonlyMap<string, string>): void {
  for (const [path, options] of tmpfs)
    if (!isTmpfs(options.split(',')))
      judge.deny('host-mounts', `the options ${JSON.stringify(options)} of the tmpfs ${JSON.stringify(path)}`)
}

/**
 * Judges the driver of a volume. The local driver passes `type`, `o` and `device` to mount(2): a bind of the host, a
 * disk, or an overlay with directories of the host in its options (volume/local/local_unix.go).
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
    [...options].flatMap(([key, value]) => (key.toLowerCase() === wanted ? [value] : [])).join('\n')
  const type = option('type')
  const words = option('o').split(',')
  // Not just the type: with `bind` in the options mount(2) ignores it.
  if (type === 'tmpfs' && isTmpfs(words)) return
  if (!['', 'none', 'bind'].includes(type) || !words.every((word) => BIND_OPTIONS.test(word)))
    judge.deny('host-mounts', `a volume is a mount of the type ${JSON.stringify(type)} on the host`)
  judge.hostPath(option('device'), words.includes('ro'), 'a volume')
}
