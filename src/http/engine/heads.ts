import type { ReadonlyHeaders } from '../headers.ts'
import type { EngineRequest } from './request.ts'

/** Subtracted from the engine's timeout, so that it does not close the connection as a request is written. */
const MARGIN_MS = 2000

/** Content types of a hijacked connection; engines that ignore the upgrade answer with 200. */
const RAW_STREAM = /^application\/vnd\.docker\.(?:raw|multiplexed)-stream/

/** A request head in latin1, as sent. */
export function requestText({ method, path, headers, body, streamed }: EngineRequest): string {
  let text = `${method} ${path} HTTP/1.1\r\n${headers.lines}`
  if (body !== null) text += `Content-Length: ${body.length}\r\n`
  else if (streamed?.framing.kind === 'length') text += `Content-Length: ${streamed.framing.length}\r\n`
  else if (streamed?.framing.kind === 'chunked') text += 'Transfer-Encoding: chunked\r\n'
  return `${text}\r\n`
}

export const isRawStream = (headers: ReadonlyHeaders): boolean => RAW_STREAM.test(headers.get('content-type') ?? '')

/** How long the connection may be kept by `Keep-Alive: timeout=SECONDS`; undefined without one. */
export function keepAliveMs(keepAlive: string): number | undefined {
  if (keepAlive === '') return undefined
  const found = /(?:^|[,\s])timeout=(\d{1,6})/i.exec(keepAlive)
  return found === null ? undefined : Number(found[1]) * 1000 - MARGIN_MS
}
