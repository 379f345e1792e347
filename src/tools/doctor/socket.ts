import type { Stats } from 'node:fs'
import { lstat, readFile, realpath, stat } from 'node:fs/promises'
import net from 'node:net'
import { dirname } from 'node:path'
import { reasonOf } from '../../config/text.ts'
import { type Address, connectOptions, formatAddress } from '../../http/address.ts'
import { type Finding, finding } from './finding.ts'

const CONNECT_TIMEOUT_MS = 3000
const WORLD_WRITABLE = 0o002
const GROUP_WRITABLE = 0o020
const PERMISSIONS = 0o777
const ROOT = 0

export type State = 'up' | 'absent' | 'stale' | 'not-a-socket' | 'forbidden' | 'unreachable'

interface SocketReport {
  readonly state: State
  readonly findings: readonly Finding[]
}

const failed = (state: State, says: string, advice?: string): SocketReport => ({
  state,
  findings: [finding('broken', 'socket', says, advice)],
})

/** Checks whether a process listens at an address; explains why not. */
export const checkSocket = (address: Address): Promise<SocketReport> =>
  address.kind === 'tcp' ? checkPort(address) : checkPath(address.path)

async function checkPort(address: Extract<Address, { kind: 'tcp' }>): Promise<SocketReport> {
  const failure = await connects(address)
  if (failure === undefined)
    return { state: 'up', findings: [finding('ok', 'connection', `${formatAddress(address)} accepts connections`)] }
  const words: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'no process listens on that port',
    ENOTFOUND: 'the name is not known',
    EAI_AGAIN: 'no name server answers',
    EHOSTUNREACH: 'no route to that host',
    ENETUNREACH: 'no route to that host',
    ETIMEDOUT: `no answer within ${CONNECT_TIMEOUT_MS / 1000} s`,
  }
  const says = `${formatAddress(address)}: ${words[failure] ?? failure}`
  return { state: 'unreachable', findings: [finding('broken', 'connection', says)] }
}

async function checkPath(path: string): Promise<SocketReport> {
  const entry = await stat(path).catch(reasonOf)
  if (typeof entry === 'string') return missing(path, entry)
  if (!entry.isSocket()) {
    const says = `${path} is ${entry.isDirectory() ? 'a directory' : 'no socket but another file'}`
    const advice = entry.isDirectory()
      ? 'A container run with -v makes a directory where the path does not exist on the host: remove it, start the engine first.'
      : 'Name the socket of the engine.'
    return failed('not-a-socket', says, advice)
  }
  const owners = await ownersOf(entry.uid, entry.gid, entry.mode)
  const failure = await connects({ kind: 'unix', path })
  if (failure === 'EACCES' || failure === 'EPERM') {
    const says = `${path} (${owners.text}): ${whoAmI()} may not connect`
    return failed('forbidden', says, toConnect(entry, owners.group))
  }
  if (failure === 'ECONNREFUSED') {
    const says = `${path} is stale: the file exists, but no process listens on it`
    return failed('stale', says, 'Start the engine (systemctl start docker).')
  }
  if (failure !== undefined) return failed('unreachable', `${path}: ${failure}`)
  const open = finding('ok', 'socket', `${path} (${owners.text}), ${whoAmI()} may connect`)
  return { state: 'up', findings: [open, ...tooOpen(path, entry.mode)] }
}

/** Group root would grant far more than connecting; a group without write permission cannot connect (connect(2)). */
const toConnect = ({ gid, mode }: Stats, group: string): string =>
  gid !== ROOT && (mode & GROUP_WRITABLE) !== 0
    ? `Join the group (usermod -aG ${group} USER, then log in again), or run as root.`
    : 'Run as root, or have the socket given to a group of its own, with mode 0660 (--group of dockerd, --socket-group of a bridge).'

async function missing(path: string, code: string): Promise<SocketReport> {
  if (code === 'EACCES')
    return failed('forbidden', `${path}: ${whoAmI()} may not enter the directory`, 'Run as its owner or as root.')
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return failed('unreachable', `${path}: ${code}`)
  const link = await lstat(path).catch(() => undefined)
  const says = link?.isSymbolicLink()
    ? `${path} is a link to something that is not there`
    : `there is no socket at ${path}`
  const folder = await realpath(dirname(path)).catch(() => undefined)
  const advice =
    folder === undefined
      ? `The directory ${dirname(path)} is missing as well: is that the right path?`
      : 'Start the engine, or name another with --engine or DOCKER_HOST.'
  return failed('absent', says, advice)
}

function tooOpen(path: string, mode: number): Finding[] {
  if ((mode & WORLD_WRITABLE) === 0) return []
  const says = `every user of this machine may connect to ${path}, which makes them root on it`
  return [finding('warning', 'socket', says, `chmod 0660 ${path}, with a group of its own.`)]
}

const whoAmI = (): string => {
  const uid = process.getuid?.()
  return uid === undefined ? 'this user' : uid === 0 ? 'root' : `uid ${uid}`
}

/** `root:docker 0660`, with names if the machine knows them. */
async function ownersOf(uid: number, gid: number, mode: number): Promise<{ text: string; group: string }> {
  const [user, group] = await Promise.all([nameIn('/etc/passwd', uid), nameIn('/etc/group', gid)])
  return { text: `${user}:${group} ${(mode & PERMISSIONS).toString(8).padStart(4, '0')}`, group }
}

async function nameIn(file: string, id: number): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '') // unavailable on this platform: use the number
  const lines = text.split('\n').map((line) => line.split(':'))
  return lines.find((fields) => fields[2] === String(id))?.[0] ?? String(id)
}

/** Undefined if the connection succeeds; else the error code. */
function connects(address: Address): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const probe = net.connect({ ...connectOptions(address), timeout: CONNECT_TIMEOUT_MS })
  const done = (result: string | undefined): void => {
    probe.destroy()
    resolve(result)
  }
  probe.once('connect', () => done(undefined))
  probe.once('timeout', () => done('ETIMEDOUT'))
  probe.once('error', (error) => done(reasonOf(error)))
  return promise
}
