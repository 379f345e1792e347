import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bridgeSocket } from './support/bridge.ts'
import { Client } from './support/client.ts'
import { onEngines, withBridge } from './support/suites.ts'

/** A relay to an engine on a socket of its own, which notes the path of each call. */
function noted(engine: string, asked: string[]): Server {
  return createServer((client) => {
    const upstream = connect(engine)
    client.on('data', (chunk) => {
      for (const [, path] of chunk.toString('latin1').matchAll(/^[A-Z]+ (\/\S*) HTTP\/1\.1\r$/gm))
        asked.push(String(path))
    })
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
}

// Each call of 1.19 to 1.21 once asked the engine twice and took 0.8 ms more (0.2 since); a clock cannot hold that here,
// beside other tests: `npm run bench` times it.
await onEngines(['20.10'], (engine) => {
  const asked: string[] = []
  const relay = noted(engine.socket, asked)
  const between = bridgeSocket()
  beforeAll(async () => {
    relay.listen(between)
    await once(relay, 'listening')
  })
  afterAll(() => relay.close()) // after the bridge's, which comes later
  const { socket } = withBridge({ ...engine, socket: between }, [])

  test.each(['1.19', '1.20', '1.21'])('an inspect of a %s client asks the engine once', async (version) => {
    const client = new Client(socket, version)
    const id = await client.run({ Cmd: ['sleep', '600'] })
    await client.get(`/containers/${id}/json`)
    asked.length = 0
    for (let i = 0; i < 5; i++) expect((await client.get(`/containers/${id}/json`)).status).toBe(200)
    expect(asked.filter((path) => !/_ping|\/version|\/events/.test(path))).toHaveLength(5)
  })
})
