import { fieldOf } from '../client/request.ts'
import type { Fields } from '../message/head.ts'
import type { EngineRequest } from './request.ts'

/** Subtracted from the engine's timeout, so that it does not close the connection as a request is written. */
const MARGIN_MS = 2000

/** Content types of a hijacked connection; engines that ignore the upgrade answer with 200. */
const RAW_STREAM = /^application\/vnd\.docker\.(?:raw|multiplexed)-stream/

/** A request head in latin1, as sent. */
export function requestText({ method, path, headers, body, streamed }: EngineRequest): string {
  let text = `${method} ${path} HTTP/1.1\r\n`
  for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`
  if (body !== null) text += `Content-Length: ${body.length}\r\n`
  else if (streamed?.framing.kind === 'length') text += `Content-Length: ${streamed.framing.length}\r\n`
  else if (streamed?.framing.kind === 'chunked') text += 'Transfer-Encoding: chunked\r\n'
  return `${text}\r\n`
}

export const isRawStream = (fields: Fields): boolean => RAW_STREAM.test(fieldOf(fields, 'content-type') ?? '')

/** How long the connection may be kept by `Keep-Alive: timeout=SECONDS`; undefined without one. */
export function keepAliveMs(fields: Fields): number | undefined {
  const found = /(?:^|[,\s])timeout=(\d{1,6})/i.exec(fieldOf(fields, 'keep-alive') ?? '')
  return found === null ? undefined : Number(found[1]) * 1000 - MARGIN_MS
}
