import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import { scriptedEngine } from '../support/scripted-engine.ts'

const make = stages()
const headers = { 'Content-Type': 'application/json' }
const ID = 'c'.repeat(64)
const STOPPED = { Running: false, ExitCode: 3, FinishedAt: '2016-03-10T00:00:00Z' }

/** Containers that an earlier run had promised to remove were looked for once, at the start: where the engine came later, never. */
it('containers with AutoRemove of an earlier run go also when the engine starts after the bridge', async () => {
  const socket = join(make.folder(), 'late.sock')
  const bridge = await make.bridge(socket, ['--announce-api', '1.44'])
  expect((await call(bridge.socket, '/v1.44/info')).status).toBe(503)
  const engine = await scriptedEngine(socket, {
    replacedContainers: 'scripted',
    version: { ApiVersion: '1.22', Version: '1.10.3', Os: 'linux', Arch: 'amd64' },
    onRequest: ({ method, url = '' }, res) => {
      if (url.includes('/events')) res.flushHeaders()
      else if (method === 'DELETE') res.writeHead(204).end()
      else if (url.includes('enginebridge.auto-remove')) res.writeHead(200, headers).end(JSON.stringify([{ Id: ID }]))
      else res.writeHead(200, headers).end(JSON.stringify({ Id: ID, State: STOPPED }))
    },
  })
  onTestFinished(() => engine.close())
  expect((await call(bridge.socket, '/v1.44/info')).status).toBe(200)
  await expect.poll(() => engine.seen).toContain(`DELETE /v1.22/containers/${ID}?v=1`)
})
