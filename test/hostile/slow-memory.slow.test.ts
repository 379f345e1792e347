import net from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { eventually } from '../support/client.ts'
import { memoryOf, PROBED } from '../support/memory.ts'
import { bridgeProcess, type Process } from '../support/processes.ts'
import { answer, RawEngine } from '../support/raw-engine.ts'
import { socketFolder } from '../support/scripted-engine.ts'

const CLIENTS = 2000
/** All of it: objects, buffers, and what Node and the allocator hold for a socket. */
const MAX_BYTES = 20_000
/** The kernel lets no more connections wait to be accepted at a unix socket. */
const AT_ONCE = 100
/** So that what is compiled and cached once is not taken for theirs. */
const WARM_UP = 300

const HALF_A_HEAD = `GET /v1.44/containers/json HTTP/1.1\r\nHost: d\r\nUser-Agent: ${'slow'.repeat(100)}\r\nX-`
const HALF_A_BODY =
  'POST /v1.44/containers/create HTTP/1.1\r\nHost: d\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{"Image":'

it.each([
  ['that have written half of a head', HALF_A_HEAD],
  ['that have written half of a body that is read whole', HALF_A_BODY],
])(
  '2,000 clients %s cost no more than 20 KB each',
  async (_what, text) => {
    const patient = ['--header-timeout', '300s', '--body-timeout', '300s']
    await beforeEngine(answer('200 OK', '', '{}'), patient, async (bridge, socket) => {
      const first = await slowClients(bridge, socket, text, WARM_UP)
      const before = await memoryOf(bridge)
      const clients = await slowClients(bridge, socket, text, CLIENTS)
      const after = await memoryOf(bridge)
      expect(bridge.sockets, 'all of them are connected').toBeGreaterThan(WARM_UP + CLIENTS)
      const each = (after.rss - before.rss) / CLIENTS
      const objects = (after.heapUsed + after.external - before.heapUsed - before.external) / CLIENTS
      console.log(`a slow client: ${each.toFixed(0)} bytes resident, ${objects.toFixed(0)} of objects and buffers`)
      expect(each).toBeLessThan(MAX_BYTES)
      for (const client of [...first, ...clients]) client.destroy()
    })
  },
  120_000,
)

const READERS = 50
/** One read of the engine's bytes, its copy that waits to be written, and the objects of a call. */
const MAX_UNREAD_BYTES = 500_000
const SINGLE_BYTES = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(200_000)}`

it('clients that do not read what an engine sends in single bytes cost no more than 500 KB each', async () => {
  await beforeEngine(SINGLE_BYTES, [], async (bridge, socket, engine) => {
    const call = 'GET /v1.44/containers/x/logs?stdout=1 HTTP/1.1\r\nHost: d\r\n\r\n'
    const first = await slowClients(bridge, socket, call, 1)
    const before = await objectsAtRest(bridge)
    const clients = await slowClients(bridge, socket, call, READERS)
    await eventually(() => engine.requests.length === 1 + READERS, 'all have asked')
    const each = ((await objectsAtRest(bridge)) - before) / READERS
    console.log(`a client that does not read single bytes: ${each.toFixed(0)} bytes of objects and buffers`)
    expect(each).toBeLessThan(MAX_UNREAD_BYTES)
    for (const client of [...first, ...clients]) client.destroy()
  })
}, 120_000)

/** A bridge whose memory can be measured, before an engine that always gives the same response. */
async function beforeEngine(
  response: string,
  flags: readonly string[],
  measure: (bridge: Process, socket: string, engine: RawEngine) => Promise<void>,
): Promise<void> {
  const folder = await socketFolder()
  const engine = new RawEngine(join(folder.path, 'engine.sock'), () => response)
  await engine.listen()
  const socket = join(folder.path, 'bridge.sock')
  const bridge = await bridgeProcess(socket, engine.socket, ['--audit-log', 'off', ...flags], undefined, PROBED)
  try {
    await measure(bridge, socket, engine)
  } finally {
    await bridge.kill()
    await engine.close()
    await folder.remove()
  }
}

/** Bytes, once nothing is read or written any more. */
async function objectsAtRest(bridge: Process): Promise<number> {
  for (let before = 0; ; ) {
    const { heapUsed, external } = await memoryOf(bridge)
    const now = heapUsed + external
    if (Math.abs(now - before) < 500_000) return now
    before = now
    await sleep(2_000)
  }
}

/** Connected, with so much of a request written. */
async function slowClients(bridge: Process, path: string, text: string, count: number): Promise<net.Socket[]> {
  const before = bridge.sockets - 1
  const clients: net.Socket[] = []
  while (clients.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - clients.length) }, () => net.connect(path))
    for (const client of some) client.on('error', () => client.destroy())
    for (const client of some) client.write(text)
    clients.push(...some)
    await eventually(() => bridge.sockets > before + clients.length, 'they are accepted', 60_000)
  }
  return clients
}
