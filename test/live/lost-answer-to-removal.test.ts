import net from 'node:net'
import { expect, test } from 'vitest'
import { bridgeSocket, LiveBridge } from './support/bridge.ts'
import { Client } from './support/client.ts'
import { onEngines } from './support/suites.ts'

/** Passes all, but for the answers to the first request of each kind, whose connections break. */
async function lossyWire(socket: string, engine: string, lost: readonly RegExp[]): Promise<net.Server> {
  const due = [...lost]
  const server = net.createServer((near) => {
    const far = net.connect(engine)
    let isLost = false
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => one.destroy()).on('close', () => other.destroy())
    near.on('data', (chunk) => {
      if (due[0]?.test(chunk.toString('latin1'))) isLost = due.shift() !== undefined
      far.write(chunk)
    })
    far.on('data', (chunk) => (isLost ? near.destroy() : near.write(chunk)))
  })
  await new Promise<void>((listening) => server.listen(socket, listening))
  return server
}

/** Both were removed: the old one by the engine, and then the new one, because the old one was to be put back. */
await onEngines(['20.10'], (engine) => {
  test('a container made anew stays when the answers to the removal of the old one are lost', async () => {
    const between = bridgeSocket()
    const asks = /^GET \S+\/containers\/\S+\/json/
    // A question is asked again when a kept connection breaks.
    const wire = await lossyWire(between, engine.socket, [/^DELETE \S+\/containers\//, asks, asks])
    const bridge = new LiveBridge(bridgeSocket(), between, ['--engine-api', '1.41'])
    const client = new Client(bridge.socket, '1.22')
    const direct = Client.ofEngine(engine.socket)
    const name = `lost-removal-${process.pid}`
    try {
      await bridge.ready()
      const id = await direct.create({ Cmd: ['sleep', '600'] }, name)
      const reply = await client.post(`/containers/${id}/start`, { Binds: ['/usr:/mnt:ro'] })
      expect(reply.status).toBe(502)
      expect(reply.text).toContain('the one made in its stead stays')
      expect((await client.get(`/containers/${id}/json`)).at('Name')).toBe(`/${name}`)
      expect((await client.post(`/containers/${id}/start`, { Binds: ['/usr:/mnt:ro'] })).said).toBe('204 ')
    } finally {
      await direct.delete(`/containers/${name}?force=1&v=1`)
      await bridge.stop()
      wire.close()
    }
  })
})
