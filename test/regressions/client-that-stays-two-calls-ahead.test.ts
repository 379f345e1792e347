import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { RawConnection } from '../support/client.ts'

const stage = stages()
const PING = 'GET /v1.44/_ping HTTP/1.1\r\nHost: d\r\n\r\n'
const CALLS = 250

/** The count of calls written ahead never went down: a connection that always had a call waiting was cut at its 101st. */
it('a client that writes each call before the answer to the one before is served for as long as it goes on', async () => {
  const { engine, socket } = await stage({ onRequest: (_req, res) => void res.end('OK') })
  const client = new RawConnection(socket)
  client.send(PING)
  for (let answered = 0; answered < CALLS; answered++) {
    client.send(PING)
    await client.until((text) => text.split('HTTP/1.1 200').length - 1 > answered)
  }
  expect(engine.seen.length).toBeGreaterThanOrEqual(CALLS)
  client.socket.destroy()
})
