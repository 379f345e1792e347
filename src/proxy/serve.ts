import type { KnownClient } from '../../rules/clients.ts'
import type { EngineFacts } from '../api/engine-facts.ts'
import { asRefusal, type ErrorForm, errorForm, Refusal } from '../api/errors.ts'
import { askedAtLeast } from '../api/operations.ts'
import { asksForVersion, type Call, clientVersion, readCall, readsOnce } from '../api/read-call.ts'
import type { Finding } from '../api/validation/finding.ts'
import type { Asked } from '../api/validation/validation.ts'
import { type ApiVersion, isOlder, offered } from '../api/version.ts'
import type { CallObserver } from '../audit/observer.ts'
import { Entry } from '../audit/record/entry.ts'
import { peerOf } from '../audit/record/peer.ts'
import { targetVersion } from '../engine/discovery.ts'
import { saysByForm, withForm, withoutForm } from '../engine/form.ts'
import { addressed, watching } from '../engine/replaced/address.ts'
import { isPreface } from '../http/client/preface.ts'
import type { ClientRequest } from '../http/client/request.ts'
import type { ClientResponse } from '../http/client/response.ts'
import { Headers } from '../http/headers.ts'
import { type AnyPlan, untouched } from '../translate/compile.ts'
import { Answer, HeldAnswer } from '../translate/message.ts'
import { expectsContinue } from './engine-side/engine-request.ts'
import { hijackOf } from './engine-side/hijack.ts'
import { Exchange, type Known } from './exchange.ts'
import type { Door, Journey } from './journey.ts'
import { bodyLane } from './lanes/body.ts'
import { laneFor } from './lanes/choose.ts'
import { passLane } from './lanes/pass.ts'
import { recordsLane } from './lanes/records.ts'
import { tunnelLane } from './lanes/tunnel.ts'
import { answerHeld } from './local/held-answer.ts'
import { carryHttp2, openHttp2 } from './local/http2.ts'
import { localResponse } from './local/local-response.ts'
import { reasonFor, showFinished } from './local/reply.ts'
import { observerOf } from './observers.ts'
import { checkRequest } from './request-checks.ts'

/** What is known of a call when it has to be ended. */
interface State {
  /** The bridge as this client is told of it. */
  journey: Journey
  form: ErrorForm
  entry: Entry | undefined
  observer: CallObserver | undefined
  /** Whether the observers were asked. */
  observed: boolean
  /** Says that the call stays with its container no longer. */
  leave: (() => void) | undefined
}

/** One call, top to bottom. Upgrades take the same road. */
export async function serve(
  bridge: Journey,
  door: Door,
  request: ClientRequest,
  response: ClientResponse,
): Promise<void> {
  let journey = bridge
  const state: State = {
    journey,
    form: 'json',
    entry: undefined,
    observer: undefined,
    observed: false,
    leave: undefined,
  }
  journey.metrics.began()
  // A blank value disables it, as leaving it out does (the specification, 1.6).
  if (journey.corsHeader) response.always(allowOrigin(journey.corsHeader))
  try {
    const asked = readCall(request.method, request.target)
    state.form = asked.form
    const entry = new Entry(journey.audit, asked, peerOf(request, door.name))
    state.entry = entry
    checkRequest(request, response, entry)
    if (isPreface(request)) {
      const exchange = await openHttp2(journey, door, { request, response, call: asked, entry })
      state.observer = exchange.observer
      state.observed = true
      await asTunnel(journey, carryHttp2(exchange))
      return
    }
    const hijack = hijackOf(request)
    if (hijack !== undefined) response.rawBytesMayFollow()
    if (asked.instead !== undefined) throw asked.instead
    const headers = Headers.fromRaw(request.fields)
    door.checkOrigin?.(headers, asked.url)
    journey.admission?.admit(journey.metrics.open, request.socket.remoteAddress ?? door.name)
    if (asked.method === 'OPTIONS') throw new Answer(200)
    if (journey.draining()) throw new Refusal('draining', 'the bridge is shutting down')
    const facts = journey.discovery.facts(readsOnce(asked))
    const engine = facts instanceof Promise ? await facts : facts
    const known = misreads(bridge, engine, request)
    if (known !== undefined) {
      journey = bridge.knownClients?.told(bridge, known) ?? bridge
      state.journey = journey
      entry.told(known)
    }
    const client = versionOf(asked, door, offered(bridge.policy.announce, engine.highest), engine, known)
    state.form = errorForm(client)
    const call = saysByForm(asked, request) ? await readForm(journey, asked, request, headers, response) : asked
    if (call !== asked) entry.saidByForm(call.search)
    const checkBody = validate(journey, call, request.hasBody && call === asked, headers, { client, engine, entry })
    const least = call.match === undefined ? undefined : askedAtLeast[call.match.operation.name]
    const target = targetVersion(client, engine, journey.engineApi, least)
    const address = addressed(journey.replacedContainers, call, engine)
    const addressee = address instanceof Promise ? await address : address
    state.leave = watching(journey.replacedContainers, call) // at once: its record may take a while
    const plan = planFor(journey, call, client, target, engine, addressee.mapsIds)
    const guard = door.access?.guard(entry)
    const lane = laneFor(call, plan, hijack !== undefined, journey.recordStreams)
    const stored = entry.forwarding({ client, target, lane, changes: plan.changes })
    if (stored !== undefined) await stored
    const watched = { call, operation: call.match?.operation.name, plan, lane, entry, request }
    const observer = observerOf(journey.observers, watched, entry.observer)
    state.observer = observer
    state.observed = true
    const both = { clientRequest: request, clientResponse: response, formRead: call !== asked }
    const all: Known = { ...both, call, addressee, headers, plan, facts: engine, entry, checkBody, observer, guard }
    const exchange = new Exchange(journey, all)
    if (hijack === undefined) await LANES[lane](exchange)
    else await asTunnel(journey, tunnelLane(hijack.upgrade)(exchange))
    if (entry.status === 404) journey.replacedContainers.unknown(call.match?.params['name'] ?? '', engine)
  } catch (cause) {
    if (cause instanceof HeldAnswer && state.entry !== undefined)
      await answerHeld(cause, response, state.entry, state.observer)
    else answerLocally(cause, response, state)
  } finally {
    end(journey, request, state)
  }
}

/** Whatever fails here, the call counts as ended (`--max-calls` and the end of the program wait for that) and is recorded. */
function end(journey: Journey, request: ClientRequest, { entry, observer, observed, leave }: State): void {
  try {
    leave?.()
    observer?.over()
    if (!observed && entry !== undefined) journey.unobserved?.(entry, request)
  } finally {
    journey.metrics.ended(entry?.summary)
    entry?.close()?.catch((err) => journey.log.error({ err }, 'an audit record could not be written'))
  }
}

/** A known client that would be told a version whose answers it misreads. */
function misreads(
  { knownClients, policy }: Journey,
  engine: EngineFacts,
  request: ClientRequest,
): KnownClient | undefined {
  const known = knownClients?.find(request.field('user-agent'))
  return known !== undefined && isOlder(known.understands, offered(policy.announce, engine.highest)) ? known : undefined
}

function versionOf(
  call: Call,
  { unversioned }: Door,
  highest: ApiVersion,
  engine: EngineFacts,
  known: KnownClient | undefined,
): ApiVersion {
  const unnamed = asksForVersion(call) ? engine.highest : (unversioned ?? engine.highest)
  const version = clientVersion(call, highest, unnamed)
  return known !== undefined && isOlder(known.understands, version) ? known.understands : version
}

const LANES = {
  pass: passLane,
  body: bodyLane,
  records: recordsLane,
  tunnel: tunnelLane(undefined),
}

function asTunnel({ metrics }: Journey, carried: Promise<void>): Promise<void> {
  metrics.tunnelOpened()
  return carried.finally(() => metrics.tunnelClosed())
}

async function readForm(
  journey: Journey,
  asked: Call,
  request: ClientRequest,
  headers: Headers,
  response: ClientResponse,
): Promise<Call> {
  if (expectsContinue(request)) response.interim(100, 'Continue')
  const call = await withForm(asked, request, journey.limits)
  withoutForm(headers)
  return call
}

/** As the engines' own `--api-cors-header` (api/server/middleware/cors.go, removed in 29). */
const allowOrigin = (origin: string): readonly string[] => [
  ...['Access-Control-Allow-Origin', origin],
  ...['Access-Control-Allow-Headers', 'Origin, X-Requested-With, Content-Type, Accept, X-Registry-Auth'],
  ...['Access-Control-Allow-Methods', 'HEAD, GET, POST, DELETE, PUT, OPTIONS'],
]

function planFor(
  journey: Journey,
  call: Call,
  client: ApiVersion,
  target: ApiVersion,
  engine: EngineFacts,
  mapsIds: boolean,
): AnyPlan {
  if (call.match === undefined) return untouched({ client, target, highest: engine.highest })
  return journey.plans.get(call.match.operation.name, client, target, engine.highest, { mapsIds })
}

interface Facts {
  readonly client: ApiVersion
  readonly engine: EngineFacts
  readonly entry: Entry
}

/**
 * Validation at the client's version, before anything is forwarded: query and headers here, the body by what is returned,
 * once a lane has read it. Undefined where nothing is to be said of a body, so that none is read for it.
 */
function validate(
  { validation, log }: Journey,
  call: Call,
  hasBody: boolean,
  headers: Headers,
  { client, engine, entry }: Facts,
): Known['checkBody'] {
  if (validation === undefined || call.match === undefined) return undefined
  const operation = call.match.operation.name
  const looksIn = hasBody && validation.readsBody(operation, client)
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

/** The bridge's own answer: a refusal, a redirect, or an emulation's. Never a stack trace. */
function answerLocally(thrown: unknown, response: ClientResponse, { journey, form, entry, observer }: State): void {
  const cause = asRefusal(thrown)
  if (response.headSent || response.gone) {
    if (cause instanceof Refusal) entry?.failed(cause.code, cause.message)
    response.cut()
    return
  }
  const finished = localResponse(journey, cause, form, entry)
  if (entry !== undefined) showFinished({ entry, observer }, finished)
  response.head(finished.status, reasonFor(finished.status, 0, ''), finished.headers.flat)
  response.end(finished.body)
}
