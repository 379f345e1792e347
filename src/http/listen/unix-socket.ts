import { hash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import net from 'node:net'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, messageOf } from '../../config/text.ts'

/** Owner of a socket; undefined: unchanged. */
export interface Ids {
  readonly uid: number | undefined
  readonly gid: number | undefined
}

/** Linux: opens the path itself without following or reading it (open(2)). Missing from Node's constants. */
const O_PATH = 0o10000000

/** Names a file by descriptor, even after another process has renamed or replaced it. */
const OPEN_FILES = '/proc/self/fd'

/**
 * A socket that was just bound. In a directory that others can write to, its path may soon be a symlink or another
 * socket; owner and mode are applied to this socket only.
 */
export class BoundSocket {
  /** Identifies the socket whatever its name; unique while the socket is open. */
  readonly file: FileId
  readonly #fd: number | undefined
  readonly #name: string
  readonly #path: string

  /** Call right after bind(2). Throws if the path is another file by now. */
  constructor(path: string) {
    this.#path = path
    this.#fd = existsSync(OPEN_FILES) ? openSync(path, O_PATH | constants.O_NOFOLLOW) : undefined
    this.#name = this.#fd === undefined ? path : `${OPEN_FILES}/${this.#fd}`
    const found = this.#fd === undefined ? lstatSync(path, { bigint: true }) : fstatSync(this.#fd, { bigint: true })
    this.file = found
    if (found.isSocket() && found.nlink === 1n) return // nlink: no hard link to somebody else's socket
    this.close()
    throw new Error(`cannot listen on unix://${path}: another process replaced the socket`)
  }

  give({ uid = -1, gid = -1 }: Ids): void {
    if (uid === -1 && gid === -1) return // unchanged (chown(2))
    try {
      chownSync(this.#name, uid, gid)
    } catch (cause) {
      throw new Error(`cannot give unix://${this.#path} to its owner or group: ${messageOf(cause)}`, { cause })
    }
  }

  open(mode: number): void {
    chmodSync(this.#name, mode)
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
  }
}

/** Device and inode (stat(2)). */
export interface FileId {
  readonly dev: bigint
  readonly ino: bigint
}

/**
 * Closes a server without removing a file of another process at its path. libuv unlinks the path it bound
 * (uv__pipe_close), synchronously in `close`; another file is moved away meanwhile.
 */
export function closeWithoutOthers(path: string, own: FileId | undefined, close: () => void): void {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  const isOwn = found !== undefined && found.dev === own?.dev && found.ino === own.ino
  const aside = found === undefined || isOwn || found.isDirectory() ? undefined : setAside(path)
  try {
    close()
  } finally {
    if (aside !== undefined) putBack(aside, path)
  }
}

/**
 * Moves the file to a new directory, where its name cannot clash. Returns undefined if it cannot be renamed: then libuv
 * cannot unlink it either.
 */
function setAside(path: string): string | undefined {
  const made: { folder?: string } = {}
  try {
    made.folder = mkdtempSync(`${path}.`)
    const aside = join(made.folder, 'aside')
    renameSync(path, aside)
    return aside
  } catch (cause) {
    if (made.folder !== undefined) rmdirSync(made.folder)
    if (codeOf(cause) !== '') return undefined
    throw cause
  }
}

/** If a third process has used the path meanwhile, a socket moved aside is unreachable and removed; a file is kept. */
function putBack(aside: string, path: string): void {
  if (isBack(aside, path) || lstatSync(aside).isSocket()) rmSync(dirname(aside), { recursive: true })
}

/** Uses link(2), which unlike rename(2) overwrites nothing. */
function isBack(aside: string, path: string): boolean {
  try {
    linkSync(aside, path)
  } catch (cause) {
    if (codeOf(cause) === '') throw cause
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return false
    renameSync(aside, path) // Linux does not link sockets of other users (fs.protected_hardlinks); some file systems have no links
  }
  return true
}

/** How long to wait for another process that starts on the same path. */
const TIMEOUT_MS = 5_000
const LOOK_MS = 20

/**
 * Runs `bind` after removing a stale socket, and only a socket. If several processes find one, the first to get the
 * lock binds; the others then find it in use.
 */
export async function inPlaceOfStale(path: string, bind: () => Promise<void>): Promise<void> {
  if (!(await isStale(path))) return bind()
  const release = await lock(path)
  try {
    if (await isStale(path)) unlinkSync(path)
    await bind()
  } finally {
    await release()
  }
}

/** Whether the path holds a socket without a server. Rejects for another file, or a socket in use. */
async function isStale(path: string): Promise<boolean> {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return false
  if (!found.isSocket()) throw new Error(`cannot listen on unix://${path}: the path exists and is not a socket`)
  if (await somebodyServes(path)) throw new Error(`cannot listen on unix://${path}: another process serves it`)
  return true
}

/**
 * A lock that cannot outlive its holder: an abstract socket (unix(7)), which the kernel grants to one process and frees
 * when that exits. Only on Linux; elsewhere there is no lock.
 */
async function lock(path: string): Promise<() => Promise<void>> {
  if (process.platform !== 'linux') return async () => undefined
  const name = lockName(path)
  const until = performance.now() + TIMEOUT_MS
  for (;;) {
    const holder = await held(name)
    if (holder !== undefined) return async () => void (await once(holder.close(), 'close'))
    if (performance.now() > until)
      throw new Error(
        `cannot listen on unix://${path}: another process has been starting there for ${TIMEOUT_MS / 1000} s`,
      )
    await sleep(LOOK_MS)
  }
}

/** The same name for every path to the same file. A digest: names of sockets have 107 bytes, as paths. */
export function lockName(path: string): string {
  const { dev, ino } = statSync(dirname(path))
  return `\0enginebridge-listen:${hash('sha256', `${dev}:${ino}:${basename(path)}`)}`
}

/** Undefined while another process holds the name. */
async function held(name: string): Promise<net.Server | undefined> {
  const server = net.createServer((socket) => socket.destroy()).listen({ path: name, exclusive: true })
  return once(server, 'listening').then(
    () => server,
    (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EADDRINUSE') return undefined
      throw cause
    },
  )
}

async function somebodyServes(path: string): Promise<boolean> {
  const probe = net.connect(path)
  const connected = once(probe, 'connect').then(() => true)
  const answers = connected.catch((cause: unknown) => codeOf(cause) !== 'ECONNREFUSED')
  return answers.finally(() => probe.destroy())
}
