import { asJson, writeJson } from '../../api/json/json.ts'
import type { Outcome, ResponseMessage } from '../../translate/message.ts'
import { RecordSplitter } from '../../translate/run/record-splitter.ts'
import { runSteps } from '../../translate/run/steps.ts'
import { carryTranslated } from '../engine-side/engine-response.ts'
import type { EngineHead } from '../engine-side/receiver.ts'
import { isProgress, requireUncompressed } from '../engine-side/reply.ts'
import type { Exchange } from '../exchange.ts'
import { wholeBody } from './body.ts'
import { isSingleReading } from './choose.ts'
import { PassedThrough } from './pass.ts'

/** Translates a stream of JSON objects one by one; each chunk's records are written at once. */
export const recordsLane = (exchange: Exchange): Promise<void> =>
  carryTranslated(exchange, (head) => {
    // Read from the engine's request: clients of 1.18 cannot ask for a single reading. As from engines, it has a length.
    const single = isSingleReading(exchange.call.match?.operation.name, exchange.message.query)
    return single ? wholeBody(exchange, head) : new RecordStream(exchange, head)
  })

const RECORD_SEPARATOR = '\u001e' // application/json-seq, RFC 7464

/** Reading from the engine pauses while this many records wait. */
const MAX_WAITING = 64

class RecordStream extends PassedThrough {
  readonly #splitter: RecordSplitter
  readonly #before: Buffer
  readonly #after: Buffer
  /** Number of records that wait for the engine's response to a further call; they are sent in order. */
  #waiting = 0
  #over: Promise<void> | undefined

  constructor(exchange: Exchange, head: EngineHead) {
    requireUncompressed(head.headers)
    super(exchange, head, 'changed')
    const isSequence = this.message.headers.get('Content-Type')?.startsWith('application/json-seq')
    this.#splitter = new RecordSplitter(exchange.core.limits['max-record'])
    this.#before = Buffer.from(isSequence ? RECORD_SEPARATOR : '')
    this.#after = Buffer.from(isProgress(exchange) ? '\r\n' : '\n')
  }

  override data(chunk: Buffer): void {
    for (const record of this.#splitter.push(chunk)) {
      if (this.exchange.clientResponse.ended) return
      if (this.exchange.plan.response.callsEngine) this.#enqueue(Buffer.from(record))
      else this.#translate(record)
    }
  }

  override end(): void | Promise<void> {
    return this.#over === undefined ? this.#finish() : this.#over.then(() => this.#finish())
  }

  protected override get isFull(): boolean {
    return this.#waiting >= MAX_WAITING
  }

  #enqueue(record: Buffer): void {
    const { clientResponse } = this.exchange
    this.#waiting++
    this.#over = (this.#over ?? Promise.resolve()).then(async () => {
      if (!clientResponse.gone && !clientResponse.ended) await this.#translate(record)
      this.#waiting--
      if (clientResponse.gone || clientResponse.ended) return
      if (clientResponse.flush() && !this.isFull) this.head.call.resume()
    })
    this.#over.catch((cause: unknown) => this.head.fail(cause))
  }

  /** Records without steps stay as they are until the first container is replaced; invalid JSON passes unchanged. */
  #translate(received: Buffer): void | Promise<void> {
    const { plan, context } = this.exchange
    const { recordsOnceReplaced, body: steps } = plan.response
    const passes = steps.length === 0 && context.replacedContainers?.begun !== true
    const body = passes ? undefined : asJson(received.toString())
    if (body === undefined) {
      this.#send(received)
      return
    }
    const message: ResponseMessage = { status: this.message.status, headers: this.message.headers, body }
    const before = isProgress(this.exchange) ? writeJson(body) : undefined
    const all = recordsOnceReplaced === undefined ? steps : [recordsOnceReplaced]
    const outcome = runSteps(this.exchange, 'response', all, message, received.length)
    if (outcome instanceof Promise) return outcome.then((done) => this.#write(message, done, received, before))
    this.#write(message, outcome, received, before)
  }

  /** `before`: the JSON of a progress record before the steps: it keeps its bytes if no step changed it. */
  #write({ body }: ResponseMessage, outcome: Outcome, received: Buffer, before: string | undefined): void {
    if (outcome !== 'drop' && body !== undefined) {
      const text = writeJson(body)
      this.#send(text === before ? received : Buffer.from(text))
    }
    if (outcome !== 'last') return
    this.exchange.clientResponse.end()
    this.head.call.abort()
  }

  /** One chunk each, for docker-py up to 1.9. */
  #send(record: Buffer): void {
    const framed = Buffer.concat([this.#before, record, this.#after])
    super.data(framed, framed.length)
  }

  #finish(): void | Promise<void> {
    if (this.exchange.clientResponse.ended) return
    const rest = this.#splitter.rest()
    if (rest.length > 0) super.data(rest, rest.length) // the engine broke off: pass the incomplete record unchanged
    return super.end()
  }
}
