import type { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { defined } from '../../config/defined.ts'
import type { ClientRequest } from '../../http/client/request.ts'
import type { ReadonlyHeaders } from '../../http/headers.ts'
import { connectionOf } from '../../http/listener.ts'
import type { AuditRecord } from './record.ts'

/** The client of a call. */
export interface Peer {
  readonly listener: string
  readonly peer: AuditRecord['peer']
  readonly userAgent: string | undefined
  readonly traceparent: string | undefined
  readonly headers: ReadonlyHeaders
}

/** By socket: a connection carries many calls. */
const known = new WeakMap<object, AuditRecord['peer']>()

/** W3C Trace Context, 3.2: version, trace, parent, flags. What later versions may add is free text. */
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?=-|$)/

/** `headers`: none of a request that could not be read. */
export function peerOf({ socket, headers }: Pick<ClientRequest, 'socket' | 'headers'>, listener: string): Peer {
  const traceparent = TRACEPARENT.exec(headers.get('traceparent') ?? '')?.[0]
  return { listener, peer: identify(socket), userAgent: headers.get('user-agent'), traceparent, headers }
}

/** Node cannot query the process behind a unix socket (SO_PEERCRED). */
function identify(socket: Socket): AuditRecord['peer'] {
  let peer = known.get(socket)
  if (peer === undefined) {
    const certificate = 'getPeerX509Certificate' in socket ? (socket as TLSSocket).getPeerX509Certificate() : undefined
    peer = defined({
      // On `[::]` an IPv4 address is mapped (RFC 4291, 2.5.5.2); rules name it as IPv4.
      address: connectionOf(socket).remoteAddress?.replace(/^::ffff:(?=\d+\.)/, ''),
      port: connectionOf(socket).remotePort,
      certificate: certificate && describe(certificate, (socket as TLSSocket).authorized),
    })
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
