/**
 * Takes the scenario of later versions (1.23 on) out of the unpacked recordings: `node test/conformance/take-later.ts DIR`.
 * Only the calls: their answers are compared with those of running engines.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { JsonValue } from '../../src/api/json/json.ts'
import { untar } from '../live/support/tar.ts'
import type { CatalogueCall } from './catalogue.ts'
import { laterCalls } from './later-calls.ts'

interface Exchange {
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    readonly body_base64?: string
  }
  readonly response: { readonly body?: string; readonly ended?: string }
}

const [, , source] = process.argv
if (source === undefined) throw new Error('say where the recordings were unpacked: take-later.ts DIR')
const folder = path.join(source, 'modern', '28.5', '1.51')
const exchanges = new Map(
  readdirSync(folder)
    .sort()
    .map((file) => [
      path.basename(file, '.json'),
      JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Exchange,
    ]),
)

/** Calls that name versions themselves (the scenario of old versions has such calls), or that need a registry. */
const LEFT_OUT = /^(00[7-9]|01[0-3]|22[2-6]|233)-/

const ids = [...exchanges].flatMap(([name, { response }]): [string, string][] => {
  const id = /^\{"Id":"([0-9a-f]{64})"/.exec(response.body ?? '')?.[1]
  return id === undefined ? [] : [[id, name]]
})

function withReferences(text: string): string {
  // Kernel memory has separate calls: engines without it refuse the whole container.
  let named = text
    .replace('"KernelMemory": 52428800, "MemorySwappiness"', '"MemorySwappiness"')
    .replace('"KernelMemory": 52428800, "CpuShares"', '"CpuShares"')
    .replace('"AttachStdin": true, "Cmd": ["sh", "-c", "cat; ', '"Cmd": ["sh", "-c", "') // nobody writes there
    .replaceAll('/nonesuch-rec', '/var/tmp/enginebridge-nosuch-rec')
  for (const [id, owner] of ids) named = named.replaceAll(id, `{${owner}}`)
  return named.replace(/(\/events\?)since=\d{10}&until=\d{10}/, '$1since={start}&until={now}')
}

function bodyOf({ body, body_base64: packed, headers = {} }: Exchange['request']): Partial<CatalogueCall> {
  if (packed !== undefined) return { tar: untar(Buffer.from(packed, 'base64')) }
  if (body === undefined || body === '') return {}
  if (!headers['Content-Type']?.includes('json')) return { text: body }
  try {
    return { json: JSON.parse(withReferences(body)) as JsonValue }
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause // sent as invalid JSON on purpose
    return { text: body }
  }
}

/** Answers that come after a while: the engine or its runtime still finds an exec that has just ended. */
const UNTIL: Readonly<Record<string, string | readonly string[]>> = {
  '133-exec-inspect-after': '"Running":false',
  '137-exec-resize': ['no such exec', 'process does not exist', 'exec session state improper'],
}

function callOf(name: string, { request, response }: Exchange): CatalogueCall {
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
    path: withReferences(request.path.replace(/^\/v1\.51(?=\/)/, '')),
    ...(type === undefined ? {} : { type }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...bodyOf(request),
    ...(UNTIL[name] === undefined ? {} : { until: UNTIL[name] }),
    ...(response.ended === 'timeout' || response.ended === 'cut' ? { endless: true as const } : {}),
  }
}

const calls = [...exchanges]
  .filter(([name]) => !LEFT_OUT.test(name))
  .flatMap(([name, exchange]) => [...(laterCalls[name] ?? []), callOf(name, exchange)])
const head = '{"origin":{"recording":"modern","engine":"28.5","version":"1.51"}'
writeFileSync(
  new URL('../golden/conformance/catalogue-later.json', import.meta.url),
  `${head},"calls":[\n${calls.map((call) => JSON.stringify(call)).join(',\n')}\n]}\n`,
)
