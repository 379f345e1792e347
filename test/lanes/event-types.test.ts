import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import { engine28 } from '../support/scripted-engine.ts'

const engine29 = { ...engine28, ApiVersion: '1.53', Version: '29.1.0' }
const RECORD = { Type: 'container', Action: 'start', Actor: { ID: 'c', Attributes: { image: 'i' } }, time: 1 }
const JSON_SEQ = 'application/json-seq'
const TYPES = ['application/jsonl', 'application/x-ndjson', JSON_SEQ] as const

/** Engine 29: the first of its types that the client names, application/json without (system_routes.go:getEvents). */
function eventsOf29({ headers }: IncomingMessage, res: ServerResponse): void {
  const type = TYPES.find((one) => headers.accept?.includes(one)) ?? 'application/json'
  res.writeHead(200, { 'Content-Type': type })
  res.end(`${type === JSON_SEQ ? '\u001e' : ''}${JSON.stringify(RECORD)}\n`)
}

/** Engines up to 28 have one type, whatever is accepted (asked: 20.10, 28.5). */
function eventsOf28(_req: IncomingMessage, res: ServerResponse): void {
  res.writeHead(200, { 'Content-Type': 'application/json' })
  res.end(`${JSON.stringify({ ...RECORD, status: 'start', id: 'c', from: 'i' })}\n`)
}

interface Told {
  readonly type: string | undefined
  readonly separated: boolean
  readonly record: unknown
}

describe('the content type of events', () => {
  const stage = stages()
  const ask = async (socket: string, version: string, accept: string | string[] | undefined): Promise<Told> => {
    const headers = accept === undefined ? {} : { Accept: accept }
    const { text, headers: got } = await call(socket, `/v${version}/events?until=1`, { headers })
    const separated = text.startsWith('\u001e')
    return { type: got['content-type'], separated, record: JSON.parse(text.replace('\u001e', '')) }
  }

  it.each(TYPES)('is %s for a client of 1.53 that asks an engine of 1.53 for it', async (type) => {
    const { socket } = await stage({ version: engine29, onRequest: eventsOf29 })
    expect(await ask(socket, '1.53', type)).toEqual({ type, separated: type === JSON_SEQ, record: RECORD })
  })

  it.each(TYPES)('is %s for an older client that asks for it, its records translated', async (type) => {
    const { socket } = await stage({ version: engine29, onRequest: eventsOf29 })
    const record = { ...RECORD, status: 'start', id: 'c', from: 'i' }
    expect(await ask(socket, '1.44', type)).toEqual({ type, separated: type === JSON_SEQ, record })
  })

  it.each([undefined, '*/*'])('is application/json for an older client that accepts %s', async (accept) => {
    const { socket } = await stage({ version: engine29, onRequest: eventsOf29 })
    expect(await ask(socket, '1.44', accept)).toMatchObject({ type: 'application/json', separated: false })
  })

  it.each(TYPES)('is %s for a client of 1.52 before an engine that has one type only', async (type) => {
    const { socket } = await stage({ onRequest: eventsOf28 }, ['--announce-api', '1.53'])
    expect(await ask(socket, '1.53', type)).toEqual({ type, separated: type === JSON_SEQ, record: RECORD })
  })

  it('is the engines’ own choice for a Go client, which sends a header for each of two types', async () => {
    const { socket } = await stage({ onRequest: eventsOf28 }, ['--announce-api', '1.52'])
    const told = await ask(socket, '1.52', [JSON_SEQ, 'application/x-ndjson'])
    expect(told).toEqual({ type: 'application/x-ndjson', separated: false, record: RECORD })
  })
})
