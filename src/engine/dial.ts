import net from 'node:net'
import tls from 'node:tls'
import { buildConnector, errors } from 'undici'
import { MIN_TLS_VERSION, type TlsContents } from '../transport/tls-files.ts'
import { type Address, connectOptions } from './address.ts'

/** How the engine is spoken to over TLS. */
export interface EngineTls {
  readonly verify: boolean
  /** As they are now: files may be replaced while the program runs. */
  readonly contents: () => TlsContents
}

/** Makes connections to the engine, the same way for all who need one. */
export class Dial {
  readonly address: Address
  readonly #tls: EngineTls | undefined
  readonly #connectMs: number

  constructor(address: Address, engineTls?: EngineTls, connectMs = 10_000) {
    this.address = address
    this.#tls = engineTls
    this.#connectMs = connectMs
  }

  /**
   * `half-open`: either side may end first and go on reading, `docker run -i < file` (RFC 9293, half-close). `onread`: as
   * net.connect has it.
   */
  connect(kind: 'half-open' | 'whole', onread?: net.OnReadOpts): net.Socket {
    const reads = onread === undefined ? {} : { onread }
    const where = { ...connectOptions(this.address), ...reads, allowHalfOpen: kind === 'half-open' }
    if (this.#tls === undefined || this.address.kind === 'unix') return this.#inTime(net.connect(where), 'connect')
    return this.#inTime(tls.connect({ ...where, ...this.#options(this.#tls) }), 'secureConnect')
  }

  /** As undici's pool has it: the kernel alone would try for minutes. */
  #inTime<S extends net.Socket>(socket: S, ready: 'connect' | 'secureConnect'): S {
    if (this.#connectMs === 0) return socket
    const timer = setTimeout(() => socket.destroy(new errors.ConnectTimeoutError()), this.#connectMs)
    const stop = (): void => clearTimeout(timer)
    socket.once(ready, stop).once('close', stop)
    return socket
  }

  /**
   * For undici's pool, which would take the name to check from the `Host` header: that is the same for every engine. An
   * IP address is no server name (RFC 6066, 3); the certificate is checked against it all the same.
   */
  readonly connector: buildConnector.connector = ({ servername: _, ...options }, callback) =>
    this.#connector()({ ...options, ...this.#name() }, callback)

  #name(): { servername?: string } {
    return this.address.kind === 'tcp' && net.isIP(this.address.host) === 0 ? { servername: this.address.host } : {}
  }

  /** Whom the last connector was built for: new certificates make a new one. */
  #built: { readonly contents: TlsContents | undefined; readonly connector: buildConnector.connector } | undefined

  #connector(): buildConnector.connector {
    const contents = this.#tls?.contents()
    if (this.#built === undefined || this.#built.contents !== contents) {
      const secure = this.#tls === undefined || this.address.kind === 'unix' ? {} : this.#options(this.#tls)
      const unix = this.address.kind === 'unix' ? { socketPath: this.address.path } : {}
      this.#built = {
        contents,
        connector: buildConnector({ timeout: this.#connectMs, allowH2: false, ...unix, ...secure }),
      }
    }
    return this.#built.connector
  }

  /** For undici: the scheme says whether it is TLS. */
  get origin(): string {
    if (this.address.kind === 'unix') return 'http://engine'
    const host = this.address.host.includes(':') ? `[${this.address.host}]` : this.address.host
    return `${this.#tls === undefined ? 'http' : 'https'}://${host}:${this.address.port}`
  }

  #options({ verify, contents }: EngineTls): TlsOptions {
    return { ...contents(), ...this.#name(), rejectUnauthorized: verify, minVersion: MIN_TLS_VERSION }
  }
}

interface TlsOptions extends TlsContents {
  readonly servername?: string
  readonly rejectUnauthorized: boolean
  readonly minVersion: typeof MIN_TLS_VERSION
}
