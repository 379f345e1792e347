import { RecordSplitter } from '../../translate/run/record-splitter.ts'
import { carryTranslated, collect, type EngineHead, type Receiver } from '../engine-side/engine-response.ts'
import type { Exchange } from '../exchange.ts'
import { isProgress, sendHead, translateHead, withLength } from '../local/reply.ts'
import { isSingleReading } from './choose.ts'
import { emulateRecord, type Translated, translateRecord } from './translated-record.ts'

/** Translates a stream of JSON objects one by one; each chunk's records are written at once. */
export const recordsLane = (exchange: Exchange): Promise<void> =>
  carryTranslated(exchange, (head) => {
    // Read from the engine's request: clients of 1.18 cannot ask for a single reading.
    const single = isSingleReading(exchange.call.match?.operation.name, exchange.message.query)
    return single ? translateSingle(exchange, head) : translateRecords(exchange, head)
  })

/** A response of one record is complete: it gets a Content-Length, as from engines. */
function translateSingle(exchange: Exchange, head: EngineHead): Receiver {
  const { limits, plan, context } = exchange
  const message = translateHead(exchange, head.status, head.headers)
  const untouched = (): boolean => plan.response.body.length === 0 && context.replacedContainers?.begun !== true
  return collect(exchange, head, limits.record, async (body) => {
    if (untouched()) return withLength(message.status, message.headers, body)
    const splitter = new RecordSplitter(limits.record)
    let lines = ''
    for (const record of splitter.push(body)) {
      const { text } = await emulateRecord(exchange, message, record)
      if (text !== undefined) lines += `${text}\n`
    }
    return withLength(message.status, message.headers, Buffer.concat([Buffer.from(lines), splitter.rest()]))
  })
}

const RECORD_SEPARATOR = '\u001e' // application/json-seq, RFC 7464

function translateRecords(exchange: Exchange, head: EngineHead): Receiver {
  const { clientResponse, entry, limits, observer } = exchange
  const message = translateHead(exchange, head.status, head.headers)
  message.headers.delete('Content-Length')
  const lead = message.headers.get('Content-Type')?.startsWith('application/json-seq') ? RECORD_SEPARATOR : ''
  const end = isProgress(exchange) ? '\r\n' : '\n'
  sendHead(exchange, message, head)
  const write = (bytes: Buffer, begins = bytes.length): void => {
    if (bytes.length === 0) return
    entry.sent(bytes.length)
    observer?.body('clientResponse', bytes)
    clientResponse.write(bytes, begins)
  }
  const splitter = new RecordSplitter(limits.record)
  const untouched = new UntouchedRecords(exchange)
  /** Returns true if the record was the last one. */
  const send = ({ text, last }: Translated): boolean => {
    if (text !== undefined) write(Buffer.from(`${lead}${text}${end}`)) // one chunk each, for docker-py up to 1.9
    if (!last) return false
    clientResponse.end()
    head.call.abort()
    return true
  }
  const queue = exchange.plan.response.emulations.length === 0 ? undefined : new RecordQueue(exchange, head)
  clientResponse.onDrain(() => queue?.full === true || head.call.resume())
  const finish = (): void => {
    if (clientResponse.ended) return
    write(splitter.rest()) // the engine broke off: pass the incomplete record unchanged
    clientResponse.end()
  }
  return {
    data: (chunk, begins) => {
      const raw = untouched.take(chunk, begins)
      write(chunk.subarray(0, raw), raw === chunk.length ? begins : raw)
      for (const record of splitter.push(chunk.subarray(raw))) {
        if (queue !== undefined)
          queue.add(Buffer.from(record), (kept) => emulateRecord(exchange, message, kept).then(send))
        else if (send(translateRecord(exchange, message, record))) return
      }
    },
    flush: () => {
      if (!clientResponse.flush() || queue?.full === true) head.call.pause()
    },
    end: () => (queue === undefined ? finish() : queue.over().then(finish)),
  }
}

const NEWLINE = 0x0a

/**
 * Records without steps pass untouched until the first container is replaced, and then on to the end of the chunk and
 * line.
 */
class UntouchedRecords {
  readonly #exchange: Exchange
  #passing: boolean
  #inRecord = false
  /** Remaining bytes of the engine's chunk in transit. */
  #left = 0

  constructor(exchange: Exchange) {
    this.#exchange = exchange
    this.#passing = exchange.plan.response.body.length === 0
  }

  /** Returns how many bytes of the chunk pass untouched. */
  take(chunk: Buffer, begins: number): number {
    if (!this.#passing) return 0
    const inside = this.#left > 0 // sent before any container was replaced, as was its size
    this.#left = Math.max(0, (inside ? this.#left : begins) - chunk.length)
    if (inside || this.#exchange.context.replacedContainers?.begun !== true) {
      this.#inRecord = chunk.at(-1) !== NEWLINE
      return chunk.length
    }
    const end = this.#inRecord ? chunk.indexOf(NEWLINE) : -1
    if (this.#inRecord && end === -1) return chunk.length
    this.#passing = false
    return end + 1
  }
}

/** The engine is not read further while so many records wait. */
const MAX_WAITING = 64

/** Records whose translation makes further calls: sent one after the other. */
class RecordQueue {
  readonly #exchange: Exchange
  readonly #head: EngineHead
  #turn: Promise<void> = Promise.resolve()
  #waiting = 0

  constructor(exchange: Exchange, head: EngineHead) {
    this.#exchange = exchange
    this.#head = head
  }

  get full(): boolean {
    return this.#waiting >= MAX_WAITING
  }

  add(record: Buffer, send: (record: Buffer) => Promise<unknown>): void {
    this.#waiting++
    this.#turn = this.#turn.then(() => this.#take(() => send(record)))
    this.#turn.catch((cause: unknown) => this.#head.fail(cause))
  }

  /** Resolves when all records have been sent. */
  over(): Promise<void> {
    return this.#turn
  }

  async #take(send: () => Promise<unknown>): Promise<void> {
    const { clientResponse } = this.#exchange
    if (!clientResponse.gone && !clientResponse.ended) await send()
    this.#waiting--
    if (clientResponse.gone || clientResponse.ended) return
    if (clientResponse.flush() && !this.full) this.#head.call.resume()
  }
}
