import { expect, test } from 'vitest'
import { bridgeTo } from './support/bridge.ts'
import { Client } from './support/client.ts'
import { onEngines } from './support/suites.ts'

await onEngines(['28.5'], (engine) => {
  test('a container that one worker made anew goes by its old id in all of them at once', async () => {
    const bridge = await bridgeTo(engine.socket, ['--workers', '3'])
    const direct = Client.ofEngine(engine.socket)
    const name = `workers-${process.pid}`
    try {
      // A connection a call: the workers take them in turn.
      const client = new Client(bridge.socket, '1.22')
      const id = await client.create({ Cmd: ['sleep', '600'] }, name)
      expect((await client.post(`/containers/${id}/start`, { Binds: ['/usr:/mnt:ro'] })).said).toBe('204 ')
      const seen = []
      for (let i = 0; i < 6; i++) {
        const inspected = await client.get(`/containers/${id}/json`)
        seen.push([inspected.status, inspected.at('Id'), inspected.at('HostConfig', 'Binds')])
      }
      expect(seen).toEqual(Array.from({ length: 6 }, () => [200, id, ['/usr:/mnt:ro']]))
      expect((await direct.get(`/containers/${name}/json`)).at('Id')).not.toBe(id)
      const lists = await Promise.all([1, 2, 3].map(() => client.get('/containers/json')))
      for (const list of lists) expect(list.text).toContain(id)
    } finally {
      await direct.delete(`/containers/${name}?force=1`)
      await bridge.stop()
    }
  })
})
