import { isPodman } from '../api/engine-facts.ts'
import { errorForm } from '../api/errors.ts'
import { askedAtLeast } from '../api/operations.ts'
import { type Call, readCall, readsOnce } from '../api/read-call.ts'
import { Entry } from '../audit/entry/entry.ts'
import type { Metrics } from '../audit/metrics/metrics.ts'
import { peerOf } from '../audit/record/peer.ts'
import { targetVersion } from '../engine/discovery.ts'
import { saysByForm, withForm } from '../engine/form.ts'
import { addressed, watching } from '../engine/replaced/address.ts'
import type { ClientRequest } from '../http/client/request.ts'
import { isPreface } from '../http/client/request-reader.ts'
import type { ClientResponse } from '../http/client/response.ts'
import { Headers } from '../http/headers.ts'
import type { Versions } from '../translate/change.ts'
import { type AnyPlan, untouched } from '../translate/plans.ts'
import type { Core, Door } from './core.ts'
import { Exchange } from './exchange.ts'
import { bodyLane } from './lanes/body.ts'
import { hijackOf, laneFor } from './lanes/choose.ts'
import { passLane } from './lanes/pass.ts'
import { recordsLane } from './lanes/records.ts'
import { tunnelLane } from './lanes/tunnel.ts'
import { carryHttp2, openHttp2 } from './local/http2.ts'
import { answerLocally } from './local/local-response.ts'
import { admit, checkExpectation, identify, validate } from './steps/admit.ts'
import { CallState } from './steps/call-state.ts'

/** Serves one call, upgrades included: read, admit, identify, validate, plan, record, carry, close. */
export async function serve(shared: Core, door: Door, request: ClientRequest, response: ClientResponse): Promise<void> {
  // None of these throws on what a client sends: errors of the request line are in `sent`.
  const sent = readCall(request.method, request.target)
  const entry = new Entry(shared.audit, sent, peerOf(request, door.name))
  const state = new CallState(shared, entry, sent.form)
  shared.metrics.began()
  setCorsHeaders(shared, response)
  try {
    checkExpectation(request, response, entry)
    if (isPreface(request)) {
      const exchange = await openHttp2(state, door, { request, response, call: sent, entry })
      return await asTunnel(shared.metrics, carryHttp2(exchange))
    }
    const hijack = hijackOf(request, sent)
    if (hijack !== undefined) response.expectRawBytes()
    const headers = admit(shared, door, request, sent)
    const engine = await shared.discovery.facts(readsOnce(sent))
    const { version: client, told, core } = identify(shared, door, request, sent, engine)
    state.core = core
    state.form = errorForm(client)
    entry.told = told
    const call = saysByForm(sent, request) ? await withForm(sent, request, response, headers, core.limits, entry) : sent
    if (call !== sent) entry.secrets.said(call.search)
    const hasBody = request.hasBody && call === sent
    const checkBody = validate(core, { call, headers, hasBody, client, engine, entry })
    const least = call.match === undefined ? undefined : askedAtLeast[call.match.operation.name]
    const target = targetVersion(client, engine, core.engineApi, least)
    const addressee = await addressed(core.replacedContainers, call, engine)
    state.leave = watching(core.replacedContainers, call) // before the audit record, which may take a while
    const unversioned = call.prefix.kind === 'none' && door.unversioned === undefined
    const versions = { client, target, highest: engine.highest, podman: isPodman(engine), unversioned }
    const plan = planFor(core, call, versions, addressee.mapsIds)
    const guard = door.access?.(entry)
    const lane = hijack === undefined ? laneFor(call, plan, core.recordStreams) : 'tunnel'
    await entry.forwarding({ client, target, lane, changes: plan.changes })
    const observer = state.observe({ call, entry, request })
    const parts = { clientRequest: request, clientResponse: response, hasBody, call, addressee, headers, plan }
    const exchange = new Exchange(core, { ...parts, facts: engine, entry, checkBody, observer, guard })
    if (lane === 'tunnel') await asTunnel(core.metrics, tunnelLane(exchange, hijack?.upgrade))
    else await LANES[lane](exchange)
    if (entry.status === 404) core.replacedContainers.noteUnknownId(call.match?.params['name'] ?? '', engine)
  } catch (cause) {
    await answerLocally(cause, response, state)
  } finally {
    state.end(request)
  }
}

const LANES = { pass: passLane, body: bodyLane, records: recordsLane }

function asTunnel(metrics: Metrics, carried: Promise<void>): Promise<void> {
  metrics.tunnels++
  return carried.finally(() => metrics.tunnels--)
}

/**
 * Like the engines' `--api-cors-header` (api/server/middleware/cors.go, removed in 29); a blank value disables it (the
 * specification, 1.6).
 */
function setCorsHeaders({ corsHeader }: Core, response: ClientResponse): void {
  if (!corsHeader) return
  const headers = new Headers([
    ['Access-Control-Allow-Origin', corsHeader],
    ['Access-Control-Allow-Headers', 'Origin, X-Requested-With, Content-Type, Accept, X-Registry-Auth'],
    ['Access-Control-Allow-Methods', 'HEAD, GET, POST, DELETE, PUT, OPTIONS'],
  ])
  response.setDefaults(headers)
}

const planFor = ({ plans }: Core, { match }: Call, versions: Versions, mapsIds: boolean): AnyPlan =>
  match === undefined ? untouched(versions) : plans.get(match.operation.name, versions, mapsIds)
