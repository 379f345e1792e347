import type { Applied } from '../../audit/entry/applied-changes.ts'
import type { CallObserver, MessageSide, RequestHead, ResponseHead } from '../../audit/observer.ts'
import type { Watched } from '../../audit/watched.ts'
import { Headers } from '../../http/headers.ts'

/** A call as the client, or the engine, sees it. */
export class Side {
  /** `GET /v1.22/info` */
  readonly line: string
  readonly upgrade: string | undefined
  status = 0
  type: string | undefined
  readonly sent: Buffer[] = []
  /** What a client types into a tunnel. */
  readonly input: Buffer[] = []
  readonly got: Buffer[] = []

  constructor(line: string, fields: readonly string[]) {
    this.line = line
    this.upgrade = Headers.fromRaw(fields).get('Upgrade')
  }
}

/** One call of the demo on both sides of the bridge. It keeps whole bodies in memory. */
export class SeenCall implements CallObserver {
  readonly client: Side
  /** Undefined if the bridge answered by itself. */
  engine: Side | undefined
  /** Requests that the bridge made besides. */
  readonly further: string[] = []
  readonly #applied: Applied

  constructor({ call, request, entry }: Watched) {
    const prefix = call.prefix.kind === 'version' ? `/v${call.prefix.text}` : ''
    this.client = new Side(`${call.method} ${prefix}${call.wirePath}${call.search}`, request.fields)
    this.#applied = entry.changes.watch()
  }

  /** The ids of the changes that had an effect. */
  get changes(): ReadonlySet<string> {
    return new Set([...(this.#applied.request ?? []), ...(this.#applied.response ?? [])])
  }

  request({ method, path, headers }: RequestHead, byEmulation: boolean): void {
    if (byEmulation) this.further.push(`${method} ${path}`)
    else this.engine = new Side(`${method} ${path}`, headers)
  }

  response(side: 'engineResponse' | 'clientResponse', { status, headers }: ResponseHead): void {
    const seen = side === 'engineResponse' ? this.engine : this.client
    if (seen === undefined) return
    seen.status = status
    seen.type = Headers.fromRaw(headers).get('Content-Type')
  }

  body(side: MessageSide, chunk: Buffer): void {
    const seen = side.startsWith('engine') ? this.engine : this.client
    seen?.[side.endsWith('Request') ? 'sent' : 'got'].push(Buffer.from(chunk))
  }

  stream(from: 'client' | 'engine', chunk: Buffer): void {
    for (const side of [this.client, this.engine]) side?.[from === 'client' ? 'input' : 'got'].push(Buffer.from(chunk))
  }

  over(): void {
    // Nothing to do: bodies were collected as they arrived.
  }
}
