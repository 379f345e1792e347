import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { RawConnection } from '../support/client.ts'

const stage = stages()

/**
 * A request that says neither a length nor chunks has no body, and with Node's optimizeEmptyRequests no stream that ends: the
 * bridge waited for the parameters of a form in one until the body's time was up, and refused the call with 408.
 */
it('a call that names a form as its type, and has no body, is forwarded at once', async () => {
  const { engine, socket } = await stage({ onRequest: (_req, res) => void res.writeHead(204).end() })
  const client = new RawConnection(socket)
  client.send(
    'POST /v1.44/containers/web/stop?t=1 HTTP/1.1\r\nHost: d\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n',
  )
  await client.until((text) => text.startsWith('HTTP/1.1 204'))
  expect(engine.seen).toEqual(['POST /v1.44/containers/web/stop?t=1'])
  client.socket.destroy()
})
