import type { Socket } from 'node:net'
import type { ErrorCode } from '../../api/errors.ts'
import { type Call, readCall } from '../../api/read-call.ts'
import type { Log } from '../../config/log.ts'
import { Headers } from '../../http/headers.ts'
import type { Auditing } from '../audit.ts'
import { Entry } from '../entry/entry.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { peerOf } from './peer.ts'

interface Refused {
  readonly socket: Socket
  /** The first bytes received. */
  readonly bytes: Buffer
  readonly reason: string
  readonly code: ErrorCode
  /** Status sent to the client, if any. */
  readonly status: number | undefined
}

interface Core {
  readonly audit: Auditing
  readonly metrics: Metrics
  readonly log: Pick<Log, 'error'>
}

/** Records per listener and second, so that garbage cannot fill the disk. Further ones are only counted. */
const RECORDED_A_SECOND = 20

/** Records requests that could not be parsed. */
export class MalformedRequests {
  readonly #core: Core
  readonly #listener: string
  #second = 0
  #recorded = 0
  #passedOver = 0

  constructor(core: Core, listener: string) {
    this.#core = core
    this.#listener = listener
  }

  note({ socket, bytes, reason, code, status }: Refused): void {
    const entry = new Entry(this.#core.audit, callOf(bytes), peerOf({ socket, headers: new Headers() }, this.#listener))
    if (status !== undefined) entry.setStatus(status)
    this.#core.metrics.began()
    this.#core.metrics.ended(entry.summary)
    const second = Math.floor(performance.now() / 1000)
    if (second !== this.#second) this.#recorded = 0
    this.#second = second
    if (this.#recorded === RECORDED_A_SECOND) {
      this.#passedOver++
      return
    }
    this.#recorded++
    const others = this.#passedOver
    this.#passedOver = 0
    entry.bytesIn = bytes.length
    entry.endedBy = 'bridge'
    const more = others === 0 ? '' : `; ${others} more since the last such record were not recorded`
    entry.setError(code, `${reason}${more}`)
    entry.close()?.catch((err) => this.#core.log.error({ err }, 'cannot write an audit record'))
  }
}

const REQUEST_LINE = /^([A-Z]{1,20}) (\S{1,4096}) HTTP\/\d\.\d\r?\n/

/** The method and path, if the bytes begin with a request line. */
function callOf(bytes: Buffer): Call {
  const [, method, url] = REQUEST_LINE.exec(bytes.toString('latin1', 0, 5000)) ?? []
  if (method !== undefined && url !== undefined) return readCall(method, url)
  const nothing = { method: '', url: '', path: '', wirePath: '', search: '', match: undefined } as const
  return { ...nothing, prefix: { kind: 'none' }, form: 'json' }
}
