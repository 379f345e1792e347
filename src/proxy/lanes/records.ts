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
  const { limits } = exchange
  const message = translateHead(exchange, head.status, head.headers)
  return collect(exchange, head, limits.record, async (body) => {
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
  const write = (bytes: Buffer): void => {
    entry.bytesOut += bytes.length
    observer?.body('clientResponse', bytes)
    clientResponse.write(bytes, bytes.length)
  }
  const framed = (text: string | Buffer): Buffer =>
    typeof text === 'string'
      ? Buffer.from(`${lead}${text}${end}`)
      : Buffer.concat([Buffer.from(lead), text, Buffer.from(end)])
  const splitter = new RecordSplitter(limits.record)
  /** Returns true if the record was the last one. */
  const send = ({ text, last }: Translated): boolean => {
    if (text !== undefined) write(framed(text)) // one chunk each, for docker-py up to 1.9
    if (!last) return false
    clientResponse.end()
    head.call.abort()
    return true
  }
  const queue = exchange.plan.response.emulations.length === 0 ? undefined : new RecordQueue(exchange, head)
  clientResponse.onDrain(() => queue?.full === true || head.call.resume())
  const finish = (): void => {
    if (clientResponse.ended) return
    const rest = splitter.rest()
    if (rest.length > 0) write(rest) // the engine broke off: pass the incomplete record unchanged
    clientResponse.end()
  }
  return {
    data: (chunk) => {
      for (const record of splitter.push(chunk)) {
        if (queue !== undefined) {
          const kept = Buffer.from(record)
          queue.add(() => emulateRecord(exchange, message, kept).then(send))
        } else if (send(translateRecord(exchange, message, record))) return
      }
    },
    flush: () => {
      if (!clientResponse.flush() || queue?.full === true) head.call.pause()
    },
    end: () => (queue === undefined ? finish() : queue.over.then(finish)),
  }
}

/** The engine is not read further while so many records wait. */
const MAX_WAITING = 64

/** Records whose translation makes further calls: sent one after the other. */
class RecordQueue {
  readonly #exchange: Exchange
  readonly #head: EngineHead
  /** Resolves when all records have been sent. */
  over: Promise<void> = Promise.resolve()
  #waiting = 0

  constructor(exchange: Exchange, head: EngineHead) {
    this.#exchange = exchange
    this.#head = head
  }

  get full(): boolean {
    return this.#waiting >= MAX_WAITING
  }

  add(send: () => Promise<unknown>): void {
    this.#waiting++
    this.over = this.over.then(() => this.#take(send))
    this.over.catch((cause: unknown) => this.#head.fail(cause))
  }

  async #take(send: () => Promise<unknown>): Promise<void> {
    const { clientResponse } = this.#exchange
    if (!clientResponse.gone && !clientResponse.ended) await send()
    this.#waiting--
    if (clientResponse.gone || clientResponse.ended) return
    if (clientResponse.flush() && !this.full) this.#head.call.resume()
  }
}
