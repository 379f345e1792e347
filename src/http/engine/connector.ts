import net from 'node:net'
import tls from 'node:tls'
import { connectOptions, type EngineAddress, formatAddress } from '../address.ts'
import { notAccepted } from '../errors.ts'
import { keepAlive } from '../liveness.ts'
import type { TlsFiles } from '../tls/tls-files.ts'
import type { SshForward } from './ssh.ts'

/** Opens connections to the engine. */
export class Connector {
  readonly address: EngineAddress
  readonly #tls: TlsFiles | undefined
  readonly #connectMs: number
  readonly #forwarded: Pick<SshForward, 'open'> | undefined

  /** `connectMs`: timeout for connecting; 0: the kernel's. */
  constructor(address: EngineAddress, engineTls?: TlsFiles, connectMs = 10_000, forwarded?: Pick<SshForward, 'open'>) {
    this.address = address
    this.#tls = engineTls
    this.#connectMs = connectMs
    this.#forwarded = forwarded
  }

  get encrypted(): boolean {
    return this.#tls !== undefined && this.address.kind === 'tcp'
  }

  /** Half-open: either side may end first and still read (`docker run -i < file`). `onread`: see net.connect. */
  connect(onread?: net.OnReadOpts): net.Socket {
    const reads = onread === undefined ? {} : { onread }
    const { address } = this
    if (address.kind === 'ssh') return this.#inTime(this.#onceForwarded({ ...reads, allowHalfOpen: true }), 'connect')
    const where = { ...connectOptions(address), ...reads, allowHalfOpen: true }
    if (this.#tls === undefined || !this.encrypted) return this.#inTime(net.connect(where), 'connect')
    // An IP address is not allowed as server name (RFC 6066, 3); the certificate is verified all the same.
    const name = address.kind === 'tcp' && net.isIP(address.host) === 0 ? { servername: address.host } : {}
    return this.#inTime(tls.connect({ ...where, ...name, ...this.#tls.options }), 'secureConnect')
  }

  /** Corked until the tunnel is up, so that writes wait. */
  #onceForwarded(options: net.SocketConstructorOpts): net.Socket {
    const socket = new net.Socket(options)
    socket.cork()
    const fails = (cause: unknown): void => {
      socket.destroy(cause instanceof Error ? cause : new Error(String(cause)))
    }
    if (this.#forwarded === undefined) fails(new Error('no ssh tunnel is configured'))
    this.#forwarded?.open().then((path) => {
      if (socket.destroyed) return
      socket.connect(path)
      socket.uncork()
    }, fails)
    return socket
  }

  /** The kernel's timeout is minutes. */
  #inTime<S extends net.Socket>(socket: S, ready: 'connect' | 'secureConnect'): S {
    socket.setNoDelay(true) // keystrokes must not be delayed
    keepAlive(socket)
    if (this.#connectMs === 0) return socket
    const late = (): unknown => socket.destroy(notAccepted(formatAddress(this.address)))
    const timer = setTimeout(late, this.#connectMs)
    const stop = (): void => clearTimeout(timer)
    socket.once(ready, stop).once('close', stop)
    return socket
  }
}
