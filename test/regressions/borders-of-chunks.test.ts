import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { RawConnection } from '../support/client.ts'
import { RawEngine } from '../support/raw-engine.ts'

/**
 * What the engine sent as chunks of their own reached the client as one: writes of one turn were joined. docker-py up to 1.9
 * reads each chunk as one JSON text, and failed on builds and pulls.
 */
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`

/** The chunks of an answer, in their order. */
function chunksOf(text: string): string[] {
  const chunks: string[] = []
  for (let at = text.indexOf('\r\n\r\n') + 4; ; ) {
    const line = text.indexOf('\r\n', at)
    const size = Number.parseInt(text.slice(at, line), 16)
    if (!(size > 0)) return chunks
    chunks.push(text.slice(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
}

const PROGRESS = ['{"status":"Pulling"}\r\n', '{"status":"Waiting","id":"a"}\r\n', '{"status":"Done"}\r\n']
const EVENTS = [1, 2, 3].map(
  (n) =>
    `{"status":"start","id":"${n}","from":"i","Type":"container","Action":"start","Actor":{"ID":"${n}","Attributes":{"image":"i"}},"time":${n},"timeNano":${n}}\n`,
)
const STATS = [1, 2, 3].map(
  (n) => `{"read":"2026-01-01T00:00:0${n}Z","networks":{"eth0":{"rx_bytes":${n}}},"memory_stats":{},"cpu_stats":{}}\n`,
)
const LOGS = ['\u0001\0\0\0\0\0\0\u0002a\n', '\u0001\0\0\0\0\0\0\u0002b\n', '\u0002\0\0\0\0\0\0\u0002c\n']

const PASSED: readonly [string, readonly string[]][] = [
  ['POST /v1.44/build', PROGRESS],
  ['POST /v1.18/build', PROGRESS],
  ['POST /v1.44/images/create?fromImage=x', PROGRESS],
  ['POST /v1.18/images/create?fromImage=x', PROGRESS],
  ['POST /v1.18/images/x/push', PROGRESS],
  ['GET /v1.51/events', EVENTS],
  ['GET /v1.51/containers/x/stats', STATS],
  ['GET /v1.51/containers/x/logs?follow=1&stdout=1', LOGS],
  ['GET /v1.18/containers/x/logs?follow=1&stdout=1', LOGS],
  ['GET /v1.51/unknown/stream', PROGRESS],
]
const TRANSLATED: readonly [string, readonly string[]][] = [
  ['GET /v1.20/events', EVENTS],
  ['GET /v1.18/containers/x/stats', STATS],
]

describe('chunks on their way to the client', () => {
  const stage = stages()
  let engine: RawEngine
  afterEach(() => engine.close())

  const ask = async (line: string, body: readonly string[]): Promise<string[]> => {
    engine = new RawEngine(join(stage.folder(), 'raw.sock'), ({ connection }) => {
      connection.write(HEAD)
      for (const part of body) connection.write(part)
      return ''
    })
    await engine.listen()
    const bridge = await stage.bridge(engine.socket)
    const client = new RawConnection(bridge.socket)
    client.send(`${line} HTTP/1.1\r\nHost: d\r\nX-Registry-Auth: e30=\r\nContent-Length: 0\r\n\r\n`)
    const text = await client.until((seen) => seen.endsWith('\r\n0\r\n\r\n') || seen.endsWith('\r\n\r\n0\r\n\r\n'))
    client.socket.destroy()
    return chunksOf(text)
  }

  it.each(PASSED)('are those that the engine made, though several come at once: %s', async (line, said) => {
    expect(await ask(line, [[...said.map(chunk), '0\r\n\r\n'].join('')])).toEqual(said)
  })

  it.each(PASSED)('are those that the engine made, though each comes in pieces: %s', async (line, said) => {
    const bytes = [...said.map(chunk), '0\r\n\r\n'].join('')
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) => bytes.slice(7 * i, 7 * i + 7))
    expect(await ask(line, pieces)).toEqual(said)
  })

  it.each(TRANSLATED)('hold one translated record each, though the engine sends all in one: %s', async (line, said) => {
    const got = await ask(line, [`${chunk(said.join(''))}0\r\n\r\n`])
    expect(got).toHaveLength(said.length)
    for (const text of got) expect(() => JSON.parse(text)).not.toThrow()
  })

  it.each(TRANSLATED)('hold one translated record each, though it came in two: %s', async (line, said) => {
    const halves = said.flatMap((text) => [chunk(text.slice(0, 9)), chunk(text.slice(9))])
    const got = await ask(line, [[...halves, '0\r\n\r\n'].join('')])
    expect(got).toHaveLength(said.length)
    for (const text of got) expect(() => JSON.parse(text)).not.toThrow()
  })

  it.each(['GET /v1.51/events', 'GET /v1.51/containers/x/logs'])(
    'are whole where one is larger than what is read at once: %s',
    async (line) => {
      const large = `{"Type":"${'x'.repeat(300_000)}"}\n`
      const got = await ask(line, [`${chunk(large)}${chunk('{}\n')}0\r\n\r\n`])
      expect(got.map((text) => text.length)).toEqual([large.length, 3])
      expect(got.join('') === `${large}{}\n`).toBe(true)
    },
  )
})
