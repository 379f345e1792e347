import type { ServerResponse } from 'node:http'
import type { ResponseKind } from '../api/operations.ts'
import type { EngineRequest, ReplySink, Sending } from '../engine/connection.ts'
import { Refusal } from '../errors.ts'
import type { ResponseMessage } from '../translate/message.ts'
import type { PlainCarriage } from './carriage.ts'
import { type Finished, finishError, sendFinished, sendHead, translateHead } from './reply.ts'
import { showRequest } from './tap.ts'

/** Takes the body of a successful answer; made when its head has come. */
export interface Receiver {
  data(chunk: Buffer): void
  end(): void | Promise<void>
}

/** Decides from the head of a successful answer who takes its body. */
export type Receive = (head: Head) => Receiver

export interface Head {
  readonly status: number
  readonly reason: string
  readonly headers: readonly string[]
  readonly sending: Sending
}

/**
 * Sends a request and sees it through: errors go back in the client's form, success goes to `receive`. Resolves when
 * the call is over on both sides. A client that leaves ends the engine's work; an engine that leaves ends the client's
 * call: with an error as long as no head has gone out, after that by cutting the connection.
 */
export function exchange(carriage: PlainCarriage, request: EngineRequest, receive: Receive): Promise<void> {
  const { engine, entry, res } = carriage
  if (res.destroyed) {
    entry.clientLeft() // before anything went out: nothing does
    return Promise.resolve()
  }
  const underWay = new Exchange(carriage, receive)
  showRequest(carriage, request)
  const sending = engine.send(request, underWay, patienceFor(carriage))
  res.on('close', () => underWay.clientClosed(sending)) // it comes once
  return underWay.over
}

/** A call whose request has gone to the engine. */
class Exchange implements ReplySink {
  readonly over: Promise<void>
  readonly #carriage: PlainCarriage
  readonly #receive: Receive
  readonly #resolve: () => void
  readonly #reject: (cause: unknown) => void
  #receiver: Receiver | undefined
  #sending: Sending | undefined

  constructor(carriage: PlainCarriage, receive: Receive) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.over = promise
    this.#resolve = resolve
    this.#reject = reject
    this.#carriage = carriage
    this.#receive = receive
  }

  head(status: number, reason: string, headers: readonly string[], sending: Sending): void {
    this.#sending = sending
    const { entry, tap } = this.#carriage
    const head: Head = { status, reason, headers, sending }
    entry.heard()
    try {
      tap?.answer('answered', head)
      this.#receiver = status >= 400 ? collectError(this.#carriage, head) : this.#receive(head)
    } catch (cause) {
      this.#broken(cause)
    }
  }

  data(chunk: Buffer): void {
    try {
      this.#carriage.tap?.body('answered', chunk)
      this.#receiver?.data(chunk)
    } catch (cause) {
      this.#broken(cause)
    }
  }

  end(): void {
    try {
      const last = this.#receiver?.end()
      if (last === undefined) this.#resolve()
      else last.then(this.#resolve, (cause) => this.#reject(asEngineFault(cause)))
    } catch (cause) {
      this.#reject(asEngineFault(cause))
    }
  }

  failed(cause: Refusal): void {
    const { res } = this.#carriage
    if (res.writableEnded) {
      this.#resolve() // the client has all that it asked for: the rest was cut off on purpose
      return
    }
    if (res.headersSent) breakOff(res)
    this.#reject(cause)
  }

  /** The client has its whole answer, or has left. */
  clientClosed(sending: Sending): void {
    const { res, entry } = this.#carriage
    if (res.writableFinished) return
    entry.clientLeft()
    this.#resolve() // first: the abort is reported as a failure of the engine's
    sending.abort()
  }

  #broken(cause: unknown): void {
    this.#sending?.abort()
    this.#reject(asEngineFault(cause))
  }
}

/** Cuts an answer that has begun: its head is told, though of the body that it announced nothing may have come. */
export function breakOff(res: ServerResponse): void {
  res.flushHeaders()
  res.destroy()
}

const AT_ONCE: ReadonlySet<string | undefined> = new Set<ResponseKind>(['json', 'text', 'none'])

/** How long the engine may think: only about what changes nothing, because a change given up on may still come about. */
function patienceFor({ message, call, limits }: PlainCarriage): number {
  if (limits.answerMs === 0 || (message.method !== 'GET' && message.method !== 'HEAD')) return 0
  return AT_ONCE.has(call.match?.operation.response) ? limits.answerMs : 0
}

/** JSON.stringify has no other end for what is nested too deeply. */
const asEngineFault = (cause: unknown): unknown =>
  cause instanceof RangeError
    ? new Refusal('engine-broke-off', `the engine's answer cannot be written again: ${cause.message}`, { cause })
    : cause

type Finishing = Finished | 'gone'

/** Gathers a body up to a limit, then finishes it. */
export function collect(
  carriage: PlainCarriage,
  head: Head,
  limit: number,
  finish: (body: Buffer) => Finishing | Promise<Finishing>,
): Receiver {
  const chunks: Buffer[] = []
  let size = 0
  const send = (finished: Finishing): void => {
    // Its call is over, or about to be: nothing more is said or shown of it.
    if (finished === 'gone' || carriage.res.destroyed) carriage.entry.clientLeft()
    else sendFinished(carriage, finished, head.status, head.reason)
  }
  return {
    data: (chunk) => {
      size += chunk.length
      if (size > limit) throw new Refusal('engine-broke-off', `the engine's answer is larger than ${limit} bytes`)
      chunks.push(chunk)
    },
    end: () => {
      const [only = Buffer.alloc(0)] = chunks
      const finished = finish(chunks.length > 1 ? Buffer.concat(chunks) : only)
      return finished instanceof Promise ? finished.then(send) : send(finished)
    },
  }
}

const collectError = (carriage: PlainCarriage, head: Head): Receiver =>
  collect(carriage, head, carriage.limits.errorBody, (body) => finishError(carriage, head.status, head.headers, body))

/** How much of the end of a stream is kept for what is done afterwards. */
const TAIL = 64 * 1024

/** Passes a body through as it comes, with backpressure; the head goes out at once. */
export function passThrough(carriage: PlainCarriage, head: Head): Receiver {
  const message = translateHead(carriage, head.status, head.headers)
  if (!mayAdd(carriage)) return new PassedThrough(carriage, message, head)
  message.headers.delete('Content-Length')
  return passAndAdd(carriage, message, head)
}

/** Whether something done afterwards may have more to say. Only emulations of the request ask for that. */
const mayAdd = (carriage: PlainCarriage): boolean =>
  carriage.plan.request.emulations.length > 0 && carriage.context.afterwards.length > 0

/** A larger answer gains nothing from leaving in one piece with its head (measured). */
const ONE_PIECE = 1024

class PassedThrough implements Receiver {
  readonly #carriage: PlainCarriage
  readonly #sending: Sending
  /** What a body of one piece has as its length. */
  readonly #whole: number
  #begun = false
  #waits = false

  constructor(carriage: PlainCarriage, message: ResponseMessage, head: Head) {
    this.#carriage = carriage
    this.#sending = head.sending
    const length = Number(message.headers.get('Content-Length') ?? 0)
    this.#whole = length <= ONE_PIECE ? length : 0
    sendHead(carriage, message, head)
  }

  data(chunk: Buffer): void {
    const { res, entry, tap } = this.#carriage
    entry.sent(chunk.length)
    tap?.body('given', chunk)
    // With its head in one write: as the text of its bytes, because only a text is joined with the head.
    if (chunk.length === this.#whole && !this.#begun) res.end(chunk.toString('latin1'), 'latin1')
    else if (!res.write(chunk)) this.#wait()
    this.#begun = true
  }

  /** Until the client has taken what is there. */
  #wait(): void {
    this.#sending.pause()
    if (!this.#waits) this.#carriage.res.on('drain', () => this.#sending.resume())
    this.#waits = true
  }

  end(): void {
    const { res } = this.#carriage
    if (!res.writableEnded) res.end()
  }
}

function passAndAdd(carriage: PlainCarriage, message: ResponseMessage, head: Head): Receiver {
  const { res, entry, tap } = carriage
  sendHead(carriage, message, head)
  res.on('drain', () => head.sending.resume())
  let tail: Buffer = Buffer.alloc(0)
  return {
    data: (chunk) => {
      entry.sent(chunk.length)
      tap?.body('given', chunk)
      tail = Buffer.concat([tail, chunk]).subarray(-TAIL)
      if (!res.write(chunk)) head.sending.pause()
    },
    end: () => runAfterwards(carriage, tail.toString()),
  }
}

async function runAfterwards({ res, entry, context, tap }: PlainCarriage, tail: string): Promise<void> {
  for (const run of context.afterwards) {
    const more = Buffer.from(await run(tail))
    entry.sent(more.length)
    tap?.body('given', more)
    res.write(more)
  }
  res.end()
}
