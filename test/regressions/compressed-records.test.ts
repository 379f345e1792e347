import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const make = stages()

/** Records that a proxy before the engine had compressed were cut at each byte that looks like a bracket, under a 200. */
it.each(['1.21', '1.51'])(
  'records that come compressed are not asked for so, and are an error: %s',
  async (version) => {
    const asked: unknown[] = []
    const { socket } = await make({
      onRequest: (req, res) => {
        asked.push(req.headers['accept-encoding'])
        res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
        res.end(gzipSync('{"status":"start","id":"a","Type":"container","Action":"start"}\n'))
      },
    })
    const reply = await call(socket, `/v${version}/events?until=1`, { headers: { 'Accept-Encoding': 'gzip' } })
    expect(asked).toEqual([undefined])
    expect([reply.status, reply.text]).toEqual([
      502,
      expect.stringContaining('compressed response that was not requested'),
    ])
  },
)
