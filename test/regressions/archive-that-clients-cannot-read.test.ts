import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const make = stages()
const GET = { method: 'GET', what: 'archive?path=/x' }
const COPY = { method: 'POST', what: 'copy', body: '{"Resource":"/x"}' }

/** Engines from 18.06 on compress it. docker-java of that time asked for that, and read the compressed bytes as a tar. */
it.each([
  ['1.18', COPY, undefined],
  ['1.37', GET, undefined],
  ['1.38', GET, 'gzip'],
])(
  'an archive is compressed for clients whose engines did so: %s, %j',
  async (version, { what, ...asked }, encoding) => {
    const { socket } = await make({
      onRequest: (req, res) => {
        const accepted = req.headers['accept-encoding']
        res.writeHead(200, {
          'Content-Type': 'application/x-tar',
          ...(accepted ? { 'Content-Encoding': accepted } : {}),
        })
        res.end(accepted ? gzipSync('tar') : 'tar')
      },
    })
    const headers = { 'Accept-Encoding': 'gzip', 'Content-Type': 'application/json' }
    const reply = await call(socket, `/v${version}/containers/c/${what}`, { ...asked, headers })
    expect([reply.status, reply.headers['content-encoding']]).toEqual([200, encoding])
  },
)
