import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { AutoRemoval } from '../../src/engine/auto-removal.ts'
import { readFacts } from '../../src/engine/discovery.ts'
import { parseAddress } from '../../src/http/address.ts'
import { Connector } from '../../src/http/engine/connector.ts'
import { EnginePool } from '../../src/http/engine/pool.ts'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const make = stages()
const headers = { 'Content-Type': 'application/json' }
const ID = 'c'.repeat(64)

/** Where the one look or removal after the end of a container failed, the bridge waited for an event that had passed. */
it.each([
  ['look is refused', 'GET', 500],
  ['look breaks off', 'GET', undefined],
  ['removal breaks off', 'DELETE', undefined],
  ['removal breaks off behind it', 'DELETE', 'done'],
])(
  'a container with AutoRemove goes, and its wait ends, when the first %s',
  { timeout: 10_000 },
  async (_what, failing, status) => {
    const listening = new Set<ServerResponse>()
    let [stopped, gone, failed] = [false, false, false]
    const { socket } = await make(
      {
        version: { ApiVersion: '1.22', Version: '1.10.3', Os: 'linux', Arch: 'amd64' },
        onRequest: (req, res) => {
          const { method, url = '' } = req
          const isOf = url.includes(ID)
          if (url.includes('/events')) {
            res.flushHeaders()
            listening.add(res)
            res.on('close', () => listening.delete(res))
          } else if (isOf && stopped && method === failing && !failed) {
            failed = true
            gone = status === 'done'
            if (typeof status !== 'number') req.socket.destroy()
            else res.writeHead(status, headers).end('{"message":"no"}')
          } else if (method === 'DELETE') {
            gone = true
            res.writeHead(204).end()
          } else if (url.includes('/create')) res.writeHead(201, headers).end(JSON.stringify({ Id: ID }))
          else {
            const FinishedAt = stopped ? '2016-03-10T00:00:00Z' : '0001-01-01T00:00:00Z'
            const State = { Running: !stopped, ExitCode: 3, FinishedAt }
            res.writeHead(gone ? 404 : 200, headers).end(JSON.stringify({ Id: ID, State, Config: {}, HostConfig: {} }))
          }
        },
      },
      ['--announce-api', '1.44'],
    )
    const body = JSON.stringify({ Image: 'busybox', HostConfig: { AutoRemove: true } })
    await call(socket, '/v1.44/containers/create', { method: 'POST', headers, body })
    const waiting = call(socket, `/v1.44/containers/${ID}/wait?condition=removed`, { method: 'POST' })
    await expect.poll(() => listening.size).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 100))
    stopped = true
    for (const res of listening) res.write(`${JSON.stringify({ status: 'die', id: ID, time: 1457568000 })}\n`)
    expect(JSON.parse((await waiting).text)).toEqual({ StatusCode: 3 })
    expect([failed, gone]).toEqual([true, true])
  },
)

it('an engine that is away is warned of once for each container with AutoRemove, not each second', async () => {
  const sizes = { 'max-request-body': 9, 'max-response-body': 9, 'max-record': 9, 'max-error-body': 9, 'max-header': 9 }
  const times = { 'header-timeout': 0, 'body-timeout': 0, 'idle-timeout': 0, 'connect-timeout': 0, 'answer-timeout': 0 }
  const limits = { ...sizes, ...times }
  const said: string[] = []
  const log = { info: () => undefined, warn: (_facts: object, words: string) => void said.push(words) }
  const engine = new EnginePool(new Connector(parseAddress(`unix://${join(make.folder(), 'none.sock')}`)), limits)
  const removal = new AutoRemoval({ engine, limits }, log)
  removal.add(readFacts({ ApiVersion: '1.22' }), ID)
  await sleep(2_500)
  removal.close()
  expect(said).toEqual(['cannot inspect a container that is to be removed when it stops'])
})
