import type { X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { rawHeader } from '../wire.ts'
import type { AuditRecord } from './record.ts'

/** Who calls. */
export interface Peer {
  readonly listener: string
  readonly peer: AuditRecord['peer']
  readonly userAgent: string | undefined
  readonly traceparent: string | undefined
  /** Flat name/value pairs. */
  readonly headers: readonly string[]
}

/** A connection carries many calls of one peer. */
const known = new WeakMap<object, AuditRecord['peer']>()

/** W3C Trace Context, 3.2: version, trace, parent, flags. */
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-|$)/

export const peerOf = (req: IncomingMessage, listener: string): Peer => new CallPeer(req, listener)

/** What only a record or a policy wants to know is looked up when it does. */
class CallPeer implements Peer {
  readonly listener: string
  readonly peer: AuditRecord['peer']
  readonly #req: IncomingMessage

  constructor(req: IncomingMessage, listener: string) {
    this.listener = listener
    this.peer = identify(req.socket) // at once: of a closed socket nothing is known
    this.#req = req
  }

  get headers(): readonly string[] {
    return this.#req.rawHeaders
  }

  get userAgent(): string | undefined {
    return rawHeader(this.#req, 'user-agent')
  }

  get traceparent(): string | undefined {
    const text = rawHeader(this.#req, 'traceparent')
    return text !== undefined && TRACEPARENT.test(text) ? text : undefined
  }
}

/** Who is at the other end, where no request could be read. */
export const peerOfSocket = (socket: IncomingMessage['socket'], listener: string): Peer => ({
  ...{ listener, peer: identify(socket), userAgent: undefined, traceparent: undefined, headers: [] },
})

/** Of the process behind a unix socket Node tells nothing: it has no way to ask for SO_PEERCRED. */
function identify(socket: IncomingMessage['socket']): AuditRecord['peer'] {
  let peer = known.get(socket)
  if (peer === undefined) {
    const { remoteAddress: address, remotePort: port } = socket
    const certificate = 'getPeerX509Certificate' in socket ? (socket as TLSSocket).getPeerX509Certificate() : undefined
    peer = {
      ...(address === undefined ? {} : { address }),
      ...(port === undefined ? {} : { port }),
      ...(certificate === undefined ? {} : { certificate: describe(certificate, (socket as TLSSocket).authorized) }),
    }
    known.set(socket, peer)
  }
  return peer
}

const oneLine = (name: string): string => name.split('\n').join(', ')

const describe = (
  certificate: X509Certificate,
  verified: boolean,
): NonNullable<AuditRecord['peer']['certificate']> => ({
  subject: oneLine(certificate.subject),
  issuer: oneLine(certificate.issuer),
  fingerprint: certificate.fingerprint256,
  serial: certificate.serialNumber,
  verified,
})
