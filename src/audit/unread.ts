import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Metrics } from '../admin/metrics.ts'
import type { ErrorCode } from '../errors.ts'
import { type Call, readCall } from '../read-call.ts'
import type { Auditing } from './audit.ts'
import { Entry } from './entry.ts'
import { peerOfSocket } from './peer.ts'

/** As node's HTTP parser tells it: what it was given when it gave up (lib/_http_server.js, socketOnError). */
export interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
  readonly reason?: string
}

interface Refused {
  readonly socket: Duplex
  readonly error: ParserError
  readonly code: ErrorCode
  /** Undefined: nothing could be said. */
  readonly status: number | undefined
}

/** How many of a listener are recorded in a second: whoever sends garbage must not fill the disk. The rest are counted. */
const RECORDED_A_SECOND = 20

interface Log {
  error(facts: object, message: string): void
}

/** Requests that the parser refused: no call comes of them, and an auditor wants to know of them all the same. */
export class Unread {
  readonly #auditing: Auditing
  readonly #metrics: Metrics
  readonly #listener: string
  readonly #log: Log
  #second = 0
  #recorded = 0
  #passedOver = 0

  constructor(journey: { audit: Auditing; metrics: Metrics; log: Log }, listener: string) {
    this.#auditing = journey.audit
    this.#metrics = journey.metrics
    this.#log = journey.log
    this.#listener = listener
  }

  note({ socket, error, code, status }: Refused): void {
    const entry = new Entry(this.#auditing, callOf(error.rawPacket), peerOfSocket(socket as Socket, this.#listener))
    if (status !== undefined) entry.answered(status)
    this.#metrics.began()
    this.#metrics.ended(entry.summary)
    if (!this.#mayRecord()) return
    entry.received(error.rawPacket?.length ?? 0)
    entry.endedBy('bridge')
    entry.failed(code, `${error.reason ?? error.message}${this.#others()}`)
    entry.close()?.catch((err) => this.#log.error({ err }, 'an audit record could not be written'))
  }

  #mayRecord(): boolean {
    const second = Math.floor(performance.now() / 1000)
    if (second !== this.#second) this.#recorded = 0
    this.#second = second
    if (this.#recorded < RECORDED_A_SECOND) return ++this.#recorded > 0
    this.#passedOver++
    return false
  }

  #others(): string {
    const others = this.#passedOver
    this.#passedOver = 0
    return others === 0 ? '' : `; ${others} more since the last such record were not recorded`
  }
}

const REQUEST_LINE = /^([A-Z]{1,20}) (\S{1,4096}) HTTP\/\d\.\d\r?\n/

/** What was asked, where the refused bytes begin with a request line; else nothing is known of it. */
function callOf(bytes: Buffer | undefined): Call {
  const [, method, url] = REQUEST_LINE.exec(bytes?.toString('latin1', 0, 5000) ?? '') ?? []
  if (method !== undefined && url !== undefined) return readCall(method, url)
  const nothing = { method: '', url: '', path: '', wirePath: '', search: '', match: undefined } as const
  return { ...nothing, prefix: { kind: 'none' }, form: 'json' }
}
