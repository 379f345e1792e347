import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { Client } from './support/client.ts'
import { asLegacyClients, onEngines, withBridge } from './support/suites.ts'
import { tar } from './support/tar.ts'
import type { Wire } from './support/wire.ts'

const PATIENCE_MS = 15_000

/** Waits until `read` gives `wanted`, or gives what it was at last. */
async function settled<T>(read: () => T | Promise<T>, wanted: T): Promise<T> {
  let value = await read()
  for (const end = performance.now() + PATIENCE_MS; value !== wanted && performance.now() < end; value = await read())
    await sleep(50)
  return value
}

await onEngines(['20.10', '28.5-min1.44'], (engine) => {
  const { socket, get } = withBridge(engine, [])

  test('a thousand abandoned events calls leave no connection behind', async () => {
    const client = new Client(socket, '1.22')
    await client.get('/version')
    const before = get().openSockets()
    for (let round = 0; round < 10; round++) {
      const wires: Wire[] = []
      for (let i = 0; i < 100; i++) wires.push(client.send('GET', '/events'))
      await Promise.all(wires.map((wire) => wire.head()))
      for (const wire of wires) wire.leave()
    }
    await settled(() => get().openSockets() <= before, true)
    expect(get().openSockets()).toBeLessThanOrEqual(before)
  })

  test.each(['1.18', '1.41'])('a client of %s that leaves a build ends it', async (version) => {
    const client = new Client(socket, version)
    const mark = `abandoned-${version}-${process.pid}`
    const bytes = tar({ Dockerfile: `FROM busybox\nRUN echo ${mark}; sleep 600\n` })
    const wire = client.send('POST', '/build?rm=1&forcerm=1', { bytes, type: 'application/tar' })
    const direct = Client.ofEngine(engine.socket)
    const runs = async (): Promise<boolean> => (await direct.get('/containers/json')).text.includes(mark)
    expect(await settled(runs, true)).toBe(true)
    wire.leave()
    expect(await settled(runs, false)).toBe(false)
  })

  describe('with a container that is silent', () => {
    const client = new Client(socket, '1.22')
    let id = ''
    beforeAll(async () => {
      id = await client.run({ Cmd: ['sleep', '600'] })
    })

    test.each([
      ['GET', 'logs?stdout=1&follow=1'],
      ['GET', 'stats'],
      ['POST', 'wait'],
    ])('clients that leave %s %s leave no connection behind', async (method, path) => {
      const before = get().openSockets()
      const wires = Array.from({ length: 50 }, () => client.send(method, `/containers/${id}/${path}`))
      await settled(async () => (await get().openCalls()) === 50, true)
      for (const wire of wires) wire.leave()
      expect(await settled(() => get().openCalls(), 0)).toBe(0)
      // A few connections to the engine may be kept for the next calls.
      await settled(() => get().openSockets() <= before + 5, true)
      expect(get().openSockets()).toBeLessThanOrEqual(before + 5)
    })
  })

  // Closing a unix socket looks like a half-close until somebody writes to it: to the bridge as to the engine itself.
  test.each(['upgrade', 'plain'] as const)(
    'a client that leaves attach (%s) is let go with the next output',
    async (how) => {
      const client = new Client(socket, '1.22')
      const id = await client.run({ Cmd: ['sh', '-c', 'while :; do echo tick; sleep 0.2; done'] })
      const { wire } = await client.hijack(`/containers/${id}/attach?stream=1&stdout=1`, how)
      await wire.through('tick')
      wire.leave()
      expect(await settled(() => get().openCalls(), 0)).toBe(0)
    },
  )
})

await asLegacyClients({ '28.5-min1.44': ['1.18'], '20.10': ['1.18'] }, ({ client, bridge }) => {
  test('the audit record says that the client left', async () => {
    const wire = client.send('GET', '/events')
    await wire.head()
    wire.leave()
    const left = (): boolean =>
      bridge()
        .audit()
        .some(({ operation, endedBy }) => operation === 'SystemEvents' && endedBy === 'client')
    expect(await settled(left, true)).toBe(true)
  })
})
