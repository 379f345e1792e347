import net from 'node:net'
import tls from 'node:tls'
import { connectOptions, type EngineAddress, formatAddress } from '../address.ts'
import { MIN_TLS_VERSION, type TlsContents } from '../listen/tls-files.ts'
import { EngineFault } from './fault.ts'

/** How the engine is spoken to over TLS. */
export interface EngineTls {
  readonly verify: boolean
  /** As they are now: files may be replaced while the program runs. */
  readonly contents: () => TlsContents
}

/** What brings the socket of an engine behind ssh to this machine: ssh.ts. */
export interface Forwarded {
  /** Where it is here. */
  open(): Promise<string>
}

/** Makes connections to the engine, the same way for all who need one. */
export class Connector {
  readonly address: EngineAddress
  readonly #tls: EngineTls | undefined
  readonly #connectMs: number
  readonly #forwarded: Forwarded | undefined

  /** `connectMs`: until the engine accepts; 0: as long as the kernel tries. */
  constructor(address: EngineAddress, engineTls?: EngineTls, connectMs = 10_000, forwarded?: Forwarded) {
    this.address = address
    this.#tls = engineTls
    this.#connectMs = connectMs
    this.#forwarded = forwarded
  }

  /** Whether the engine is spoken to over TLS. */
  get encrypted(): boolean {
    return this.#tls !== undefined && this.address.kind === 'tcp'
  }

  /** Either side may end first and go on reading (`docker run -i < file`). `onread`: as net.connect has it. */
  connect(onread?: net.OnReadOpts): net.Socket {
    const reads = onread === undefined ? {} : { onread }
    const { address } = this
    if (address.kind === 'ssh') return this.#inTime(this.#onceForwarded({ ...reads, allowHalfOpen: true }), 'connect')
    const where = { ...connectOptions(address), ...reads, allowHalfOpen: true }
    if (this.#tls === undefined || !this.encrypted) return this.#inTime(net.connect(where), 'connect')
    return this.#inTime(tls.connect({ ...where, ...this.#options(this.#tls) }), 'secureConnect')
  }

  /** What is written meanwhile waits: the socket is corked until it may connect. */
  #onceForwarded(options: net.SocketConstructorOpts): net.Socket {
    const socket = new net.Socket(options)
    socket.cork()
    const fails = (cause: unknown): void => {
      socket.destroy(cause instanceof Error ? cause : new Error(String(cause)))
    }
    if (this.#forwarded === undefined) fails(new Error('nothing forwards its socket'))
    this.#forwarded?.open().then((path) => {
      if (socket.destroyed) return
      socket.connect(path)
      socket.uncork()
    }, fails)
    return socket
  }

  /** The kernel alone would try for minutes. */
  #inTime<S extends net.Socket>(socket: S, ready: 'connect' | 'secureConnect'): S {
    socket.setNoDelay(true) // what somebody types must not wait for more
    if (this.#connectMs === 0) return socket
    const where = formatAddress(this.address)
    const late = (): EngineFault =>
      new EngineFault('engine-timeout', `the engine at ${where} did not accept a connection in time`)
    const timer = setTimeout(() => socket.destroy(late()), this.#connectMs)
    const stop = (): void => clearTimeout(timer)
    socket.once(ready, stop).once('close', stop)
    return socket
  }

  /** An IP address is no server name (RFC 6066, 3); the certificate is checked against it all the same. */
  #options({ verify, contents }: EngineTls): tls.ConnectionOptions {
    const { address } = this
    const name = address.kind === 'tcp' && net.isIP(address.host) === 0 ? { servername: address.host } : {}
    return { ...contents(), ...name, rejectUnauthorized: verify, minVersion: MIN_TLS_VERSION }
  }
}
