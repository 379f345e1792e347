import { type Operation, type OperationName, operationNamed } from '../../api/operations.ts'
import type { CallObserver, MessageSide, RequestHead } from '../observer.ts'
import { BodyCapture, type BodyContext } from './body.ts'
import type { BodyRecord } from './record.ts'
import type { Level } from './terms.ts'

/**
 * Captures bodies for the levels `request` and `requestResponse`: the request as sent to the engine, the response as
 * sent to the client.
 */
export class Capture implements CallObserver {
  readonly #operation: Operation | undefined
  readonly #request: BodyCapture
  readonly #answers: boolean
  #response: BodyCapture | undefined
  #plain = false

  constructor(level: Level, operation: OperationName | undefined) {
    this.#operation = operation === undefined ? undefined : operationNamed(operation)
    this.#request = new BodyCapture(this.#kindOfRequest())
    this.#answers = level === 'requestResponse'
  }

  /** Bodies of unknown endpoints may be anything. */
  #kindOfRequest(): 'message' | 'stream' {
    return this.#operation?.request === 'json' ? 'message' : 'stream'
  }

  #kindOfResponse(status: number): 'message' | 'stream' {
    if (status >= 400) return 'message'
    const kind = this.#operation?.response
    return kind === 'json' || kind === 'text' || kind === 'none' ? 'message' : 'stream'
  }

  request(_head: RequestHead): void {
    // recorded by the entry
  }

  response(side: 'engineResponse' | 'clientResponse', { status }: { readonly status: number }): void {
    if (!this.#answers || side === 'engineResponse') return
    this.#plain = status >= 400 || this.#operation?.response === 'text'
    this.#response = new BodyCapture(this.#kindOfResponse(status))
  }

  body(side: MessageSide, chunk: Buffer): void {
    if (side === 'engineRequest') this.#request.push(chunk)
    else if (side === 'clientResponse') this.#response?.push(chunk)
  }

  stream(): void {
    // sessions are recorded separately; the entry counts the bytes
  }

  over(): void {
    // the entry asks for `records` when it closes
  }

  /** The request comes first: its secrets are removed from the response too. */
  records(context: BodyContext, complete: boolean): { requestBody?: BodyRecord; responseBody?: BodyRecord } {
    const requestBody = this.#request.record(context, { complete, plain: false })
    const responseBody = this.#response?.record(context, { complete, plain: this.#plain })
    return {
      ...(requestBody === undefined ? {} : { requestBody }),
      ...(responseBody === undefined ? {} : { responseBody }),
    }
  }
}
