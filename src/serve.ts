import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Metrics } from './admin/metrics.ts'
import type { Admission } from './admission.ts'
import { addressed, watching } from './aliases/address.ts'
import type { Aliases } from './aliases/aliases.ts'
import type { Finding } from './api/validation/finding.ts'
import type { Asked, Validation } from './api/validation/validation.ts'
import type { ApiVersion } from './api/version.ts'
import { type Auditing, Entry } from './audit/audit.ts'
import { peerOf } from './audit/peer.ts'
import { CarriedCall, CarriedTunnel, type Known } from './carried.ts'
import type { EngineInfos } from './context.ts'
import type { EngineConnection } from './engine/connection.ts'
import { type Discovery, targetVersion } from './engine/discovery.ts'
import { type ErrorForm, errorForm, Refusal } from './errors.ts'
import { saysByForm, withForm, withoutForm } from './form.ts'
import type { AnyPlan, Carriage, Guard, Observer, PlainLane, Tap, TunnelLane } from './lanes/carriage.ts'
import { type LaneName, laneFor } from './lanes/choose.ts'
import type { Pace } from './lanes/pace.ts'
import type { RememberedAnswers } from './lanes/remembered.ts'
import { showFinished } from './lanes/reply.ts'
import { announcesBody } from './lanes/request.ts'
import { tapFor } from './lanes/tap.ts'
import { writeFinished } from './lanes/tunnel.ts'
import type { Limits } from './limits.ts'
import { endLater } from './linger.ts'
import { ownAnswer } from './own-answer.ts'
import { type Call, clientVersion, readCall } from './read-call.ts'
import type { EngineApi } from './settings.ts'
import { type Plans, untouched } from './translate/compile.ts'
import { Headers } from './translate/headers.ts'
import { Answer, type EngineFacts, type TranslationPolicy } from './translate/message.ts'
import { checkWire } from './wire.ts'

/** What the journey needs; made in main.ts, or by a test. */
export interface Journey {
  readonly engine: EngineConnection
  readonly discovery: Discovery
  readonly plans: Plans
  readonly lanes: { readonly [Name in Exclude<LaneName, 'tunnel'>]: PlainLane } & { readonly tunnel: TunnelLane }
  readonly audit: Auditing
  /** Who may want to see what passes, beside the audit. */
  readonly observers: readonly Observer[]
  /** Hears of calls that ended before an observer could see them: refused, redirected. Undefined: nobody wants to. */
  readonly unobserved: ((entry: Entry, req: IncomingMessage) => void) | undefined
  readonly policy: TranslationPolicy
  readonly limits: Limits
  readonly answers: RememberedAnswers
  readonly pace: Pace
  /** Undefined: nothing is checked. */
  readonly validation: Validation | undefined
  readonly infos: EngineInfos
  readonly aliases: Aliases
  readonly metrics: Metrics
  readonly engineApi: EngineApi
  /** `--api-cors-header`: the value of Access-Control-Allow-Origin. */
  readonly corsHeader: string | undefined
  readonly recordStreams: 'translate' | 'untouched'
  readonly log: {
    error(facts: object, message: string): void
    warn(message: string): void
    debug(facts: object, message: string): void
  }
  readonly draining: () => boolean
  /** Undefined: as many calls as come. */
  readonly admission: Admission | undefined
}

/** How the answer goes back: over HTTP, or by hand on a connection taken off the parser. */
export type Way =
  | { readonly kind: 'http'; readonly res: ServerResponse }
  | { readonly kind: 'raw'; readonly socket: Duplex; readonly head: Buffer; readonly upgrade: string | undefined }

/** What is known of a call when it has to be ended. */
interface State {
  form: ErrorForm
  entry: Entry | undefined
  tap: Tap | undefined
  /** Whether the observers were asked. */
  observed: boolean
  /** Says that the call stays with its container no longer. */
  leave: (() => void) | undefined
}

/** Who may do what (src/policy). */
export interface AccessPolicy {
  /** What judges the requests of one call, and tells its record. */
  guard(entry: Entry): Guard
}

/** Where a call came in. */
export interface Listener {
  /** Its address, for the audit record. */
  readonly name: string
  /** Keeps web pages out, by `Host` and `Origin`; undefined where no browser comes. Throws the refusal. */
  readonly checkOrigin: ((headers: Headers) => void) | undefined
  /** Undefined: everything may be done. */
  readonly access: AccessPolicy | undefined
}

/** One call, top to bottom. Upgrades take the same road. */
export async function serve(journey: Journey, req: IncomingMessage, way: Way, listener: Listener): Promise<void> {
  const state: State = { form: 'json', entry: undefined, tap: undefined, observed: false, leave: undefined }
  journey.metrics.began()
  // A blank value disables it, as leaving it out does (the specification, 1.6).
  if (journey.corsHeader && way.kind === 'http') allowOrigin(way.res, journey.corsHeader)
  try {
    const asked = readCall(req.method ?? 'GET', req.url ?? '/')
    state.form = asked.form
    const entry = new Entry(journey.audit, asked, peerOf(req, listener.name))
    state.entry = entry
    if (asked.instead !== undefined) throw asked.instead
    checkWire(req)
    const headers = Headers.fromRaw(req.rawHeaders)
    listener.checkOrigin?.(headers)
    journey.admission?.admit(journey.metrics.open, req.socket.remoteAddress ?? listener.name)
    if (asked.method === 'OPTIONS') throw new Answer(200)
    if (journey.draining()) throw new Refusal('draining', 'the bridge is shutting down')
    const facts = journey.discovery.facts()
    const engine = facts instanceof Promise ? await facts : facts
    const client = clientVersion(asked, journey.policy.announce ?? engine.highest, engine.highest)
    state.form = errorForm(client)
    const call = saysByForm(asked, req) ? await readForm(journey, asked, req, headers, way) : asked
    if (call !== asked) entry.saidByForm(call.search)
    const checkBody = admit(journey, call, headers, client, engine, entry)
    const target = targetVersion(client, engine, journey.engineApi)
    const address = addressed(journey.aliases, call, engine)
    const addressee = address instanceof Promise ? await address : address
    state.leave = watching(journey.aliases, call) // at once: its record may take a while
    const plan = planFor(journey, call, client, target, engine, addressee.aliased)
    const guard = listener.access?.guard(entry)
    const looksIn = checkBody !== undefined || guard?.readsBody(call.match?.operation.name) === true
    const lane = laneFor(call, plan, way.kind, journey.recordStreams, looksIn)
    const stored = entry.forwarding({ client, target, lane, changes: plan.changes })
    if (stored !== undefined) await stored
    const tap = tapFor(
      journey.observers,
      { call, operation: call.match?.operation.name, plan, lane, entry, req },
      entry.tap,
    )
    state.tap = tap
    state.observed = true
    const known = { req, call, addressee, headers, plan, facts: engine, entry, checkBody, tap, guard }
    await carry(journey, lane, known, way)
    if (entry.status === 404) journey.aliases.unknown(call.match?.params['name'] ?? '', engine)
  } catch (cause) {
    answerOurselves(journey, cause, way, state)
  } finally {
    state.leave?.()
    state.tap?.over()
    if (!state.observed && state.entry !== undefined) journey.unobserved?.(state.entry, req)
    state.entry?.close()?.catch((err) => journey.log.error({ err }, 'an audit record could not be written'))
    journey.metrics.ended(state.entry?.summary)
  }
}

async function readForm(
  journey: Journey,
  asked: Call,
  req: IncomingMessage,
  headers: Headers,
  way: Way,
): Promise<Call> {
  if (way.kind === 'http' && headers.has('Expect')) way.res.writeContinue()
  const call = await withForm(asked, req, journey.limits)
  withoutForm(headers)
  return call
}

/** As the engines' own `--api-cors-header` (api/server/middleware/cors.go, removed in 29). */
function allowOrigin(res: ServerResponse, origin: string): void {
  res.setHeader('Access-Control-Allow-Origin', origin)
  res.setHeader('Access-Control-Allow-Headers', 'Origin, X-Requested-With, Content-Type, Accept, X-Registry-Auth')
  res.setHeader('Access-Control-Allow-Methods', 'HEAD, GET, POST, DELETE, PUT, OPTIONS')
}

function planFor(
  journey: Journey,
  call: Call,
  client: ApiVersion,
  target: ApiVersion,
  engine: EngineFacts,
  aliased: boolean,
): AnyPlan {
  if (call.match === undefined) return untouched({ client, target, highest: engine.highest })
  return journey.plans.get(call.match.operation.name, client, target, engine.highest, { aliased })
}

/**
 * Validation at the client's version, before anything is forwarded: query and headers here, the body by what is returned,
 * once a lane has read it. Undefined where nothing is to be said of a body, so that none is read for it.
 */
function admit(
  { validation, log }: Journey,
  call: Call,
  headers: Headers,
  client: ApiVersion,
  engine: EngineFacts,
  entry: Entry,
): Carriage['checkBody'] {
  if (validation === undefined || call.match === undefined) return undefined
  const operation = call.match.operation.name
  const looksIn = announcesBody(headers) && validation.readsBody(operation, client)
  if (!looksIn && !validation.readsHead(operation, call.search)) return undefined
  const report = (findings: readonly Finding[]): void => {
    for (const finding of findings) entry.found(finding)
    const said = findings.map(({ field, rule }) => `${entry.clean(field)} ${rule}`)
    log.debug({ auditId: entry.id, operation, findings: said }, 'a request is not valid at its version')
  }
  const asked: Asked = { operation, client, engine, report }
  validation.request(asked, call.search, headers)
  return looksIn ? (body) => validation.body(asked, body) : undefined
}

function carry(journey: Journey, lane: LaneName, known: Known, way: Way): Promise<void> {
  if (way.kind === 'raw') {
    journey.metrics.tunnelOpened()
    return journey.lanes.tunnel(new CarriedTunnel(journey, known, way)).finally(() => journey.metrics.tunnelClosed())
  }
  const plain = new CarriedCall(journey, known, way.res)
  return lane === 'tunnel' ? journey.lanes.body(plain) : journey.lanes[lane](plain)
}

/** The bridge's own answer: a refusal, a redirect, or an emulation's. Never a stack trace. */
function answerOurselves(journey: Journey, cause: unknown, way: Way, { form, entry, tap }: State): void {
  if (way.kind === 'http' ? way.res.headersSent || way.res.destroyed : way.socket.destroyed) {
    if (cause instanceof Refusal) entry?.failed(cause.code, cause.message)
    if (way.kind === 'http') way.res.destroy()
    return
  }
  const finished = ownAnswer(journey, cause, form, entry)
  const { status, headers, body } = finished
  if (entry !== undefined) showFinished({ entry, tap }, finished)
  if (way.kind === 'raw') {
    writeFinished(way.socket, finished, '')
    return
  }
  // A body that nobody will read must not be taken for the next request.
  const unread = announcesBody(Headers.fromRaw(way.res.req.rawHeaders)) && !way.res.req.complete
  if (unread) headers.set('Connection', 'close')
  way.res.writeHead(status, headers.raw())
  if (unread) endLater(way.res, body)
  else way.res.end(body)
}
