import { Headers } from '../headers.ts'
import { type Framing, requestFraming } from '../message/framing.ts'
import { FramingFields, type HeadText, type RequestHead, readRequestHead } from '../message/head.ts'
import { HeadReader, REQUEST_BEGINS } from '../message/head-reader.ts'
import type { ClientRequest } from './request.ts'

const PREFACE_LINE = 'PRI * HTTP/2.0\r\n'
export const PREFACE_REST = 'SM\r\n\r\n'

/** The client preface of HTTP/2 with prior knowledge (RFC 9113, 3.4). */
export const PREFACE = Buffer.from(`${PREFACE_LINE}\r\n${PREFACE_REST}`)

/** To an HTTP/1.1 parser the preface is a head followed by a body of 6 bytes. */
const PREFACE_REQUEST: ReadRequest = {
  head: { method: 'PRI', target: '*', minor: 1, headers: new Headers(), framingFields: new FramingFields() },
  framing: { kind: 'length', length: PREFACE_REST.length },
}

export const isPreface = ({ headers }: ClientRequest): boolean => headers === PREFACE_REQUEST.head.headers

/** Characters of a head that is kept for comparison with the next. */
const MAX_KEPT = 1024

export interface ReadRequest {
  readonly head: RequestHead
  readonly framing: Framing
}

/** Reads the request heads of one connection. A head equal to the previous one is not parsed again. */
export class RequestReader extends HeadReader {
  #first = true
  #previous: { readonly text: string; readonly request: ReadRequest } | undefined
  /** Where the bytes after the head begin. */
  next = 0

  /** `limit`: bytes of a whole head. */
  constructor(limit: number) {
    super(limit, REQUEST_BEGINS)
  }

  /** Undefined until the head is whole: then the entire chunk was taken. Throws `Malformed`. */
  readRequest(chunk: Buffer, at: number): ReadRequest | undefined {
    const head = this.read(chunk, at)
    if (head === undefined) return undefined
    const request = this.#parse(head)
    this.#first = false
    this.next = head.next
    return request
  }

  #parse(whole: HeadText): ReadRequest {
    const { text } = whole
    if (this.#first && text === PREFACE_LINE) return PREFACE_REQUEST
    if (this.#previous?.text === text) return this.#previous.request
    const head = readRequestHead(whole)
    const request = { head, framing: requestFraming(head) }
    this.#previous = text.length <= MAX_KEPT && request.framing.kind === 'none' ? { text, request } : undefined
    return request
  }
}
