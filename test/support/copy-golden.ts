/**
 * Copies what the golden test needs from the unpacked recordings: `node test/support/copy-golden.ts DIR`. Bodies keep
 * their shape and lose their length: of an array's elements one of each shape stays, of texts the first two.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isObject, type JsonValue, parseJson } from '../../src/api/json/json.ts'
import { RecordSplitter } from '../../src/translate/run/record-splitter.ts'
import { laterPairs, modernEngines, namesOf, oldEngines, recordedFile, scenes } from './golden-scenes.ts'

const [, , source] = process.argv
if (source === undefined) throw new Error('say where the recordings were unpacked: copy-golden.ts DIR')
const target = new URL('../golden/recorded/', import.meta.url).pathname
mkdirSync(target, { recursive: true })

/** Types all the way down: two values of the same outline say the same about a shape. */
function outline(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(outline))].sort().join('|')}]`
  if (!isObject(value)) return value === null ? 'null' : typeof value
  // A record's kind belongs to its shape (see the scenes' `kinds`).
  const kind = [value['Type'], value['Type'] === undefined ? undefined : value['Action']].filter((k) => k !== undefined)
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${key}:${outline(value[key])}`)
    .join(',')}}${kind.join(' ')}`
}

function compact(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    const seen = new Set<string>()
    const isNew = (element: JsonValue): boolean =>
      !seen.has(outline(element)) && seen.add(outline(element)) !== undefined
    const kept = value.every((element) => typeof element === 'string') ? value.slice(0, 2) : value.filter(isNew)
    return kept.map(compact)
  }
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, member === undefined ? null : compact(member)]),
  )
}

interface Exchange {
  readonly request: { readonly method: string; readonly path: string }
  readonly response: { readonly status: number | null; readonly body?: JsonValue; readonly raw?: string }
}

/** The answer's values: one, or the records of a stream. */
function valuesOf({ response }: Exchange): JsonValue[] {
  const text = response.raw ?? (typeof response.body === 'string' ? response.body : undefined)
  if (text === undefined) return response.body === undefined ? [] : [response.body]
  try {
    return [parseJson(text)]
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause // a stream of records
  }
  return new RecordSplitter(1 << 24).push(Buffer.from(`${text}\n`)).map((record) => parseJson(record.toString()))
}

function copy(archive: 'legacy' | 'modern', engine: string, version: string, lacks: readonly string[] = []): void {
  const folder = path.join(source ?? '', archive, engine, version)
  const there = new Set(readdirSync(folder))
  const exchanges: Record<string, JsonValue> = {}
  for (const name of namesOf(scenes, archive)) {
    if (lacks.includes(name)) continue
    if (!there.has(`${name}.json`)) throw new Error(`${folder} has no ${name}`)
    const exchange = JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8')) as Exchange
    const { status } = exchange.response
    if (status === null || status >= 400) continue
    const { method, path: call } = exchange.request
    exchanges[name] = { method, path: call, status, values: compact(valuesOf(exchange)) }
  }
  const origin = { recording: archive, engine, version }
  writeFileSync(path.join(target, recordedFile(engine, version)), `${JSON.stringify({ origin, exchanges }, null, 1)}\n`)
}

for (const { engine, version } of oldEngines) copy('legacy', engine, version)
for (const { archive, engine, versions, lacks } of modernEngines)
  for (const version of versions) copy(archive, engine, version, lacks)
for (const { client, own, engine, target } of laterPairs) {
  copy('modern', own, client)
  copy('modern', engine, target)
}
