import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** How long a client that was refused may go on writing before its connection is cut. */
export const LINGER_MS = 1000

const lingering = new WeakSet<Duplex>()

/** Whether a connection has had its last answer: what still comes is looked at by nobody. */
export const lingers = (socket: Duplex): boolean => lingering.has(socket)

/**
 * Ends an answer that was given before its request had come whole. Closed at once, the connection breaks under a client that
 * is still writing, and many then report a broken pipe instead of what they were told: what comes is read and thrown away for
 * a moment (RFC 9112, 9.6; net/http does so too).
 */
export function endLater(res: ServerResponse, body: Buffer): void {
  if (res.socket !== null) lingering.add(res.socket)
  const end = (): void => {
    clearTimeout(timer)
    res.end()
  }
  const timer = setTimeout(end, LINGER_MS)
  res.once('close', () => clearTimeout(timer))
  if (body.length > 0) res.write(body)
  else res.flushHeaders()
  res.req.once('end', end).resume()
}
