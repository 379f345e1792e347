import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import type { Script } from '../support/scripted-engine.ts'

const EXACT = '1755900000123456789'
/** The same number after Go has written it as a float64. */
const ROUNDED = '1755900000123456800'
const ACTOR = '"Actor":{"ID":"c1","Attributes":{"image":"busybox","name":"web"}}'
const record = (timeNano: string, legacy = ''): string =>
  `{${legacy}"Type":"container","Action":"start",${ACTOR},"scope":"local","time":1755900000,"timeNano":${timeNano}}\n`

/** Engine 29 passes events for clients below 1.52 through a map of floats (system_routes.go:getEvents, observed on 29.8). */
const engine29: Script = {
  version: { ApiVersion: '1.56', MinAPIVersion: '1.40', Version: '29.8.0', Os: 'linux', Arch: 'amd64' },
  onRequest: (req, res) => {
    const minor = Number(/^\/v1\.(\d+)\/events/.exec(req.url ?? '')?.[1])
    const [type, body] =
      minor >= 52
        ? ['application/jsonl', record(EXACT)]
        : ['application/json', record(ROUNDED, '"status":"start","id":"c1","from":"busybox",')]
    res.writeHead(200, { 'Content-Type': type }).end(body)
  },
}

describe('the nanoseconds of an event of engine 29', () => {
  const stage = stages()

  it.each(['1.24', '1.41', '1.51'])('are exact to a client of %s, beside status, id and from', async (version) => {
    const { socket } = await stage(engine29)
    const { text, headers } = await call(socket, `/v${version}/events?since=1&until=2`)
    expect(text).toContain(`"timeNano":${EXACT}`)
    expect(JSON.parse(text)).toMatchObject({ status: 'start', id: 'c1', from: 'busybox', Action: 'start' })
    expect(headers['content-type']).toBe('application/json')
  })

  it('are exact to a client of 1.52 too, which gets the record as the engine wrote it', async () => {
    const { socket } = await stage(engine29)
    expect((await call(socket, '/v1.52/events?since=1&until=2')).text).toBe(record(EXACT))
  })
})
