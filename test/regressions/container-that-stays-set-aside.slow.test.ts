import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import { DockerLike } from '../support/docker-like.ts'

const make = stages()
const headers = { 'Content-Type': 'application/json' }

/** Until the engine or the bridge was started again, each start said that another bridge was at it, and to try again. */
it('a container that could not be put back is put back once a start meets it', { timeout: 30_000 }, async () => {
  const engine = new DockerLike()
  const { socket } = await make(engine.script)
  const post = (path: string, body: unknown) =>
    call(socket, path, { method: 'POST', headers, body: JSON.stringify(body) })
  const { Id: id } = JSON.parse((await post('/v1.22/containers/create?name=web', { Image: 'busybox' })).text)
  const start = () => post(`/v1.22/containers/${id}/start`, { Binds: ['/usr:/mnt'] })
  engine.faults.set('POST create', [{ status: 500, message: 'no space' }])
  engine.faults.set('POST rename', ['none', { status: 500, message: 'no space' }])
  expect((await start()).text).toContain('is called enginebridge-set-aside-')
  await expect.poll(async () => (await start()).status, { timeout: 25_000, interval: 500 }).toBe(204)
  expect(engine.held).toMatchObject([{ Name: '/web', running: true, HostConfig: { Binds: ['/usr:/mnt'] } }])
})
