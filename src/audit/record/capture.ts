import type { Operation } from '../../api/operations.ts'
import { type CallObserver, SILENT } from '../observer.ts'
import { BodyCapture, type BodyContext } from './body.ts'
import type { AuditRecord } from './record.ts'
import type { Level } from './terms.ts'

export interface Capture {
  readonly observer: CallObserver
  records(context: BodyContext, complete: boolean): Pick<AuditRecord, 'requestBody' | 'responseBody'>
}

/**
 * Captures bodies for the levels `request` and `requestResponse`: the request as sent to the engine, the response as
 * sent to the client.
 */
export function capture(level: Level, operation: Operation | undefined): Capture {
  // Bodies of unknown endpoints may be anything.
  const request = new BodyCapture(operation?.request === 'json' ? 'message' : 'stream')
  let response: BodyCapture | undefined
  let plain = false
  return {
    observer: {
      ...SILENT,
      response: (side, { status }) => {
        if (level !== 'requestResponse' || side !== 'clientResponse') return
        const kind = status >= 400 ? 'text' : (operation?.response ?? 'stream')
        plain = kind === 'text'
        response = new BodyCapture(['json', 'text', 'none'].includes(kind) ? 'message' : 'stream')
      },
      body: (side, chunk) => {
        if (side === 'engineRequest') request.push(chunk)
        else if (side === 'clientResponse') response?.push(chunk)
      },
    },
    records: (context, complete) => {
      // First: its secrets are removed from the response too.
      const requestBody = request.record(context, { complete, plain: false })
      return { requestBody, responseBody: response?.record(context, { complete, plain }) }
    },
  }
}
