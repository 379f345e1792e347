import { operationNamed } from '../../api/operations.ts'
import { formatVersion } from '../../api/version.ts'
import type { Applied } from '../../audit/entry/applied-changes.ts'
import type { CallObserver, MessageSide, RequestHead, ResponseHead } from '../../audit/observer.ts'
import type { BodyContext } from '../../audit/record/body.ts'
import { gatherFromHeaders } from '../../audit/redact/headers.ts'
import { usual } from '../../audit/redact/json.ts'
import { gatherFromSearch, redactSearch } from '../../audit/redact/query.ts'
import { plainHeader } from '../../audit/redact/secrets.ts'
import { scrub } from '../../audit/redact/text.ts'
import type { Watched } from '../../audit/watched.ts'
import { defined } from '../../config/defined.ts'
import { Headers } from '../../http/headers.ts'
import { GrowingText } from './shown/growing-text.ts'
import { PassingMessage } from './shown/message.ts'
import { headLine, requestKind, responseKind, tunnelKind } from './shown/shown-as.ts'
import { clean, endpointOf } from './shown/unseen.ts'
import type { CallDetails, CallSummary, Message } from './shown/view.ts'

/** Limits per call. */
export interface Keeping {
  /** Per message, in bytes. */
  readonly body: number
  /** Show what clients type into tunnels. */
  readonly input: boolean
}

interface Tunnel {
  readonly client: GrowingText
  readonly engine: GrowingText
}

/** Is told about changes of a call. */
interface Keeper {
  changed(call: WatchedCall): void
  /** Called once, when the call has ended. */
  ended(call: WatchedCall): void
}

/** A call in progress: collects its traffic and decides which parts can be shown. */
export class WatchedCall implements CallObserver {
  readonly id: number
  readonly #watched: Watched
  readonly #keeping: Keeping
  readonly #keeper: Keeper
  readonly #at: Date
  readonly #secrets = new Set<string>()
  readonly #applied: Applied
  readonly #messages: { [Name in MessageSide]?: PassingMessage } = {}
  #tunnel: Tunnel | undefined
  #over = false
  #unseen = false
  /** Number of secrets known when the target was rendered. */
  #targetOf: { readonly known: number; readonly text: string } | undefined

  constructor(id: number, watched: Watched, keeping: Keeping, keeper: Keeper) {
    this.id = id
    this.#watched = watched
    this.#keeping = keeping
    this.#keeper = keeper
    // The call arrived before its plan was known.
    this.#at = new Date(Date.now() - (watched.entry.report.duration?.total ?? 0))
    this.#applied = watched.entry.changes.watch()
    const { call, operation, request } = watched
    gatherFromHeaders(request.fields, this.#secrets)
    gatherFromSearch(call.search, operation, this.#secrets)
    const kind = requestKind(operation)
    this.#messages.clientRequest = new PassingMessage(
      `${call.method} ${this.#target}`,
      request.fields,
      kind,
      this.#options,
    )
  }

  request(head: RequestHead, byEmulation: boolean): void {
    if (byEmulation || this.#unseen) return
    const line = headLine(head, this.#watched.operation, this.#secrets)
    this.#messages.engineRequest = new PassingMessage(
      line,
      head.headers,
      requestKind(this.#watched.operation),
      this.#options,
    )
  }

  response(side: 'engineResponse' | 'clientResponse', { status, headers }: ResponseHead): void {
    if (this.#unseen) return
    const kind = responseKind(this.#watched.operation, status)
    // Secrets of the request are searched for in the streamed response.
    if (kind !== 'message') this.#settleRequests()
    this.#messages[side] = new PassingMessage(String(status), headers, kind, this.#options)
    this.#keeper.changed(this)
  }

  body(side: MessageSide, chunk: Buffer): void {
    if (this.#unseen) return
    this.#messages[side]?.push(chunk)
    this.#keeper.changed(this)
  }

  stream(from: 'client' | 'engine', chunk: Buffer): void {
    if (this.#unseen) return
    this.#tunnel ??= this.#openTunnel()
    this.#tunnel[from].push(chunk)
    this.#keeper.changed(this)
  }

  over(): void {
    if (this.#unseen) return
    this.#over = true
    this.#settleRequests()
    const plain = this.#isText()
    for (const side of ['engineResponse', 'clientResponse'] as const)
      this.#messages[side]?.settle(this.#context, { complete: true, plain })
    this.#keeper.ended(this)
  }

  /** Out of memory budget: the call continues unobserved. */
  letGo(): void {
    this.#unseen = true
    this.#tunnel?.client.letGo()
    this.#tunnel?.engine.letGo()
    this.#tunnel = undefined
    for (const side of Object.keys(this.#messages) as MessageSide[]) {
      this.#messages[side]?.letGo()
      delete this.#messages[side]
    }
  }

  /** Approximate memory use in bytes. */
  get held(): number {
    let held = 0
    for (const message of Object.values(this.#messages)) held += message.held
    return held + (this.#tunnel === undefined ? 0 : this.#tunnel.client.held + this.#tunnel.engine.held)
  }

  get summary(): CallSummary {
    const { call, operation, plan, lane, entry } = this.#watched
    const { status, error, duration, bytesIn = 0, bytesOut = 0 } = entry.report
    const { request, response } = this.#applied
    return {
      id: this.id,
      at: this.#at.toISOString(),
      method: call.method,
      endpoint: operation === undefined ? scrub(call.path, this.#secrets) : endpointOf(operation),
      target: this.#target,
      ...defined({ operation, status, error: error?.code }),
      client: formatVersion(plan.client),
      engine: formatVersion(plan.target),
      lane,
      milliseconds: duration?.total ?? 0,
      open: !this.#over,
      changes: new Set([...(request ?? []), ...(response ?? [])]).size,
      losses: entry.losses.length,
      bytesIn,
      bytesOut,
    }
  }

  get details(): CallDetails {
    const { entry, request: fromClient } = this.#watched
    const { request, response } = this.#applied
    const text = (value: string | undefined): string | undefined =>
      value === undefined ? undefined : plainHeader(scrub(value, this.#secrets))
    const seen = this.#messages.clientResponse ?? this.#messages.engineResponse
    const responseType = seen === undefined ? undefined : Headers.fromRaw(seen.rawHeaders).get('Content-Type')
    return defined({
      summary: this.summary,
      record: clean(entry.report, this.#secrets),
      applied: defined({ request: request && [...request], response: response && [...response] }),
      clientRequest: this.#view('clientRequest'),
      engineRequest: this.#view('engineRequest'),
      engineResponse: this.#view('engineResponse'),
      clientResponse: this.#view('clientResponse'),
      tunnel: this.#tunnel && { client: this.#tunnel.client.view, engine: this.#tunnel.engine.view },
      userAgent: text(fromClient.field('user-agent')),
      contentType: text(fromClient.field('content-type')),
      responseType,
    })
  }

  /** As sent by the client, with prefix and query. The inspector asks with everything that changes. */
  get #target(): string {
    const { size } = this.#secrets
    if (this.#targetOf?.known !== size) this.#targetOf = { known: size, text: this.#makeTarget() }
    return this.#targetOf.text
  }

  #makeTarget(): string {
    const { call, operation } = this.#watched
    const prefix = call.prefix.kind === 'version' ? `/v${call.prefix.text}` : ''
    return `${prefix}${scrub(call.wirePath, this.#secrets)}${redactSearch(call.search, operation, new Set())}`
  }

  get #options(): ConstructorParameters<typeof GrowingText>[1] {
    const { operation } = this.#watched
    const changed = (): void => this.#keeper.changed(this)
    return { operation, limit: this.#keeping.body, secrets: this.#secrets, changed }
  }

  get #context(): BodyContext {
    const { operation } = this.#watched
    return { operation, limit: this.#keeping.body, redaction: usual, secrets: this.#secrets }
  }

  #settleRequests(): void {
    const end = { complete: true, plain: false }
    this.#messages.clientRequest?.settle(this.#context, end)
    this.#messages.engineRequest?.settle(this.#context, end)
  }

  #openTunnel(): Tunnel {
    const kind = tunnelKind(this.#watched.operation)
    const typed = this.#keeping.input ? undefined : 'typed'
    return {
      client: new GrowingText(kind, this.#options, kind === 'bytes' ? undefined : typed),
      engine: new GrowingText(kind, this.#options),
    }
  }

  #view(side: MessageSide): Message | undefined {
    return this.#messages[side]?.view(this.#secrets)
  }

  #isText(): boolean {
    const { operation, entry } = this.#watched
    return (entry.status ?? 0) >= 400 || (operation !== undefined && operationNamed(operation).response === 'text')
  }
}
