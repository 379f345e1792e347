import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, eventually } from '../support/client.ts'

/** One reading of stats was sent in chunks where it was translated; engines send it with a length. */
const TRANSLATED = new Set(['1.19', '1.20', '1.22'])
const READING = {
  ...{ read: '2026-01-01T00:00:00Z', networks: { eth0: { rx_bytes: 1 } }, memory_stats: {}, cpu_stats: {} },
  precpu_stats: {},
}

describe('an answer of one record', () => {
  const stage = stages()

  it.each(['1.19', '1.20', '1.22', '1.40', '1.51'])('has a length: one reading of stats at %s', async (version) => {
    for (const chunked of [false, true]) {
      const { socket, audit } = await stage({
        onRequest: (req, res) => {
          const text = `${JSON.stringify(req.url?.includes('/stats') === true ? READING : {})}\n`
          res.setHeader('Content-Type', 'application/json')
          if (!chunked || !TRANSLATED.has(version))
            // what passes keeps the engine’s own
            res.setHeader('Content-Length', Buffer.byteLength(text))
          res.write(text.slice(0, 20))
          setTimeout(() => res.end(text.slice(20)), 20)
        },
      })
      const reply = await call(socket, `/v${version}/containers/x/stats?stream=false`)
      expect(reply.status).toBe(200)
      expect(reply.headers['transfer-encoding']).toBeUndefined()
      expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(reply.text)))
      expect(JSON.parse(reply.text)).toMatchObject({ read: READING.read })
      await eventually(() => audit.some(({ stage: at }) => at === 'complete'), 'the last record')
      expect(audit.at(-1)).toMatchObject({ status: 200, bytesOut: Buffer.byteLength(reply.text) })
    }
  })

  it('is an error with its status when the engine breaks off within it', async () => {
    const { socket } = await stage({
      onRequest: (req, res) => {
        if (req.url?.includes('/stats') !== true) return void res.end('{}')
        res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' })
        res.write('{"read":')
        setTimeout(() => res.destroy(), 20)
      },
    })
    const reply = await call(socket, '/v1.20/containers/x/stats?stream=0')
    expect(reply.status).toBe(502)
    expect(reply.headers['enginebridge-error']).toBe('engine-broke-off')
  })

  // Engines from 1.7 on obey it at every prefix: docker-api (Ruby) pins 1.16, collectd's docker plugin 1.17, and wait for its end.
  it.each(['1.12', '1.16', '1.18'])('is asked of the engine for a client that pins %s', async (version) => {
    const asked: string[] = []
    const { socket } = await stage({
      onRequest: (req, res) => {
        if (req.url?.includes('/stats') !== true) return void res.end('{}')
        asked.push(new URL(req.url, 'http://engine').search)
        res.writeHead(200, { 'Content-Type': 'application/json' })
        res.end(`${JSON.stringify(READING)}\n`)
      },
    })
    const reply = await call(socket, `/v${version}/containers/x/stats?stream=false&one-shot=1`)
    expect(JSON.parse(reply.text)).toMatchObject({ read: READING.read })
    expect(asked).toEqual(['?stream=false'])
  })
})
