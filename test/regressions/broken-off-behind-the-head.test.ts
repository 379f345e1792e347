import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { RawConnection } from '../support/client.ts'

const stage = stages()

/** A head that says a length waits for its body: one whose body never came was lost with it, and the client had no answer at all. */
it.each([
  ['GET', '/containers/web/logs?stdout=1'],
  ['PUT', '/containers/web/archive?path=/'],
])('the head of an answer goes to the client when the engine breaks off behind it: %s %s', async (method, path) => {
  const { socket } = await stage({
    onRequest: (req, res) => {
      req.resume()
      res.writeHead(200, { 'Content-Length': '400' })
      res.flushHeaders()
      setTimeout(() => res.destroy(), 50) // in a packet of its own
    },
  })
  const client = new RawConnection(socket)
  client.send(`${method} /v1.44${path} HTTP/1.1\r\nHost: d\r\nContent-Length: 0\r\n\r\n`)
  const text = await client.untilEnd(20_000)
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(text).toContain('Content-Length: 400\r\n')
  expect(text.endsWith('\r\n\r\n')).toBe(true)
})
