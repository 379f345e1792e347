import { type Call, readCall } from '../../api/read-call.ts'
import type { ConnectionHandlers } from '../../http/client/connection.ts'
import { Headers } from '../../http/headers.ts'
import type { Auditing } from '../audit.ts'
import { Entry } from '../entry/entry.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { peerOf } from './peer.ts'

interface Sinks {
  readonly audit: Auditing
  readonly metrics: Metrics
}

/** Records per listener and second, so that garbage cannot fill the disk. Further ones are only counted. */
const RECORDED_A_SECOND = 20

/** Records requests that could not be parsed. */
export function malformedRequests({ audit, metrics }: Sinks, listener: string): ConnectionHandlers['malformed'] {
  let second = 0
  let recorded = 0
  let passedOver = 0
  return (socket, bytes, { code, message }, status) => {
    const entry = new Entry(audit, callOf(bytes), peerOf({ socket, headers: new Headers() }, listener))
    if (status !== undefined) entry.setStatus(status)
    metrics.began()
    metrics.ended(entry.summary)
    const now = Math.floor(performance.now() / 1000)
    if (now !== second) recorded = 0
    second = now
    if (recorded === RECORDED_A_SECOND) {
      passedOver++
      return
    }
    recorded++
    const more = passedOver === 0 ? '' : `; ${passedOver} more since the last such record were not recorded`
    passedOver = 0
    entry.bytesIn = bytes.length
    entry.endedBy = 'bridge'
    entry.setError(code, `${message}${more}`)
    void entry.close()
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
