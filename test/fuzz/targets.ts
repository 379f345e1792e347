import { isDeepStrictEqual } from 'node:util'
import { changes, deviations, readings } from '../../rules/index.ts'
import { ProxyError } from '../../src/api/errors.ts'
import { hasEscapedName, parseJson, setMember, writeJson } from '../../src/api/json/json.ts'
import { foldName } from '../../src/api/json/names.ts'
import { readAsGo } from '../../src/api/json/read.ts'
import { readFirst } from '../../src/api/json/reader.ts'
import { operationNames } from '../../src/api/operations.ts'
import { clientVersion, readCall } from '../../src/api/read-call.ts'
import { shapes } from '../../src/api/shapes/shapes.ts'
import { Validation } from '../../src/api/validation/validation.ts'
import { type ApiVersion, apiVersion } from '../../src/api/version.ts'
import { Headers } from '../../src/http/headers.ts'
import { forwardedHeaders } from '../../src/proxy/engine-side/engine-request.ts'
import type { Plan } from '../../src/translate/compile.ts'
import { Answer, type StepContext, type TranslationPolicy } from '../../src/translate/message.ts'
import { Plans } from '../../src/translate/plans.ts'
import { RecordSplitter } from '../../src/translate/run/record-splitter.ts'
import { runWithoutEngine } from '../../src/translate/run/steps.ts'
import { acceptedRequests } from '../support/recorded-requests.ts'
import { contextWith, linux } from '../support/step-context.ts'
import { httpTargets } from './http/targets.ts'
import type { Target } from './loop.ts'
import { policy as policyTarget, redaction } from './secrets.ts'

function promise(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

/** Ends of a call that are meant. */
function meant(work: () => void): void {
  try {
    work()
  } catch (cause) {
    if (!(cause instanceof ProxyError) && !(cause instanceof Answer)) throw cause
  }
}

const OWN_NAMES = Object.getOwnPropertyNames(Object.prototype).length

function unpolluted(): void {
  const names = Object.getOwnPropertyNames(Object.prototype)
  promise(names.length === OWN_NAMES && Object.keys({}).length === 0, `Object.prototype has ${names.join()}`)
}

/** Only what may stand in a request line (RFC 3986), so that nothing can end it. */
const WIRE = /^\/[A-Za-z0-9\-._~!$&'()*+,;=:@/%]*$/

const paths: Target = {
  name: 'paths',
  seeds: ['GET /v1.44/containers/json?all=1', 'POST /v1.18/containers/a%2fb/start', 'DELETE /containers/', 'OPTIONS *'],
  run: (input) => {
    // A parser gives no spaces and no control characters.
    const [method = '', ...rest] = input.toString('latin1').split(' ')
    const url = rest.join('').replace(/[^\x21-\x7e]/g, '') || '/'
    const call = readCall(method, url)
    meant(() => clientVersion(call, apiVersion(51), apiVersion(51)))
    if (call.localResponse !== undefined) return
    if (call.path === '*') return
    promise(WIRE.test(call.wirePath), `the wire path ${JSON.stringify(call.wirePath)}`)
    promise(decodeURIComponent(call.wirePath) === call.path, `${call.wirePath} is not ${call.path}`)
    promise(!/\/\.{0,2}\//.test(call.path), `a path that is not clean: ${call.path}`)
    const again = readCall(method, `/v1.44${call.wirePath}${call.search}`)
    promise(
      again.path === call.path && again.match?.operation === call.match?.operation,
      'the engine routes it elsewhere',
    )
  },
}

const records: Target = {
  name: 'records',
  seeds: ['{"a":1}{"b":"}"}\n{"c":[{}]}', '\u001e{"status":"start"}\n', '{"a":"\\"{"}', '[1,[2]]{"x":'],
  run: (input) => {
    const split = (sizes: number): string[] => {
      const splitter = new RecordSplitter(1024)
      const found: string[] = []
      for (let at = 0; at < input.length; at += sizes)
        found.push(...splitter.push(input.subarray(at, at + sizes)).map((record) => record.toString('latin1')))
      return [...found, splitter.rest().toString('latin1')]
    }
    meant(() => {
      const whole = split(input.length || 1)
      for (const size of [1, 7])
        promise(isDeepStrictEqual(split(size), whole), `in pieces of ${size} it is other records`)
      let from = 0
      for (const record of whole) {
        const at = input.toString('latin1').indexOf(record, from)
        promise(at >= from, 'a record that is not in the stream')
        from = at + record.length
      }
    })
  },
}

const json: Target = {
  name: 'json',
  seeds: ['{"a":1,"a":{"b":2}}', '{"H":{"M":1},"H":{"N":null}} x', '[1e400,-0,9223372036854775807]', '"\\ud800"'],
  run: (input) => {
    const text = input.toString()
    meant(() => {
      const { value, ambiguous } = readAsGo(text)
      const decoded = readFirst(text, setMember)
      promise((value === undefined) === (decoded.kind === 'broken'), `Go says ${JSON.stringify(decoded)}`)
      if (value === undefined) return
      const written = writeJson(value)
      const again = readAsGo(written)
      promise(!again.ambiguous && again.value !== undefined, 'what was written is not certain')
      promise(writeJson(again.value ?? null) === written, 'written and read it is another')
      if (!ambiguous && decoded.kind === 'value')
        promise(same(written, text.slice(0, decoded.end)), 'not what JSON.parse reads')
      for (const number of written.match(/\d{17,}/g) ?? [])
        promise(text.includes(number), `digits of its own: ${number}`)
    })
    unpolluted()
  },
}

/** But for -0, which is 0 to whoever counts bytes; and for names that JSON.parse may misread. */
const same = (one: string, other: string): boolean =>
  hasEscapedName(one) || hasEscapedName(other) || JSON.stringify(wellFormed(one)) === JSON.stringify(wellFormed(other))

/** Go reads half of a surrogate pair as U+FFFD. */
const wellFormed = (text: string): unknown =>
  JSON.parse(text, (_name, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value))

const names: Target = {
  name: 'names',
  seeds: shapes.flatMap(({ members }) => members).slice(0, 40),
  run: (input) => {
    const text = input.toString()
    for (const member of MEMBERS) {
      // JavaScript's own simple folding (the flags i and u), as encoding/json's equalFold.
      const equal = text.length === member.length && new RegExp(`^${member}$`, 'iu').test(text)
      promise((foldName(text) === foldName(member)) === equal, `${JSON.stringify(text)} and ${member}`)
    }
  },
}
const MEMBERS = [...new Set(shapes.flatMap(({ members }) => members))].filter((name) => /^\w+$/.test(name)).slice(0, 60)

const HOP = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'content-length',
])

const headers: Target = {
  name: 'headers',
  stretched: true,
  seeds: [
    'Host: a\nConnection: x-a, close\nX-A: 1\nX-B: 2',
    'Transfer-Encoding: chunked\nTE: trailers\nUpgrade: tcp',
    'X-Registry-Auth: e30=',
  ],
  run: (input) => {
    const pairs = input
      .toString('latin1')
      .split('\n')
      .map((line) => line.split(': ', 2))
      .map(([name = '', value = '']) => [name.replace(/[^\w-]/g, '') || 'X', value.replace(/[^\x20-\xff]/g, '')])
    const came = Headers.fromRaw(pairs.flat())
    const sent = forwardedHeaders(came).raw()
    const sentNames = sent.filter((_one, at) => at % 2 === 0).map((name) => name.toLowerCase())
    promise(sentNames.filter((name) => name === 'host').length === 1 && sent[1] === 'docker', 'another host')
    promise(!sentNames.some((name) => HOP.has(name)), `hop by hop: ${sentNames.join()}`)
    promise(
      sent.every((part) => !/[\r\n\0]/.test(part)),
      'a line break',
    )
    const asked = { client: apiVersion(18), engine: ENGINE, report: () => undefined }
    for (const operation of ['ImageCreate', 'ImageBuild', 'ContainerCreate'] as const)
      meant(() => VALIDATIONS[0]?.request({ ...asked, operation }, `?${pairs[0]?.join('=') ?? ''}`, came))
    unpolluted()
  },
}

const policy: TranslationPolicy = { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined }
const ALL_PLANS = [
  new Plans({ changes: [...changes, ...deviations], readings, shapes }, policy),
  new Plans(
    { changes: [...changes, ...deviations], readings, shapes },
    { ...policy, profile: 'spec', losses: 'strict' },
  ),
  new Plans(
    { changes: [...changes, ...deviations], readings, shapes },
    { ...policy, newerFields: 'pass', losses: 'ignore' },
  ),
]
const VALIDATIONS = [new Validation('warn'), new Validation('strict')]
const VERSIONS = Array.from({ length: 39 }, (_, i) => apiVersion(18 + i))
const ENGINE = { ...linux(apiVersion(51), apiVersion(24)), release: '28.5.2' }

const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index % list.length]
  if (found === undefined) throw new RangeError('an empty list')
  return found
}

function contextOf(plan: Plan, query: URLSearchParams): StepContext {
  const { client, target, highest, operation } = plan
  return contextWith({
    ...{ operation, client, target, engine: { ...ENGINE, highest, lowest: target }, policy },
    call: { params: { name: 'x', id: 'x' }, query },
    lose: ({ onLoss, what }) => {
      if (onLoss === 'refuse') throw new ProxyError('loss', what)
    },
  })
}

/**
 * Byte 0 the operation, 1 the client's version, 2 the target's, 3 the engine's highest, 4 which plans, then a query up to
 * a line feed and JSON.
 */
const plansTarget: Target = {
  name: 'plans',
  seeds: acceptedRequests()
    .filter(({ body }) => body.length < 2000)
    .map(
      ({ operation, path, body }, i) =>
        String.fromCharCode(operationNames.indexOf(operation), i % 39, (i * 7) % 39, (i * 5) % 39, i % 3) +
        `${path.split('?')[1] ?? ''}\n${body || '{"Id":"x"}'}`,
    ),
  run: (input) => {
    const operation = at(operationNames, input[0] ?? 0)
    const [client, target, highest] = [1, 2, 3].map((i) => at(VERSIONS, input[i] ?? 0)) as [
      ApiVersion,
      ApiVersion,
      ApiVersion,
    ]
    const plan = at(ALL_PLANS, input[4] ?? 0).get(operation, {
      client,
      target,
      highest: target > highest ? target : highest,
    })
    const text = input.subarray(5).toString()
    const line = text.indexOf('\n')
    const search = text.slice(0, Math.max(0, line))
    asked(plan, search, text.slice(line + 1))
    answered(plan, search, text.slice(line + 1), 200)
    answered(plan, search, text.slice(line + 1), 404)
    unpolluted()
  },
}

function asked(plan: Plan, search: string, text: string): void {
  const query = new URLSearchParams(search)
  const context = contextOf(plan, new URLSearchParams(search))
  const whole = { operation: plan.operation, client: plan.client, engine: context.engine, report: () => undefined }
  meant(() => {
    const { value } = readAsGo(text)
    plan.request.respell?.(value)
    for (const validation of VALIDATIONS) meant(() => validation.request(whole, `?${search}`, new Headers()))
    for (const validation of VALIDATIONS) meant(() => validation.body(whole, { text, value }))
    const message = { method: 'POST', path: '/x', params: { name: 'x' }, query, headers: new Headers(), body: value }
    runWithoutEngine(plan.request.steps, message, context)
    if (message.body !== undefined) JSON.parse(writeJson(message.body))
    promise(!/[^\x21-\xff]/.test(message.path), `the path ${JSON.stringify(message.path)}`)
    promise(
      message.headers.raw().every((part) => !/[\r\n\0]/.test(part)),
      'a line break in a header',
    )
  })
}

function answered(plan: Plan, search: string, text: string, status: number): void {
  let body: ReturnType<typeof parseJson> | undefined
  try {
    body = parseJson(text)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
  }
  const message = {
    status,
    headers: new Headers([['Content-Type', 'application/json']]),
    body: status < 400 ? body : undefined,
    ...(status >= 400 || body === undefined ? { text } : {}),
  }
  const context = contextOf(plan, new URLSearchParams(search))
  const { head, body: steps, errors } = plan.response
  if (runWithoutEngine(status < 400 ? [...head, ...steps] : errors, message, context)) return
  if (message.body !== undefined) JSON.parse(writeJson(message.body))
}

const own: readonly Target[] = [paths, records, json, names, headers, redaction, policyTarget, plansTarget]
export const targets: readonly Target[] = [...own, ...httpTargets]
