import { Headers } from '../headers.ts'
import type { Framing } from '../message/framing.ts'
import { FramingFields, type RequestHead } from '../message/head.ts'
import { Malformed } from '../message/malformed.ts'
import { readBody } from './read-body.ts'
import type { ClientRequest } from './request.ts'

const LINE = 'PRI * HTTP/2.0\r\n'
const REST = 'SM\r\n\r\n'

/** The client preface of HTTP/2 with prior knowledge (RFC 9113, 3.4). */
export const PREFACE = Buffer.from(`${LINE}\r\n${REST}`)

/** To an HTTP/1.1 parser the preface is a head followed by a body of 6 bytes. */
const HEAD: RequestHead = {
  method: 'PRI',
  target: '*',
  minor: 1,
  headers: new Headers(),
  framingFields: new FramingFields(),
}
const FRAMING: Framing = { kind: 'length', length: REST.length }

export const readPreface = (head: string): { readonly head: RequestHead; readonly framing: Framing } | undefined =>
  head === LINE ? { head: HEAD, framing: FRAMING } : undefined

export const isPreface = ({ headers }: ClientRequest): boolean => headers === HEAD.headers

/** Reads the rest of the preface. Throws `Malformed` if it is invalid. */
export async function finishPreface(request: ClientRequest, idleMs: number): Promise<void> {
  const rest = await readBody(request, REST.length, idleMs)
  if (rest.toString('latin1') !== REST) throw new Malformed('invalid HTTP/2 preface')
}
