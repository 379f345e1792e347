import type { ResponseKind } from '../api/operations.ts'
import type { EngineRequest, ReplySink, Sending } from '../engine/connection.ts'
import { Refusal } from '../errors.ts'
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
  const { engine, entry, res, tap } = carriage
  if (res.destroyed) {
    entry.clientLeft() // before anything went out: nothing does
    return Promise.resolve()
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const state: { receiver: Receiver | undefined } = { receiver: undefined }
  const patience = patienceFor(carriage)
  const timer = patience === 0 ? undefined : setTimeout(() => late(), patience)
  const settle = (work: void | Promise<void>): void => {
    Promise.resolve(work).then(resolve, (cause) => reject(asEngineFault(cause)))
  }
  const guarded = (sending: Sending | undefined, work: () => void): void => {
    try {
      work()
    } catch (cause) {
      sending?.abort()
      reject(asEngineFault(cause))
    }
  }
  const sink: ReplySink = {
    head: (status, reason, headers, sending) =>
      guarded(sending, () => {
        clearTimeout(timer)
        const head: Head = { status, reason, headers, sending }
        entry.heard()
        tap?.answer('answered', head)
        state.receiver = status >= 400 ? collectError(carriage, head) : receive(head)
      }),
    data: (chunk) =>
      guarded(sending, () => {
        tap?.body('answered', chunk)
        state.receiver?.data(chunk)
      }),
    end: () => guarded(undefined, () => settle(state.receiver?.end())),
    failed: (cause) => {
      clearTimeout(timer)
      if (res.writableEnded) {
        resolve() // the client has all that it asked for: the rest was cut off on purpose
        return
      }
      if (res.headersSent) res.destroy()
      reject(cause)
    },
  }
  showRequest(carriage, request)
  const sending = engine.send(request, sink)
  const late = (): void => {
    reject(new Refusal('engine-timeout', `the engine did not begin to answer within ${patience / 1000} s`))
    sending.abort()
  }
  const left = (): void => {
    clearTimeout(timer)
    if (res.writableFinished) return
    entry.clientLeft()
    resolve() // first: the abort is reported as a failure of the engine's
    sending.abort()
  }
  res.once('close', left)
  return promise
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

/** Gathers a body up to a limit, then finishes it. */
export function collect(
  carriage: PlainCarriage,
  head: Head,
  limit: number,
  finish: (body: Buffer) => Promise<Finished>,
): Receiver {
  const chunks: Buffer[] = []
  let size = 0
  return {
    data: (chunk) => {
      size += chunk.length
      if (size > limit) throw new Refusal('engine-broke-off', `the engine's answer is larger than ${limit} bytes`)
      chunks.push(chunk)
    },
    end: async () => sendFinished(carriage, await finish(Buffer.concat(chunks)), head.status, head.reason),
  }
}

const collectError = (carriage: PlainCarriage, head: Head): Receiver =>
  collect(carriage, head, carriage.limits.errorBody, (body) => finishError(carriage, head.status, head.headers, body))

/** How much of the end of a stream is kept for what is done afterwards. */
const TAIL = 64 * 1024

/** Passes a body through as it comes, with backpressure; the head goes out at once. */
export function passThrough(carriage: PlainCarriage, head: Head): Receiver {
  const { res, entry, context, tap } = carriage
  const message = translateHead(carriage, head.status, head.headers)
  // What is done afterwards may have something to add.
  if (context.afterwards.length > 0) message.headers.delete('Content-Length')
  sendHead(carriage, message, head)
  res.on('drain', () => head.sending.resume())
  let tail: Buffer = Buffer.alloc(0)
  return {
    data: (chunk) => {
      entry.sent(chunk.length)
      tap?.body('given', chunk)
      if (context.afterwards.length > 0) tail = Buffer.concat([tail, chunk]).subarray(-TAIL)
      if (!res.write(chunk)) head.sending.pause()
    },
    end: () => {
      if (context.afterwards.length > 0) return runAfterwards(carriage, tail.toString())
      res.end()
      return undefined
    },
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
