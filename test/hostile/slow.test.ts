import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { eventually, RawConnection } from '../support/client.ts'
import { answer, RawEngine } from '../support/raw-engine.ts'
import { tally } from '../support/tally.ts'

tally('slow clients')

/** A test must not wait for minutes: the limits are what they are by default, but shorter. */
const SHORT = ['--header-timeout', '150ms', '--body-timeout', '150ms']
const JSON_TYPE = 'Content-Type: application/json\r\n'

describe('slow clients', () => {
  const stage = stages()
  let engine: RawEngine
  afterEach(() => engine.close())

  async function started(flags: readonly string[] = SHORT): ReturnType<typeof stage.bridge> {
    engine = new RawEngine(join(stage.folder(), 'raw.sock'), ({ target }) =>
      target.includes('never') ? undefined : answer('200 OK', JSON_TYPE, '{}'),
    )
    await engine.listen()
    return stage.bridge(engine.socket, flags)
  }

  it('get 408 when the head of a request does not come', async () => {
    const { socket } = await started()
    const client = new RawConnection(socket)
    client.send('GET /v1.44/_ping HTTP/1.1\r\nHost')
    expect(await client.untilEnd()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n[\s\S]*request-timeout/)
    expect(engine.seen).toEqual([])
  })

  it('get 408 when a head comes letter by letter', async () => {
    const { socket } = await started()
    const client = new RawConnection(socket)
    client.send('GET /v1.44/_ping HTTP/1.1\r\n')
    const drip = setInterval(() => client.send('a: b\r\n'), 20)
    expect(await client.untilEnd()).toMatch(/^HTTP\/1\.1 408 /)
    clearInterval(drip)
    expect(engine.seen).toEqual([])
  })

  it('are let go when they never say anything, half closed or not, 200 at a time', async () => {
    const { socket } = await started()
    const clients = Array.from({ length: 200 }, () => new RawConnection(socket))
    for (const client of clients.slice(100)) client.finish()
    await Promise.all(clients.map((client) => client.untilEnd(20_000)))
    const next = new RawConnection(socket)
    next.send('GET /v1.44/_ping HTTP/1.1\r\nHost: d\r\nConnection: close\r\n\r\n')
    expect(await next.untilEnd()).toMatch(/^HTTP\/1\.1 200/)
  })

  it.each([
    ['1.44', /^HTTP\/1\.1 408 [\s\S]*\{"message":"no data of the request body for 0.15 s \(--body-timeout\)"\}\n$/],
    [
      '1.18',
      /^HTTP\/1\.1 408 [\s\S]*text\/plain[\s\S]*\r\n\r\nno data of the request body for 0.15 s \(--body-timeout\)\n$/,
    ],
  ])('get 408 in the form of %s when a body that is read whole stops', async (version, expected) => {
    const { socket, audit } = await started()
    const client = new RawConnection(socket)
    client.send(
      `POST /v${version}/containers/create HTTP/1.1\r\nHost: d\r\n${JSON_TYPE}Content-Length: 13\r\n\r\n{"Image`,
    )
    expect(await client.untilEnd()).toMatch(expected)
    expect(engine.seen).toEqual([])
    expect(audit.at(-1)).toMatchObject({ status: 408, error: { code: 'request-timeout' } })
  })

  it('get 408 when the body of an exec start stops', async () => {
    const { socket } = await started()
    const client = new RawConnection(socket)
    client.send(`POST /v1.44/exec/x/start HTTP/1.1\r\nHost: d\r\n${JSON_TYPE}Content-Length: 20\r\n\r\n{"Tty`)
    expect(await client.untilEnd()).toMatch(/^HTTP\/1\.1 408 /)
    expect(engine.seen).toEqual([])
  })

  it('may take their time with a body that goes on coming', async () => {
    const { socket } = await started()
    const client = new RawConnection(socket)
    client.send(`POST /v1.44/containers/create HTTP/1.1\r\nHost: d\r\n${JSON_TYPE}Content-Length: 13\r\n\r\n`)
    for (const letter of '{"Image":"x"}') {
      client.send(letter)
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    await client.until((text) => text.startsWith('HTTP/1.1 200'))
    expect(engine.requests[0]?.bytes).toMatch(/\r\n\r\n\{"Image":"x"\}$/)
  })

  it('who left in the middle of a body that is read whole leave nothing with the engine, and a record', async () => {
    const { socket, audit } = await started([])
    const client = new RawConnection(socket)
    client.send(`POST /v1.44/containers/create HTTP/1.1\r\nHost: d\r\n${JSON_TYPE}Content-Length: 13\r\n\r\n{"Im`)
    await new Promise((resolve) => setTimeout(resolve, 50))
    client.socket.destroy()
    await eventually(() => audit.length === 2, 'the call is recorded')
    expect(engine.seen).toEqual([])
  })

  it('who write calls ahead without end are read no further than a bound', async () => {
    const { socket } = await started([])
    const client = new RawConnection(socket)
    client.send('GET /v1.44/info?never HTTP/1.1\r\nHost: d\r\n\r\n'.repeat(100_000))
    await eventually(() => engine.requests.length === 1, 'the first call is with the engine')
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(client.socket.writableLength).toBeGreaterThan(2 << 20)
    expect(engine.requests.length).toBe(1)
    client.socket.destroy()
  })

  it('get 504 when the engine does not begin its answer within --answer-timeout, but a change is waited for', async () => {
    const { socket } = await started(['--answer-timeout', '100ms'])
    const asks = new RawConnection(socket)
    asks.send('GET /v1.44/info?never HTTP/1.1\r\nHost: d\r\nConnection: close\r\n\r\n')
    const changes = new RawConnection(socket)
    changes.send('POST /v1.44/containers/never/stop HTTP/1.1\r\nHost: d\r\n\r\n')
    expect(await asks.untilEnd()).toMatch(/^HTTP\/1\.1 504 [\s\S]*sent no response within 0.1 s/)
    expect(changes.text).toBe('')
    changes.socket.destroy()
  })
})
