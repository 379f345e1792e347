import type { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { ClientRequest } from '../../http/client/request.ts'
import type { AuditRecord } from './record.ts'

/** The client of a call. */
export interface Peer {
  readonly listener: string
  readonly peer: AuditRecord['peer']
  readonly userAgent: string | undefined
  readonly traceparent: string | undefined
  /** Flat name/value pairs. */
  readonly headers: readonly string[]
}

/** By socket: a connection carries many calls. */
const known = new WeakMap<object, AuditRecord['peer']>()

/** W3C Trace Context, 3.2: version, trace, parent, flags. */
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-|$)/

export const peerOf = (request: ClientRequest, listener: string): Peer => new CallPeer(request, listener)

/** Looks up details lazily, for records and policies. */
class CallPeer implements Peer {
  readonly listener: string
  readonly peer: AuditRecord['peer']
  readonly #request: ClientRequest

  constructor(request: ClientRequest, listener: string) {
    this.listener = listener
    this.peer = identify(request.socket) // now, because a closed socket has no address
    this.#request = request
  }

  get headers(): readonly string[] {
    return this.#request.fields
  }

  get userAgent(): string | undefined {
    return this.#request.field('user-agent')
  }

  get traceparent(): string | undefined {
    const text = this.#request.field('traceparent')
    return text !== undefined && TRACEPARENT.test(text) ? text : undefined
  }
}

/** The peer of a request that could not be read. */
export const peerOfSocket = (socket: Socket, listener: string): Peer => ({
  ...{ listener, peer: identify(socket), userAgent: undefined, traceparent: undefined, headers: [] },
})

/** Node cannot query the process behind a unix socket (SO_PEERCRED). */
function identify(socket: Socket): AuditRecord['peer'] {
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
