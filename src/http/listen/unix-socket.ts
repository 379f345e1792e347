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
} from 'node:fs'
import { lstat, stat, unlink } from 'node:fs/promises'
import net from 'node:net'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Who is to own a socket; undefined: as it is. */
export interface Ids {
  readonly uid: number | undefined
  readonly gid: number | undefined
}

/** Linux: opens the name itself, whatever it is, for nothing but to name it (open(2)). Node has no constant for it. */
const O_PATH = 0o10000000

/** The process's own open files, by which a file can be named that somebody else may have renamed or replaced. */
const OPEN_FILES = '/proc/self/fd'

/**
 * The socket that was just bound at a path. What stands there later may be somebody else's, where others may write to the
 * folder: a link to another file, another socket. Owner and mode are given to this one alone.
 */
export class BoundSocket {
  /** Which file it is, whatever its name is by now; no other can be it as long as the socket is open. */
  readonly file: FileId
  readonly #fd: number | undefined
  readonly #name: string

  /** To be made at once after bind(2). Throws where something else is at the path. */
  constructor(path: string) {
    this.#fd = existsSync(OPEN_FILES) ? openSync(path, O_PATH | constants.O_NOFOLLOW) : undefined
    this.#name = this.#fd === undefined ? path : `${OPEN_FILES}/${this.#fd}`
    const found = this.#fd === undefined ? lstatSync(path, { bigint: true }) : fstatSync(this.#fd, { bigint: true })
    this.file = found
    if (found.isSocket() && found.nlink === 1n) return // no link, and no second name of a socket elsewhere
    this.close()
    throw new Error(`cannot listen on unix://${path}: somebody put something else there`)
  }

  give({ uid, gid }: Ids): void {
    if (uid !== undefined || gid !== undefined) chownSync(this.#name, uid ?? -1, gid ?? -1) // -1: as it is (chown(2))
  }

  open(mode: number): void {
    chmodSync(this.#name, mode)
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
  }
}

/** A file of the machine (stat(2)): device and inode. */
export interface FileId {
  readonly dev: bigint
  readonly ino: bigint
}

/**
 * Runs `close`, which closes the server of a socket at a path, and leaves there what is not that socket. libuv removes whatever
 * has the name that it bound (uv__pipe_close), at once within `close`: something else is elsewhere for that moment.
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
 * The name that it has now, in a folder of its own, where no name is taken; undefined where nothing there can be renamed: then
 * it cannot be removed either (unlink(2)).
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
    if (codeOf(cause) !== undefined) return undefined
    throw cause
  }
}

/** Where a third has put something meanwhile, nobody can reach the socket any more, and it goes; a file stays where it is. */
function putBack(aside: string, path: string): void {
  if (isBack(aside, path) || lstatSync(aside).isSocket()) rmSync(dirname(aside), { recursive: true })
}

/** By link(2), which overwrites nothing as rename(2) does. */
function isBack(aside: string, path: string): boolean {
  try {
    linkSync(aside, path)
  } catch (cause) {
    if (codeOf(cause) === undefined) throw cause
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return false
    renameSync(aside, path) // Linux links nobody else's sockets (fs.protected_hardlinks), some file systems link nothing
  }
  return true
}

const codeOf = (cause: unknown): unknown => (cause instanceof Error && 'code' in cause ? cause.code : undefined)

/** How long another that starts at the same path is waited for. */
const PATIENCE_MS = 5_000
const LOOK_MS = 20

/**
 * Runs `bind` once nothing is at the path: a socket that nobody serves any more is removed, never anything else. Of several
 * that find one at the same time, one goes on: the others wait for it, and find that it serves.
 */
export async function inPlaceOfStale(path: string, bind: () => Promise<void>): Promise<void> {
  if (!(await isStale(path))) return bind()
  const release = await lock(path)
  try {
    if (await isStale(path)) await unlink(path)
    await bind()
  } finally {
    await release()
  }
}

/** Whether a socket is there that nobody serves. Rejects when something else is, or somebody does. */
async function isStale(path: string): Promise<boolean> {
  const found = await lstat(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw cause
  })
  if (found === undefined) return false
  if (!found.isSocket()) throw new Error(`cannot listen on unix://${path}: there is something else at that path`)
  if (await somebodyServes(path)) throw new Error(`cannot listen on unix://${path}: another process serves it`)
  return true
}

/**
 * A lock that its holder cannot leave behind: a name without a file (unix(7), abstract sockets), which the kernel gives to one
 * process at a time and takes back when that ends. Linux alone has it; elsewhere nobody is waited for.
 */
async function lock(path: string): Promise<() => Promise<void>> {
  if (process.platform !== 'linux') return async () => undefined
  const name = await lockName(path)
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const holder = await held(name)
    if (holder !== undefined) return () => closed(holder)
    if (performance.now() > until)
      throw new Error(
        `cannot listen on unix://${path}: another process has been starting there for ${PATIENCE_MS / 1000} s`,
      )
    await sleep(LOOK_MS)
  }
}

/** The same for whoever means the same file. */
export async function lockName(path: string): Promise<string> {
  const { dev, ino } = await stat(dirname(path))
  return `\0enginebridge-listen:${dev}:${ino}:${basename(path)}`
}

/** Undefined while somebody else has the name. */
function held(name: string): Promise<net.Server | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<net.Server | undefined>()
  const server = net.createServer((socket) => socket.destroy())
  server.once('error', (error: NodeJS.ErrnoException) =>
    error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
  )
  server.listen({ path: name, exclusive: true }, () => resolve(server))
  return promise
}

function closed(server: net.Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  return promise
}

function somebodyServes(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const probe = net.connect(path)
  probe.once('connect', () => {
    probe.destroy()
    resolve(true)
  })
  probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'))
  return promise
}
