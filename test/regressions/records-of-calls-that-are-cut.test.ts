import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { RawConnection } from '../support/client.ts'

/**
 * What was still open after the grace period was cut, and the bridge was closed at once, its audit log with it: the ends of
 * those calls came to a file that was closed already (EBADF), and were lost.
 */
describe('calls that are cut when the bridge stops', () => {
  const stage = stages()
  const TUNNELS = 40

  it('have their ends in the audit log by the time the bridge has stopped', async () => {
    const { bridge, socket, audit } = await stage({
      onUpgrade: (_req, engine) => {
        engine.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
        engine.resume().on('error', () => engine.destroy())
      },
    })
    const clients = Array.from({ length: TUNNELS }, () => new RawConnection(socket))
    for (const client of clients)
      client.send(
        'POST /v1.44/containers/web/attach?stream=1 HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n',
      )
    await Promise.all(clients.map((client) => client.until((text) => text.includes('101'))))
    await bridge.close()
    expect(audit.filter((record) => record['stage'] === 'complete')).toHaveLength(TUNNELS)
  })
})
