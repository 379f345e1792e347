import { type Framing, requestFraming } from '../message/framing.ts'
import { type HeadText, type RequestHead, readRequestHead } from '../message/head.ts'
import { HeadReader, REQUEST_BEGINS } from '../message/head-reader.ts'
import { readPreface } from './preface.ts'

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
    const preface = this.#first ? readPreface(text) : undefined
    if (preface !== undefined) return preface
    if (this.#previous?.text === text) return this.#previous.request
    const head = readRequestHead(whole)
    const request = { head, framing: requestFraming(head) }
    this.#previous = text.length <= MAX_KEPT && request.framing.kind === 'none' ? { text, request } : undefined
    return request
  }
}
