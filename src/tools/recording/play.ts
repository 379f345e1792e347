import { asJson, type JsonValue, memberAt, writeJson } from '../../api/json/json.ts'
import { isOperationName, operationNamed } from '../../api/operations.ts'
import { CUT } from '../../audit/redact/query.ts'
import { messageOf } from '../../config/text.ts'
import type { Address } from '../../http/address.ts'
import { isTrue } from '../../translate/ops/calls/requests.ts'
import { ask } from '../ask.ts'
import type { RecordedCall } from './format.ts'
import { differences } from './shape.ts'

const ANSWER_TIMEOUT_MS = 30_000

interface Answer {
  readonly status: number
  readonly body: JsonValue | undefined
}

export interface Played {
  readonly call: RecordedCall
  readonly outcome:
    | { readonly kind: 'same' }
    /** Status or shape differ. */
    | { readonly kind: 'differs'; readonly how: readonly string[] }
    /** The requested object does not exist on that engine, so there is nothing to compare. */
    | { readonly kind: 'absent' }
    | { readonly kind: 'skipped'; readonly why: string }
}

/** Ids that create returned here, by the recorded ones. */
type Ids = Map<string, string>

/** Replays a recorded call and compares the responses. Adds to `ids`. `all`: also one that changes something. */
export async function play(call: RecordedCall, address: Address, all: boolean, ids: Ids): Promise<Played> {
  const why = whyNot(call, all)
  if (why !== undefined) return { call, outcome: { kind: 'skipped', why } }
  const answer = await askAgain(call, address, ids).catch(messageOf)
  if (typeof answer === 'string') return { call, outcome: { kind: 'differs', how: [`no answer: ${answer}`] } }
  learn(call, answer.body, ids)
  if (answer.status === 404 && call.status !== 404) return { call, outcome: { kind: 'absent' } }
  const how = compare(call, answer)
  return { call, outcome: how.length === 0 ? { kind: 'same' } : { kind: 'differs', how } }
}

function whyNot(call: RecordedCall, all: boolean): string | undefined {
  const safe = call.method === 'GET' || call.method === 'HEAD'
  if (!safe && !all) return 'it changes something (--all)'
  if (call.status === undefined) return 'it had no answer'
  const operation =
    call.operation !== undefined && isOperationName(call.operation) ? operationNamed(call.operation) : undefined
  if (call.tunnel !== undefined || operation?.response === 'hijack') return 'it takes the connection over'
  if (operation?.name === 'ContainerWait') return 'it waits for what another call does'
  if (operation !== undefined && endless(operation.name, call.path)) return 'it has no end'
  if (call.path.includes('[redacted]')) return 'a secret is missing in its path'
  if (call.path.endsWith(CUT)) return 'its query was too long to be recorded'
  if (call.request === undefined) return undefined
  if (call.request.json === undefined) return 'its body was not recorded'
  return call.request.redacted === true ? 'a secret is missing in its body' : undefined
}

async function askAgain(call: RecordedCall, address: Address, ids: Ids): Promise<Answer> {
  const body = call.request?.json === undefined ? undefined : writeJson(call.request.json as JsonValue)
  const headers = {
    ...(call.userAgent === undefined ? {} : { 'User-Agent': call.userAgent }),
    ...(body === undefined ? { 'Content-Length': '0' } : { 'Content-Type': 'application/json' }),
  }
  const reply = await ask(address, {
    method: call.method,
    path: renamed(call.path, ids),
    headers,
    body: body && renamed(body, ids),
    timeoutMs: ANSWER_TIMEOUT_MS,
  })
  return { status: reply.status, body: asJson(reply.body.toString()) }
}

const renamed = (text: string, ids: Ids): string =>
  ids.entries().reduce((all, [recorded, here]) => all.replaceAll(recorded, here), text)

/** Full ids first, then the short form that people and clients use. */
function learn(call: RecordedCall, body: JsonValue | undefined, ids: Ids): void {
  const recorded = idOf(call.response?.json as JsonValue | undefined)
  const here = idOf(body)
  if (recorded === undefined || here === undefined || recorded === here || call.method !== 'POST') return
  ids.set(recorded, here)
  if (recorded.length > SHORT_ID) ids.set(recorded.slice(0, SHORT_ID), here.slice(0, SHORT_ID))
}

const SHORT_ID = 12

function idOf(body: JsonValue | undefined): string | undefined {
  const id = memberAt(body, 'Id')
  return typeof id === 'string' && /^[0-9a-f]{12,64}$/.test(id) ? id : undefined
}

/** Streams without an end. */
function endless(operation: string, path: string): boolean {
  const query = new URLSearchParams(path.replace(/^[^?]*/, ''))
  if (operation === 'SystemEvents') return !query.has('until')
  if (operation === 'ContainerStats') return !['0', 'false'].includes(query.get('stream') ?? '')
  return ['ContainerLogs', 'ServiceLogs', 'TaskLogs'].includes(operation) && isTrue(query.get('follow'))
}

function compare(call: RecordedCall, answer: Answer): string[] {
  const status = call.status === answer.status ? [] : [`status ${answer.status}, was ${call.status}`]
  const recorded = call.response?.json as JsonValue | undefined
  if (status.length > 0 || recorded === undefined || call.response?.cut === true) return status
  return answer.body === undefined ? ['the answer is no JSON any more'] : differences(recorded, answer.body)
}
