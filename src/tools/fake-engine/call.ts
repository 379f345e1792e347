import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonValue } from '../../api/json/json.ts'
import type { ApiVersion } from '../../api/version.ts'
import type { Store } from './store.ts'
import { readAll, readJsonBody } from './wire.ts'

/** One parsed request, as passed to handlers. */
export class FakeEngineCall {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly version: ApiVersion
  /** `name` or `id` of the path. */
  readonly target: string
  readonly query: URLSearchParams
  readonly store: Store

  constructor(
    req: IncomingMessage,
    res: ServerResponse,
    facts: { version: ApiVersion; target: string; query: URLSearchParams; store: Store },
  ) {
    this.req = req
    this.res = res
    this.version = facts.version
    this.target = facts.target
    this.query = facts.query
    this.store = facts.store
  }

  body(): Promise<Buffer> {
    return readAll(this.req)
  }

  async jsonBody(): Promise<JsonValue> {
    return readJsonBody(this.req, await this.body())
  }
}

export type Handler = (call: FakeEngineCall) => void | Promise<void>
