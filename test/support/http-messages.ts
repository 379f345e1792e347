import { Malformed } from '../../src/http/errors.ts'
import { BodyReader, type Framing, persists, requestFraming, responseFraming } from '../../src/http/message/framing.ts'
import {
  type HeadText,
  type RequestHead,
  type ResponseHead,
  readRequestHead,
  readResponseHead,
} from '../../src/http/message/head.ts'
import { HeadReader, REQUEST_BEGINS, RESPONSE_BEGINS } from '../../src/http/message/head-reader.ts'

export interface ReadMessage {
  /** Method, target and version, or version, status and reason. */
  readonly start: readonly string[]
  readonly fields: readonly string[]
  readonly framing: Framing['kind']
  body: string
  whole: boolean
  /** Sizes of the body's chunks. */
  readonly chunks: number[]
}

/** The messages in the bytes of a connection, and the state after them. */
export interface Reading {
  readonly messages: readonly ReadMessage[]
  /** `over`: the last message closes its connection or starts a tunnel, so no message follows. */
  readonly verdict: 'idle' | 'in-head' | 'in-body' | 'over' | Malformed
}

interface Next {
  readonly start: readonly string[]
  readonly fields: readonly string[]
  readonly framing: Framing
  readonly last: boolean
}

const LIMIT = 64 * 1024

const nextRequest = (text: HeadText): Next => {
  const head = readRequestHead(text)
  const start = [head.method, head.target, `1.${head.minor}`]
  return { start, fields: head.headers.raw(), framing: requestFraming(head), last: isLast(head) }
}

const nextResponse = (text: HeadText, method: string): Next => {
  const head = readResponseHead(text)
  const start = [`1.${head.minor}`, String(head.status), head.reason]
  return { start, fields: head.headers.raw(), framing: responseFraming(head, method), last: isLast(head) }
}

const isLast = ({
  status,
  ...head
}: { status?: number } & Pick<RequestHead | ResponseHead, 'minor' | 'framingFields'>) =>
  status === 101 || !persists(head)

/** Reads what a client sends over one connection, in these pieces. */
export const readRequests = (pieces: readonly Buffer[], limit = LIMIT): Reading =>
  read(pieces, new HeadReader(limit, REQUEST_BEGINS), nextRequest, false)

/** Reads what an engine sends over one connection that answers requests of this method. */
export const readResponses = (pieces: readonly Buffer[], method = 'GET', ended = true): Reading =>
  read(pieces, new HeadReader(LIMIT, RESPONSE_BEGINS), (text) => nextResponse(text, method), ended)

function read(pieces: readonly Buffer[], heads: HeadReader, next: (head: HeadText) => Next, ended: boolean): Reading {
  const messages: ReadMessage[] = []
  let body: BodyReader | undefined
  let over = false
  const settle = (last: boolean): void => {
    const message = messages.at(-1)
    if (body?.done !== true || message === undefined) return
    message.whole = true
    body = undefined
    over = last
  }
  let last = false
  try {
    for (const piece of pieces)
      for (let at = 0; at < piece.length && !over; ) {
        const message = messages.at(-1)
        if (body !== undefined && message !== undefined) {
          at = body.feed(piece, at, {
            data: (bytes, begins) => {
              message.body += bytes.toString('latin1')
              if (begins > 0) message.chunks.push(begins)
            },
          })
        } else {
          const head = heads.read(piece, at)
          if (head === undefined) break
          at = head.next
          const { framing, ...found } = next(head)
          last = found.last
          messages.push({ ...found, framing: framing.kind, body: '', whole: false, chunks: [] })
          body = new BodyReader(framing)
        }
        settle(last)
      }
    if (ended && body?.ended() === true) settle(true)
    if (over) return { messages, verdict: 'over' }
    if (body !== undefined) return { messages, verdict: 'in-body' }
    return { messages, verdict: heads.held > 0 ? 'in-head' : 'idle' }
  } catch (cause) {
    if (cause instanceof Malformed) return { messages, verdict: cause }
    throw cause
  }
}

/** The bytes in one piece, byte by byte, and cut in two at every place. */
export function* everySplit(text: string | Buffer): Generator<Buffer[]> {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : text
  yield [bytes]
  yield Array.from(bytes, (byte) => Buffer.of(byte))
  for (let at = 1; at < bytes.length; at++) yield [bytes.subarray(0, at), bytes.subarray(at)]
}

/** Reads the text in every split, and returns the reading if all agree. */
export function readInEverySplit(text: string, reads: (pieces: readonly Buffer[]) => Reading): Reading {
  let first: Reading | undefined
  for (const pieces of everySplit(text)) {
    const reading = reads(pieces)
    first ??= reading
    const [told, before] = [reading, first].map(inWords)
    if (told !== before)
      throw new Error(`cut at ${pieces[0]?.length}: ${told}\nin one piece: ${before}\n${JSON.stringify(text)}`)
  }
  if (first === undefined) throw new Error('nothing was read')
  return first
}

/** Without the message of a malformed head: in pieces, the error can come sooner and with another message. */
export function inWords({ messages, verdict }: Reading): string {
  return JSON.stringify({ messages, verdict: verdict instanceof Malformed ? 'malformed' : verdict })
}
