/**
 * Copies the requests that engines of 1.18 to 1.24 accepted and refused from the unpacked recordings:
 * `node test/support/copy-requests.ts DIR`. Each engine at its own version, equal requests once.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { errorText } from '../../src/api/errors.ts'
import type { JsonValue } from '../../src/api/json/json.ts'
import { findOperation } from '../../src/api/operations.ts'
import type { AcceptedRequest, RecordedRequest, RefusedRequest } from './recorded-requests.ts'

const [, , source] = process.argv
if (source === undefined) throw new Error('say where the recordings were unpacked: copy-requests.ts DIR')

const ENGINES = [
  ['1.6.2', '1.18'],
  ['1.7.1', '1.19'],
  ['1.8.3', '1.20'],
  ['1.9.1', '1.21'],
  ['1.10.3', '1.22'],
  ['1.12.6', '1.24'],
] as const
const BESIDE = '20.10.24'
const HEADERS = ['Content-Type', 'Content-Length', 'X-Registry-Auth', 'X-Registry-Config']

interface Exchange {
  readonly request: { method: string; path: string; headers?: Record<string, string>; body?: JsonValue }
  readonly response: { status: number | null; headers?: Record<string, string>; body?: JsonValue; raw?: string }
}

const read = (engine: string, version: string, file: string): Exchange =>
  JSON.parse(readFileSync(path.join(source, 'legacy', engine, version, file), 'utf8')) as Exchange

/** The recorder's names hold the version (`r118run`): equal requests look alike without it. */
const plain = (text: string): string =>
  text.replaceAll(/r1(?:18|19|20|21|22|24)(?=\D|$)/g, 'rec').replaceAll(/(%[0-9A-F]{2})?[0-9a-f]{64}/g, '$1f00d')

function bodyText({ headers, body }: Exchange['request'], parsed: boolean): string {
  if (!parsed || Number(headers?.['Content-Length'] ?? 0) === 0) return ''
  return plain(typeof body === 'string' ? body : JSON.stringify(body ?? null))
}

function recorded(file: string, { request }: Exchange): RecordedRequest | undefined {
  const url = request.path.replace(/^\/v1\.\d+/, '')
  const match = findOperation(request.method, decodeURIComponent(url.replace(/\?.*/, '')))
  if (match === undefined) return undefined
  const kept = Object.entries(request.headers ?? {}).filter(([name]) => HEADERS.includes(name))
  const body = bodyText(request, match.operation.request === 'json')
  const name = file.replace(/^\d+-|\.json$/g, '')
  return { name, operation: match.operation.name, path: plain(url), headers: Object.fromEntries(kept), body }
}

const accepted = new Map<string, AcceptedRequest>()
const refused = new Map<string, RefusedRequest>()
for (const [engine, version] of ENGINES) {
  for (const file of readdirSync(path.join(source, 'legacy', engine, version))) {
    const exchange = read(engine, version, file)
    const request = recorded(file, exchange)
    const { status, raw, body } = exchange.response
    if (request === undefined || status === null) continue
    const { 'Content-Length': length, ...headers } = request.headers
    const says = request.body !== '' || request.path.includes('?') || Object.keys(headers).length > 0
    const key = JSON.stringify([request.operation, request.path, headers, request.body])
    if (status < 400) {
      if (!says) continue
      const known = accepted.get(key)
      accepted.set(key, { ...(known ?? request), engines: [...(known?.engines ?? []), `${engine} at ${version}`] })
      continue
    }
    const answer = raw ?? (typeof body === 'string' ? body : JSON.stringify(body ?? ''))
    const text = plain(errorText(answer, exchange.response.headers?.['Content-Type']))
    // Not the input's fault: something is not there, or an endpoint or a version is none of this engine's.
    if (status === 404 || text === '' || /client is newer/.test(text)) continue
    const beside = read(BESIDE, version, file).response.status
    const known = refused.get(key)?.answers ?? []
    refused.set(key, { ...request, answers: [...known, { engine: `${engine} at ${version}`, status, text, beside }] })
  }
}

const write = (name: string, requests: Iterable<object>): void => {
  const origin = 'recordings of engines 1.6.2, 1.7.1, 1.8.3, 1.9.1, 1.10.3 and 1.12.6, each at its own version'
  const lines = [...requests].map((request) => `  ${JSON.stringify(request)}`)
  const file = new URL(`../golden/${name}`, import.meta.url)
  writeFileSync(file, `{\n "origin": ${JSON.stringify(origin)},\n "requests": [\n${lines.join(',\n')}\n ]\n}\n`)
}
write('accepted-requests.json', accepted.values())
write('refused-requests.json', refused.values())
