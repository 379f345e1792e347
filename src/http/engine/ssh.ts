import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../config/text.ts'
import { formatAddress, type SshAddress } from '../address.ts'
import { ProxyError } from '../errors.ts'

/**
 * Runs ssh and kills it when stdin closes, which happens however the bridge dies. $1 is the socket's folder, removed
 * then; the rest is the command.
 */
const GUARD =
  'folder=$1; shift; exec 3<&0; "$@" </dev/null 3<&- & ssh=$!; { cat <&3; rm -rf "$folder"; kill $ssh; } >/dev/null 2>&1 & guard=$!; wait $ssh; code=$?; kill $guard; exit $code'

/** The line that ssh's LocalCommand prints once the connection stands and the socket is forwarded (ssh_config(5)). */
const READY = 'enginebridge-ready'
const MAX_WORDS = 2000

/** One connection of the machine's own ssh, which forwards the engine's socket: every call is a channel of it, half-close included. */
export class SshForward {
  readonly address: SshAddress
  readonly #connectMs: number
  readonly #told: (words: string) => void
  #folder: string | undefined
  #child: ChildProcess | undefined
  #opening: Promise<string> | undefined
  #closed = false

  /** `told` hears what ssh says on its standard error. */
  constructor(address: SshAddress, connectMs: number, told: (words: string) => void) {
    this.address = address
    this.#connectMs = connectMs
    this.#told = told
  }

  /** The path of the socket here. ssh is started when there is none, or when it has ended. Rejects with a ProxyError. */
  async open(): Promise<string> {
    try {
      this.#opening ??= this.#start()
    } catch (cause) {
      throw this.#unreachable(messageOf(cause)) // there is no place for its folder
    }
    return this.#opening
  }

  #unreachable(why: string): ProxyError {
    return new ProxyError('engine-unreachable', `cannot reach the engine at ${formatAddress(this.address)}: ${why}`)
  }

  close(): void {
    this.#closed = true
    this.#child?.stdin?.end()
    this.#removeFolder()
  }

  #removeFolder(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true })
  }

  #start(): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    // Another one each time: the shell before may still be removing its own.
    this.#removeFolder()
    const folder = mkdtempSync(join(tmpdir(), 'enginebridge-ssh-'))
    this.#folder = folder
    const path = join(folder, 'engine.sock')
    const command = ['ssh', ...sshArguments(this.address, path, this.#connectMs)]
    const child: ChildProcess = spawn('/bin/sh', ['-c', GUARD, 'sh', folder, ...command]) // no streams without descriptors
    this.#child = child
    // ssh itself waits without limit for the end of the authentication (ConnectTimeout in ssh_config(5)). A timer cannot.
    const late = setTimeout(() => child.stdin?.end(), Math.min(2 * this.#connectMs, 2 ** 31 - 1))
    let words = ''
    const ended = (why: string): void => {
      clearTimeout(late)
      this.#opening = undefined
      reject(this.#unreachable(words.trim() || why))
    }
    child.stdout?.on('data', (chunk: Buffer) => {
      if (!chunk.includes(READY)) return
      clearTimeout(late)
      resolve(path)
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      words = `${words}${chunk}`.slice(-MAX_WORDS)
      if (!this.#closed) this.#told(chunk.toString().trim())
    })
    child.stdin?.on('error', (cause) => this.#told(cause.message)) // it ended before it was told to
    child.on('error', (cause) => ended(cause.message))
    child.on('close', (code) => ended(`ssh ended with ${code}`))
    return promise
  }
}

/** Never a question at a terminal; nothing of a connection that others share. */
function sshArguments({ user, host, port, path }: SshAddress, socket: string, connectMs: number): string[] {
  const options = {
    BatchMode: 'yes',
    ConnectTimeout: String(Math.max(1, Math.ceil(connectMs / 1000))),
    ControlMaster: 'no',
    ControlPath: 'none',
    ExitOnForwardFailure: 'yes',
    ServerAliveInterval: '15',
    StreamLocalBindUnlink: 'yes',
    PermitLocalCommand: 'yes',
    LocalCommand: `echo ${READY}`,
  }
  return [
    ...['-N', '-T', '-L', `${socket}:${path}`],
    ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
    ...(user === undefined ? [] : ['-l', user]),
    ...(port === undefined ? [] : ['-p', String(port)]),
    ...['--', host],
  ]
}
