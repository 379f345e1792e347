import type { Readable } from 'node:stream'
import { Refusal } from '../errors.ts'

/**
 * Reads a body whole: up to `limit` bytes, with pauses of at most `idleMs`. The stream is left as it is when that fails, so
 * that its connection can still carry the refusal.
 */
export function readBody(source: Readable, limit: number, idleMs: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let size = 0
  const late = (): void => reject(new Refusal('request-timeout', `nothing of the body came for ${idleMs / 1000} s`))
  const timer = idleMs > 0 ? setTimeout(late, idleMs) : undefined
  const got = (chunk: Buffer): void => {
    size += chunk.length
    chunks.push(chunk)
    timer?.refresh()
    if (size > limit) reject(new Refusal('body-too-large', `the body is larger than ${limit} bytes`))
  }
  const ended = (): void => resolve(Buffer.concat(chunks))
  const left = (): void => reject(new Refusal('bad-request', 'the connection ended before the body'))
  source.on('data', got)
  source.on('end', ended)
  source.on('error', left)
  source.on('close', left)
  // Before anybody listened: it is not told again. Without a body there never was an end (server.ts: optimizeEmptyRequests).
  if (source.readableEnded) ended()
  else if (source.destroyed) left()
  return promise.finally(() => {
    clearTimeout(timer)
    source.pause()
    source.off('data', got)
    source.off('end', ended)
    source.off('close', left)
  })
}
