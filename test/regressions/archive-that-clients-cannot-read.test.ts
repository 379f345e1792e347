import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const make = stages()

/** Engines from 18.06 on compress it. docker-java of that time asked for that, and read the compressed bytes as a tar. */
it.each([
  ['1.24', undefined],
  ['1.37', undefined],
  ['1.38', 'gzip'],
])('an archive is compressed for clients whose engines did so: %s', async (version, encoding) => {
  const { socket } = await make({
    onRequest: (req, res) => {
      const asked = req.headers['accept-encoding']
      res.writeHead(200, { 'Content-Type': 'application/x-tar', ...(asked ? { 'Content-Encoding': asked } : {}) })
      res.end(asked ? gzipSync('tar') : 'tar')
    },
  })
  const path = `/v${version}/containers/c/archive?path=/x`
  const { headers } = await call(socket, path, { headers: { 'Accept-Encoding': 'gzip' } })
  expect(headers['content-encoding']).toBe(encoding)
})
