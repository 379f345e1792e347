import type { Framing } from '../message/framing.ts'
import type { RequestHead } from '../message/head.ts'
import { Malformed } from '../message/malformed.ts'
import { readBody } from './read-body.ts'
import type { ClientRequest } from './request.ts'

const LINE = 'PRI * HTTP/2.0\r\n'
const REST = 'SM\r\n\r\n'

/** What HTTP/2 with prior knowledge begins with (RFC 9113, 3.4). */
export const PREFACE = Buffer.from(`${LINE}\r\n${REST}`)

/** To a reader of HTTP/1.1 the preface is a head, and the last bytes of it a body. */
const HEAD: RequestHead = { method: 'PRI', target: '*', minor: 1, fields: [] }
const FRAMING: Framing = { kind: 'length', length: REST.length }

export const readPreface = (head: string): { readonly head: RequestHead; readonly framing: Framing } | undefined =>
  head === LINE ? { head: HEAD, framing: FRAMING } : undefined

export const isPreface = ({ fields }: ClientRequest): boolean => fields === HEAD.fields

/** Reads the preface to its end: what only begins like one is no HTTP/2. */
export async function finishPreface(request: ClientRequest, idleMs: number): Promise<void> {
  const rest = await readBody(request, REST.length, idleMs)
  if (rest.toString('latin1') !== REST) throw new Malformed('not the preface of HTTP/2')
}
