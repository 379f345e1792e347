import { type Operation, type OperationName, operationNamed } from '../../api/operations.ts'
import { type CallObserver, SILENT } from '../observer.ts'
import { BodyCapture, type BodyContext } from './body.ts'
import type { AuditRecord } from './record.ts'
import type { Level } from './terms.ts'

/**
 * Captures bodies for the levels `request` and `requestResponse`: the request as sent to the engine, the response as
 * sent to the client.
 */
export class Capture {
  readonly #operation: Operation | undefined
  readonly #request: BodyCapture
  #response: BodyCapture | undefined
  #plain = false
  readonly observer: CallObserver

  constructor(level: Level, operation: OperationName | undefined) {
    this.#operation = operation === undefined ? undefined : operationNamed(operation)
    // Bodies of unknown endpoints may be anything.
    this.#request = new BodyCapture(this.#operation?.request === 'json' ? 'message' : 'stream')
    this.observer = {
      ...SILENT,
      response: (side, { status }) => {
        if (level === 'requestResponse' && side === 'clientResponse') this.#answered(status)
      },
      body: (side, chunk) => {
        if (side === 'engineRequest') this.#request.push(chunk)
        else if (side === 'clientResponse') this.#response?.push(chunk)
      },
    }
  }

  #answered(status: number): void {
    const kind = status >= 400 ? 'text' : (this.#operation?.response ?? 'stream')
    this.#plain = kind === 'text'
    this.#response = new BodyCapture(['json', 'text', 'none'].includes(kind) ? 'message' : 'stream')
  }

  /** The request comes first: its secrets are removed from the response too. */
  records(context: BodyContext, complete: boolean): Pick<AuditRecord, 'requestBody' | 'responseBody'> {
    const requestBody = this.#request.record(context, { complete, plain: false })
    return { requestBody, responseBody: this.#response?.record(context, { complete, plain: this.#plain }) }
  }
}
