import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { RawConnection } from '../support/client.ts'

const HEAD =
  'HTTP/1.1 101 UPGRADED\r\nContent-Type: application/vnd.docker.multiplexed-stream\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'

/**
 * The engine is always asked with Upgrade, and from 1.42 on it then names the stream multiplexed. A client that asked
 * without gets `raw-stream` from every engine, and got the other name through the bridge (29: exec-start, exec-start-upgrade).
 */
describe('a client of 1.44 that takes the connection over', () => {
  const stage = stages()

  it.each([
    ['without Upgrade is told a raw stream', '', 'raw'],
    ['with Upgrade is told what the engine said', 'Connection: Upgrade\r\nUpgrade: tcp\r\n', 'multiplexed'],
  ])('%s', async (_how, headers, kind) => {
    const { socket } = await stage({ onUpgrade: (_req, duplex) => duplex.end(`${HEAD}bye`) })
    const client = new RawConnection(socket)
    client.send(`POST /v1.44/containers/x/attach?stream=1 HTTP/1.1\r\nHost: d\r\n${headers}Content-Length: 0\r\n\r\n`)
    const text = await client.until((seen) => seen.endsWith('bye'))
    expect(text).toContain(`\r\nContent-Type: application/vnd.docker.${kind}-stream\r\n`)
  })
})
