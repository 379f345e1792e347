import { type JsonValue, mapTexts } from '../../api/json/json.ts'
import { type OperationName, operationNamed } from '../../api/operations.ts'
import { withPrefix } from '../../api/version.ts'
import type { Applied } from '../../audit/entry/applied-changes.ts'
import type { Entry } from '../../audit/entry/entry.ts'
import type { CallObserver, MessageSide, RequestHead, ResponseHead } from '../../audit/observer.ts'
import type { BodyContext } from '../../audit/record/body.ts'
import type { AuditRecord } from '../../audit/record/record.ts'
import { gatherFromHeaders } from '../../audit/redact/headers.ts'
import { usual } from '../../audit/redact/json.ts'
import { gatherFromSearch } from '../../audit/redact/query.ts'
import { scrub, scrubber } from '../../audit/redact/text.ts'
import type { Watched } from '../../audit/watched.ts'
import { defined } from '../../config/defined.ts'
import { GrowingText } from './shown/growing-text.ts'
import { requestKind, responseKind, tunnelKind } from './shown/kinds.ts'
import { PassingMessage } from './shown/message.ts'
import type { CallDetails, CallSummary } from './shown/view.ts'

/** Limits per call. */
export interface Keeping {
  /** Per message, in bytes. */
  readonly body: number
  /** Show what clients type into tunnels. */
  readonly input: boolean
}

/** A call in progress: collects its traffic and decides which parts can be shown. */
export class WatchedCall implements CallObserver {
  readonly id: number
  readonly #entry: Entry
  readonly #input: boolean
  readonly #changed: (call: WatchedCall) => void
  readonly #at: Date
  readonly #options: BodyContext
  readonly #applied: Applied
  readonly #statuses = { engineResponse: 0, clientResponse: 0 }
  #messages: { [Name in MessageSide]?: PassingMessage } = {}
  #tunnel: { readonly client: GrowingText; readonly engine: GrowingText } | undefined
  open = true
  #unseen = false

  /** `changed` is also called when the call has ended. */
  constructor(id: number, watched: Watched, { body, input }: Keeping, changed: (call: WatchedCall) => void) {
    this.id = id
    this.#entry = watched.entry
    this.#input = input
    this.#changed = changed
    const { call, request, entry } = watched
    const { operation } = entry
    // The call has been under way for some time.
    this.#at = new Date(Date.now() - (entry.report.duration?.total ?? 0))
    this.#applied = entry.changes.watch()
    const secrets = new Set<string>()
    this.#options = { operation, limit: body, secrets, redaction: usual }
    gatherFromHeaders(request.headers, secrets)
    gatherFromSearch(call.search, this.#options)
    this.#messages.clientRequest = new PassingMessage(request.headers, requestKind(operation), this.#options)
  }

  request({ headers }: RequestHead, byEmulation: boolean): void {
    if (byEmulation || this.#unseen) return
    this.#messages.engineRequest = new PassingMessage(headers, requestKind(this.#entry.operation), this.#options)
  }

  response(side: 'engineResponse' | 'clientResponse', { status, headers }: ResponseHead): void {
    if (this.#unseen) return
    const kind = responseKind(this.#entry.operation, status)
    // Secrets of the request are searched for in the streamed response.
    if (kind !== 'message') this.#settle('clientRequest', 'engineRequest')
    this.#statuses[side] = status
    this.#messages[side] = new PassingMessage(headers, kind, this.#options)
    this.#changed(this)
  }

  body(side: MessageSide, chunk: Buffer): void {
    if (this.#unseen) return
    this.#messages[side]?.push(chunk)
    this.#changed(this)
  }

  stream(from: 'client' | 'engine', chunk: Buffer): void {
    if (this.#unseen) return
    const kind = tunnelKind(this.#entry.operation)
    this.#tunnel ??= {
      client: new GrowingText(kind, this.#options, this.#input || kind === 'bytes' ? undefined : 'typed'),
      engine: new GrowingText(kind, this.#options),
    }
    this.#tunnel[from].push(chunk)
    this.#changed(this)
  }

  over(): void {
    if (this.#unseen) return
    this.open = false
    this.#settle('clientRequest', 'engineRequest', 'engineResponse', 'clientResponse')
    this.#changed(this)
  }

  /** Out of memory budget: the call continues unobserved. */
  letGo(): void {
    this.#unseen = true
    this.#messages = {}
    this.#tunnel = undefined
  }

  /** Approximate memory use in bytes. */
  get held(): number {
    const parts = [...Object.values(this.#messages), this.#tunnel?.client, this.#tunnel?.engine]
    return parts.reduce((sum, part) => sum + (part?.held ?? 0), 0)
  }

  get summary(): CallSummary {
    return this.#summary(this.#record)
  }

  get details(): CallDetails {
    const record = this.#record
    const summary = this.#summary(record)
    const { request, response } = this.#applied
    const { method, path } = record.forwarded ?? { method: '', path: '' }
    const view = (side: MessageSide, line: string) => this.#messages[side]?.view(line, this.#options.secrets)
    return defined({
      summary,
      record,
      applied: defined({ request: request && [...request], response: response && [...response] }),
      clientRequest: view('clientRequest', `${summary.method} ${summary.target}`),
      engineRequest: view('engineRequest', `${method} ${path}`),
      engineResponse: view('engineResponse', String(this.#statuses.engineResponse)),
      clientResponse: view('clientResponse', String(this.#statuses.clientResponse)),
      tunnel: this.#tunnel && { client: this.#tunnel.client.view, engine: this.#tunnel.engine.view },
    })
  }

  get #record(): AuditRecord {
    return clean(this.#entry.report, this.#options.secrets)
  }

  #summary(record: AuditRecord): CallSummary {
    const { request = [], response = [] } = this.#applied
    const { method, prefix, query = '', operation, error, status, duration, losses = [] } = record
    const path = scrub(this.#entry.call.wirePath, this.#options.secrets)
    return {
      ...{ id: this.id, at: this.#at.toISOString(), method },
      endpoint: operation === undefined ? record.path : endpointOf(operation as OperationName),
      target: withPrefix(prefix, `${path}${query}`),
      ...defined({ operation, status, error: error?.code }),
      // A call that was refused at once has no version but that of its path.
      ...defined({ client: record.clientVersion ?? prefix, engine: record.targetVersion, lane: record.lane }),
      ...{ open: this.open, milliseconds: duration?.total ?? 0 },
      ...{ changes: new Set([...request, ...response]).size, losses: losses.length },
      ...{ bytesIn: record.bytesIn ?? 0, bytesOut: record.bytesOut ?? 0 },
    }
  }

  #settle(...sides: readonly MessageSide[]): void {
    const { operation, status = 0 } = this.#entry
    const isText = status >= 400 || (operation && operationNamed(operation).response === 'text') === true
    for (const side of sides) this.#messages[side]?.settle(this.#options, side.endsWith('Response') && isText)
  }
}

const endpointOf = (operation: OperationName): string => operationNamed(operation).path.replace(/\*{1,2}\}/g, '}')

/** Removes the call's secrets from every string: paths and names may quote them. */
const clean = (record: Readonly<AuditRecord>, secrets: ReadonlySet<string>): AuditRecord =>
  mapTexts(record as JsonValue, scrubber(secrets)) as AuditRecord
