import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { isObject, parseJson } from '../../../src/api/json/json.ts'
import { tar } from '../../live/support/tar.ts'
import { type Head, Wire } from '../../live/support/wire.ts'
import type { CatalogueCall } from '../catalogue.ts'
import { ofPlay, removeMade } from './missing.ts'

/** The answer to one call. */
export interface Played {
  readonly call: CatalogueCall
  /** null: the connection ended without an answer. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly took: number
}

/** An endless answer is over when nothing came for this long. */
const QUIET_MS = 300

interface Player {
  readonly socket: string
  readonly version: string
  start: number
  readonly answers: Map<string, Played>
  /** Makes names unique among all plays. */
  readonly name: string
}

/**
 * Engines remember their last 256 events, and clients of 1.18 to 1.22 cause more: their windows begin after the creates,
 * so that an engine that sends one event more does not forget another one. The later scenario causes some 200.
 */
const WINDOWS_BEGIN = '310-inspect-nul'

/** Plays the whole scenario as a client of one version, with a connection for each call, as old clients did. */
export async function play(socket: string, version: string, calls: readonly CatalogueCall[]): Promise<Played[]> {
  const name = randomUUID().replaceAll(/[^a-f]/g, '')
  const player: Player = { socket, version, name, start: await nextSecond(), answers: new Map() }
  try {
    for (const call of calls) {
      if (call.name === WINDOWS_BEGIN) player.start = await nextSecond()
      player.answers.set(call.name, await playUntil(player, call))
    }
  } finally {
    removeMade(name)
  }
  return [...player.answers.values()]
}

/** Windows of events are cut by the second: the events of this scenario must lie in seconds without others. */
async function nextSecond(): Promise<number> {
  await sleep(1000 - (Date.now() % 1000) + 5)
  return Math.floor(Date.now() / 1000)
}

/**
 * The end of windows of events: a second in the future, at which the engine itself ends the answer. If the second is in the
 * past, Podman stops reading its log as soon as it begins: 0 to 4 of 31 events came (5.4.2:
 * libpod/events/logfile.go, Read).
 */
const soon = (): number => Math.ceil(Date.now() / 1000) + 1

const PATIENCE = 100
/** A signal that comes before a container's program has begun ends runc in its place, with 2. */
const BEGUN_MS = 300

/** An answer has settled when it comes twice: 20.10 removes an ended exec in two steps. */
async function playUntil(player: Player, call: CatalogueCall): Promise<Played> {
  let played = await playOne(player, call)
  if (call.path.includes('/restart?')) await sleep(BEGUN_MS)
  if (call.until === undefined) return played
  const wanted = [call.until].flat()
  for (let left = PATIENCE; left > 0; left--) {
    await sleep(50)
    const before = played.body
    played = await playOne(player, call)
    if (wanted.some((text) => played.body.includes(text)) && before.equals(played.body)) break
  }
  return played
}

async function playOne(player: Player, call: CatalogueCall): Promise<Played> {
  const began = performance.now()
  const took = (): number => Math.round(performance.now() - began)
  const wire = new Wire(player.socket)
  try {
    wire.write(requestOf(player, call))
    const head = await wire.head()
    const body = await bodyOf(wire, call, head)
    return { call, status: head.status, headers: head.headers, body, took: took() }
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    return { call, status: null, headers: {}, body: Buffer.from(cause.message), took: took() }
  } finally {
    wire.leave()
  }
}

function requestOf(player: Player, call: CatalogueCall): Buffer {
  const path = call.raw === true ? call.path : `/v${player.version}${filled(player, call.path)}`
  const body = contentOf(player, call)
  const sized = body !== undefined || call.method === 'POST' || call.method === 'PUT'
  const lines = [
    `${call.method} ${path} HTTP/1.1`,
    'Host: docker',
    'User-Agent: conformance/1',
    ...(call.type === undefined ? [] : [`Content-Type: ${call.type}`]),
    ...(sized ? [`Content-Length: ${body?.length ?? 0}`] : []),
    ...Object.entries(call.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body ?? Buffer.alloc(0)])
}

function contentOf(player: Player, call: CatalogueCall): Buffer | undefined {
  if (call.json !== undefined) return Buffer.from(filled(player, JSON.stringify(call.json)))
  if (call.text !== undefined) return Buffer.from(filled(player, call.text))
  if (call.tar !== undefined) return call.name.includes('gzip') ? gzipSync(tar(call.tar)) : tar(call.tar)
  return call.bodyOf === undefined ? undefined : player.answers.get(call.bodyOf)?.body
}

/** Replaces names in braces with ids and moments of the running engine. */
function filled(player: Player, text: string): string {
  const moments = new Map([
    ['start', player.start],
    ['now', soon()],
    ['later', player.start + 1000],
  ])
  return ofPlay(text, player.name).replaceAll(/\{(\w[\w-]*)(?::(\d+))?\}/g, (whole, name: string, digits?: string) => {
    const moment = moments.get(name)
    if (moment !== undefined) return String(moment)
    const answer = player.answers.get(name)
    if (answer === undefined) return whole
    return idIn(answer.body)?.slice(0, digits === undefined ? undefined : Number(digits)) ?? '0'.repeat(64)
  })
}

function idIn(body: Buffer): string | undefined {
  try {
    const value = parseJson(body.toString())
    const id = isObject(value) ? value['Id'] : undefined
    return typeof id === 'string' ? id.replace('sha256:', '') : undefined
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined // an error's text: the call that should have given the id failed
    throw cause
  }
}

async function bodyOf(wire: Wire, call: CatalogueCall, head: Head): Promise<Buffer> {
  if (call.method === 'HEAD') return Buffer.alloc(0)
  const hijacked = head.status === 101
  if (hijacked && call.stdin !== undefined) {
    wire.write(call.stdin)
    wire.halfClose()
  }
  const stats = call.path.includes('/stats') // the first record is enough
  const pieces: Buffer[] = []
  const body = wire.body(hijacked ? { ...head, headers: {} } : head)
  for (;;) {
    const next = body.next()
    const piece = await (call.endless === true && !stats ? orQuiet(next) : next)
    if (piece === 'quiet' || piece.done === true) return Buffer.concat(pieces)
    pieces.push(piece.value)
    if (stats && head.status === 200) return Buffer.concat(pieces)
  }
}

async function orQuiet<T>(next: Promise<T>): Promise<T | 'quiet'> {
  const over = new AbortController()
  // If the reader is quicker, the timer is cancelled; if not, the reader is abandoned with its connection.
  const quiet = sleep(QUIET_MS, 'quiet' as const, { signal: over.signal }).catch(() => 'quiet' as const)
  next.catch(() => undefined)
  try {
    return await Promise.race([next, quiet])
  } finally {
    over.abort()
  }
}
