import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, eventually, RawConnection } from '../support/client.ts'
import { engineProcess, ledgerOf, type Process } from '../support/processes.ts'
import { tally } from '../support/tally.ts'

tally('faults of the engine')

describe('an engine that', () => {
  const stage = stages()
  const engines: Process[] = []
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.kill()
  })
  const socket = (): string => join(stage.folder(), 'engine.sock')
  const ledger = (): string => join(stage.folder(), 'ledger')
  async function start(api?: string): Promise<Process> {
    const engine = await engineProcess(socket(), ledger(), api)
    engines.push(engine)
    return engine
  }

  it('is killed and started again is served again, and is not reached in between', async () => {
    const engine = await start()
    const bridge = await stage.bridge(socket())
    expect((await call(bridge.socket, '/v1.44/_ping')).status).toBe(200)
    await engine.kill()
    const gone = await call(bridge.socket, '/v1.44/containers/x/kill?id=1', { method: 'POST' })
    expect([gone.status, gone.headers['enginebridge-error']]).toEqual([503, 'engine-unknown'])
    expect((await call(bridge.socket, '/v1.18/info')).text).toMatch(
      /^cannot learn the engine's version: cannot reach .*\n$/,
    )
    await start()
    expect((await call(bridge.socket, '/v1.44/containers/x/kill?id=2', { method: 'POST' })).status).toBe(204)
    expect(ledgerOf(ledger()).filter((line) => line.includes('/kill'))).toEqual(['POST /v1.44/containers/x/kill?id=2'])
  })

  it('is killed in the middle of a change gets it once: 502, and no second try when it is back', async () => {
    const engine = await start()
    const bridge = await stage.bridge(socket())
    const broken = call(bridge.socket, '/v1.44/containers/never/stop', { method: 'POST' })
    await eventually(() => ledgerOf(ledger()).length === 1, 'the call has reached the engine')
    await engine.kill()
    const { status, headers } = await broken
    expect([status, headers['enginebridge-error']]).toEqual([502, 'engine-broke-off'])
    await start()
    expect((await call(bridge.socket, '/v1.44/_ping')).status).toBe(200)
    expect(ledgerOf(ledger())).toEqual(['POST /v1.44/containers/never/stop', 'GET /v1.44/_ping'])
    expect(bridge.audit.filter(({ stage: at }) => at === 'failed')).toHaveLength(1)
  })

  it.each([
    ['upgraded', '1.41', '1.51', [400, 200]],
    ['downgraded', '1.51', '1.41', [200, 400]],
  ] as const)('is %s is spoken to at what it speaks now', async (_what, before, after, statuses) => {
    const engine = await start(before)
    const bridge = await stage.bridge(socket())
    const first = await call(bridge.socket, '/v1.44/info')
    await engine.kill()
    await start(after)
    const second = await call(bridge.socket, '/v1.44/info')
    expect([first, second].map(({ status }) => (status === 204 ? 200 : status))).toEqual(statuses)
    const refused = first.status === 400 ? first : second
    expect(refused.text).toContain('client version 1.44 is too new. Maximum supported API version is 1.41')
  })

  it('is frozen holds its calls until it goes on, each of them once', async () => {
    const engine = await start()
    const bridge = await stage.bridge(socket())
    await call(bridge.socket, '/v1.44/_ping')
    engine.child.kill('SIGSTOP')
    const answers = [1, 2, 3].map((id) => call(bridge.socket, `/v1.44/containers/x/kill?id=${id}`, { method: 'POST' }))
    const left = new RawConnection(bridge.socket)
    left.send('GET /v1.44/events HTTP/1.1\r\nHost: d\r\n\r\n')
    await eventually(() => bridge.audit.filter(({ stage: at }) => at === 'received').length === 5, 'all are under way')
    left.socket.destroy()
    await eventually(() => bridge.audit.at(-1)?.['endedBy'] === 'client', 'who left while it was frozen is let go')
    engine.child.kill('SIGCONT')
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([204, 204, 204])
    const kills = ledgerOf(ledger()).filter((line) => line.includes('/kill'))
    expect(kills.sort()).toEqual([1, 2, 3].map((id) => `POST /v1.44/containers/x/kill?id=${id}`))
  })

  it('is frozen from the start gets 503 from who waits for its version, and no call', async () => {
    const engine = await start()
    engine.child.kill('SIGSTOP')
    const bridge = await stage.bridge(socket(), ['--answer-timeout', '1s'])
    const answer = await call(bridge.socket, '/v1.44/containers/x/kill', { method: 'POST' })
    expect(answer.status).toBe(503)
    expect(answer.text).toContain('no response to GET /version within 1 s')
    engine.child.kill('SIGCONT')
    await eventually(() => ledgerOf(ledger()).length === 0, 'no call has come')
  })

  it('is replaced at its socket while the old one lives serves new calls when the old one ends', async () => {
    const old = await start('1.41')
    const bridge = await stage.bridge(socket())
    expect((await call(bridge.socket, '/version')).text).toContain('engine 1.41')
    renameSync(socket(), join(stage.folder(), 'moved.sock'))
    await start('1.51')
    await old.kill()
    expect((await call(bridge.socket, '/version')).text).toContain('engine 1.51')
    expect((await call(bridge.socket, '/v1.51/info')).status).toBeLessThan(300)
  })

  it('is cut off in the middle of events ends the stream of its client, and a tunnel', async () => {
    const engine = await start()
    const bridge = await stage.bridge(socket())
    const events = new RawConnection(bridge.socket)
    events.send('GET /v1.18/events HTTP/1.1\r\nHost: d\r\n\r\n')
    await events.until((text) => text.includes('"status":"start"'))
    const tunnel = new RawConnection(bridge.socket)
    tunnel.send(
      'POST /v1.18/containers/x/attach HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\nhello',
    )
    await tunnel.until((text) => text.endsWith('hello'))
    const download = new RawConnection(bridge.socket)
    download.send('GET /v1.44/containers/x/export HTTP/1.1\r\nHost: d\r\n\r\n')
    await download.until((text) => text.includes('xxx'))
    await engine.kill()
    for (const client of [events, tunnel, download]) expect(await client.untilEnd()).not.toMatch(/\r\n0\r\n\r\n$/)
    // An engine that is gone looks like one that has said its last word: the client has its own still to say.
    tunnel.finish()
    const over = (): unknown[] => bridge.audit.filter(({ stage: at }) => at === 'complete' || at === 'failed')
    await eventually(() => over().length === 3, 'all are recorded')
  })
})
