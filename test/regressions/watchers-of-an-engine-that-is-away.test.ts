import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const make = stages()

/** fluent-bit's in_docker_events waits only after a failed connect: it asked 1,800 times a second, each call on record. */
it('a watcher of events is told after a second that the engine is away, any other call at once', async () => {
  const { socket } = await make.bridge(join(make.folder(), 'none.sock'))
  const begun = performance.now()
  expect(await call(socket, '/v1.24/info')).toMatchObject({ status: 503 })
  expect(performance.now() - begun).toBeLessThan(900)
  const asked = performance.now()
  expect(await call(socket, '/events')).toMatchObject({ status: 503 })
  expect(performance.now() - asked).toBeGreaterThan(900)
})
