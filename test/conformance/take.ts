/**
 * Takes the catalogue of calls, and the answers of the old engines, out of the unpacked recordings:
 * `node test/conformance/take.ts DIR`. Only the shape of bodies is kept.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isObject, type JsonObject, type JsonValue, parseJson } from '../../src/api/json/json.ts'
import { RecordSplitter } from '../../src/translate/run/record-splitter.ts'
import { untar } from '../live/support/tar.ts'
import { oldEngines } from '../support/golden-scenes.ts'
import type { CatalogueCall, RecordedAnswer } from './catalogue.ts'
import { needless } from './needless.ts'

interface Exchange {
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: JsonValue
    readonly stdin?: string
  }
  readonly response: {
    readonly status: number | null
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: JsonValue
    readonly raw?: string
    readonly complete?: boolean
  }
}

const [, , source] = process.argv
if (source === undefined) throw new Error('say where the recordings were unpacked: take.ts DIR')
const target = new URL('../golden/conformance/', import.meta.url).pathname
mkdirSync(target, { recursive: true })

const folderOf = (engine: string, version: string): string => path.join(source, 'legacy', engine, version)

function exchangesOf(engine: string, version: string): Map<string, Exchange> {
  const folder = folderOf(engine, version)
  const files = readdirSync(folder).filter((file) => file.endsWith('.json') && !needless(file.slice(0, -5)))
  return new Map(
    files
      .sort()
      .map((file) => [file.slice(0, -5), JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Exchange]),
  )
}

// ---- the calls --------------------------------------------------------------------

const exchanges = exchangesOf('1.10.3', '1.22')

/** Answers that did not end by themselves on one of the engines. */
const endless = new Set(
  oldEngines.flatMap(({ engine, version }) =>
    [...exchangesOf(engine, version)].flatMap(([name, { response }]) =>
      response.complete === false && response.status !== null ? [name] : [],
    ),
  ),
)

/** Ids in answers, longest first: later calls refer to them. */
function answeredIds(): [digits: string, name: string][] {
  const found = new Map<string, string>()
  for (const [name, { response }] of exchanges) {
    const id = isObject(response.body) ? response.body['Id'] : undefined
    if (typeof id === 'string' && /^(sha256:)?[0-9a-f]{64}$/.test(id) && !found.has(id.slice(-64)))
      found.set(id.slice(-64), name)
  }
  return [...found]
}

const ids = answeredIds()

function withReferences(text: string): string {
  // The engine makes the missing source of a bind on the machine; on that of the recordings it lay in /srv.
  let named = text.replaceAll(/\br122/g, 'rx').replaceAll('/srv/engine-nosuch', '/var/tmp/enginebridge-nosuch')
  for (const [id, owner] of ids) named = named.replaceAll(id, `{${owner}}`)
  return named.replaceAll(/(?<![0-9a-f])[0-9a-f]{6,64}(?![0-9a-f])/g, (digits) => {
    if (!/[0-9]/.test(digits)) return digits
    const owner = ids.find(([id]) => id.startsWith(digits))
    return owner === undefined ? digits : digits.length === 64 ? `{${owner[1]}}` : `{${owner[1]}:${digits.length}}`
  })
}

/** Moments: a window of events begins with the scenario and ends now; logs are requested since a moment in the future. */
const withMoments = (text: string): string =>
  text
    .replace(/(\/events\?)since=\d{10}&until=\d{10}/, '$1since={start}&until={now}')
    .replace('/events?since=1&until=abc', '/events?since={start}&until=abc') // since=1: all events that are still known
    .replace(/(\/logs\?.*)since=\d{10}/, '$1since={later}')

function callOf(name: string, { request }: Exchange): CatalogueCall {
  const raw = name.includes('-raw_') ? ({ raw: true } as const) : {}
  const own = raw.raw ? request.path : request.path.replace(/^\/v1\.22/, '')
  const {
    Host,
    'User-Agent': agent,
    'Content-Length': length,
    'Content-Type': type,
    ...headers
  } = request.headers ?? {}
  return {
    name,
    method: request.method,
    path: raw.raw ? own : withMoments(withReferences(own)),
    ...raw,
    ...(type === undefined ? {} : { type }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...bodyOf(request.body, length),
    ...(request.stdin === undefined ? {} : { stdin: request.stdin }),
    ...(endless.has(name) ? { endless: true as const } : {}),
  }
}

function bodyOf(body: JsonValue | undefined, length = '0'): Partial<CatalogueCall> {
  if (length === '0' || body === undefined) return {}
  if (typeof body === 'string')
    return body.includes('ustar') ? { tar: untar(Buffer.from(body)) } : { text: withReferences(body) }
  if (isObject(body) && body['omitted'] !== undefined) return { bodyOf: '098-image-get' }
  return { json: JSON.parse(withReferences(JSON.stringify(body))) as JsonValue }
}

/** Calls that the recorder made without recording them, by the name of the call that needs them before it. */
const unrecorded: Readonly<Record<string, readonly CatalogueCall[]>> = {
  '049-image-inspect-multitag': ['a', 'b'].map((tag) => ({
    name: `048-tag-${tag}`,
    method: 'POST',
    path: `/images/busybox/tag?repo=rec/rxmulti&tag=${tag}`,
  })),
  '532-attach-stdin': [{ name: '531-start-stdin', method: 'POST', path: '/containers/rxstdin/start' }],
  '629-network-delete': ['rxnet', 'rxpub'].map((name) => ({
    name: `628-delete-${name}`,
    method: 'DELETE',
    path: `/containers/${name}?force=1`,
  })),
  '553-image-delete-inuse-stopped': [
    {
      name: '552-import-inuse',
      method: 'POST',
      path: '/images/create?fromSrc=-&repo=rec/rx&tag=inuse2&changes=EXPOSE%2080&changes=LABEL%20q%3Dr',
      type: 'application/tar',
      tar: { 'etc/z': 'z' },
    },
    {
      name: '552-create-inuse',
      method: 'POST',
      path: '/containers/create?name=rxiu2',
      type: 'application/json',
      json: { Image: 'rec/rx:inuse2', Cmd: ['true'] },
    },
  ],
}

const calls = [...exchanges].flatMap(([name, exchange]) => [...(unrecorded[name] ?? []), callOf(name, exchange)])
const lines = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(',\n')
const origin = JSON.stringify({ recording: 'legacy', engine: '1.10.3', version: '1.22' })
writeFileSync(path.join(target, 'catalogue.json'), `{"origin":${origin},"calls":[\n${lines(calls)}\n]}\n`)

// ---- what the old engines answered ------------------------------------------------

function blank(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) {
    const kinds = new Map(value.map((element) => [JSON.stringify(blank(element)), blank(element)]))
    return [...kinds.values()]
  }
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, blank(member)]))
  if (typeof value === 'string') return ''
  if (typeof value === 'boolean') return false
  return value === null || value === undefined ? null : 0
}

function valuesOf({ response }: Exchange): JsonValue[] {
  const type = response.headers?.['Content-Type'] ?? ''
  const text = response.raw ?? (typeof response.body === 'string' ? response.body : undefined)
  if (text === undefined) return response.body === undefined || response.body === null ? [] : [response.body]
  if (!/^\s*[[{]/.test(text) || type.startsWith('text/')) return []
  const whole = text.slice(0, Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1)
  if (!type.includes('json')) return recordsOf(whole)
  try {
    return [parseJson(whole)]
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause // a stream of records
    return recordsOf(whole)
  }
}

const recordsOf = (text: string): JsonValue[] =>
  new RecordSplitter(1 << 24).push(Buffer.from(`${text}\n`)).map((record) => parseJson(record.toString()))

function answerOf(exchange: Exchange, table: Map<string, number>): RecordedAnswer {
  const { status, headers = {}, body } = exchange.response
  const type = headers['Content-Type']
  const head = { status, ...(type === undefined ? {} : { type }) }
  if (status === null || status === 101) return head
  if (status >= 400) return { ...head, text: (typeof body === 'string' ? body : messageOf(body)).trim() }
  const values = valuesOf(exchange)
  if (values.length === 0) return head
  const key = JSON.stringify(blank(values))
  const index = table.get(key) ?? table.size
  table.set(key, index)
  return { ...head, body: index }
}

function messageOf(body: JsonValue | undefined): string {
  const message = isObject(body) ? (body as JsonObject)['message'] : undefined
  return typeof message === 'string' ? message : JSON.stringify(body ?? '')
}

const outline = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{12,}|\b10\.2\d\d\.\d+|"omitted".*|\{[\w-]+(:\d+)?\}|\d{10}/g, '')
    .replaceAll(/\b[0-9a-f]{4,6}(?=\/json)/g, '')

/** Tells whether the call equals the catalogue's, without ids and moments. */
function sameCall(name: string, { request }: Exchange, digits: string): boolean {
  const call = exchanges.get(name)?.request
  const of = ({ path: of, body }: Exchange['request'], own: string): string =>
    outline(`${of.replace(/^\/v1\.\d+(?=\/)/, '')} ${JSON.stringify(body)}`.replaceAll(`r${own}`, 'rx'))
  const same = call !== undefined && of(call, '122') === of(request, digits)
  if (!same && !name.includes('raw_')) process.stdout.write(`${digits}: ${name} was another call\n`)
  return same || name.includes('raw_')
}

for (const { engine, version } of oldEngines) {
  const table = new Map<string, number>()
  const digits = version.replace('.', '')
  // A few calls to old engines differed from those to 1.10, which would have made no sense there.
  const asked = [...exchangesOf(engine, version)].filter(([name, exchange]) => sameCall(name, exchange, digits))
  const answers = asked.map(([name, exchange]) => {
    const text = JSON.stringify(answerOf(exchange, table)).replaceAll(`r${digits}`, 'rx')
    return `${JSON.stringify(name)}:${text}`
  })
  const head = `{"origin":${JSON.stringify({ recording: 'legacy', engine, version })}`
  const bodies = `"bodies":[\n${[...table.keys()].join(',\n')}\n]`
  writeFileSync(
    path.join(target, `recorded@${version}.json`),
    `${head},\n${bodies},\n"answers":{\n${answers.join(',\n')}\n}}\n`,
  )
}
