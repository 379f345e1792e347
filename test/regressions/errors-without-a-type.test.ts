import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

/** Podman 5.4 answers a failed pull with JSON that has no Content-Type: clients showed `{"message":"…"}` to people. */
describe('an error that does not say that it is JSON', () => {
  const stage = stages()

  it.each([
    ['1.44', 'application/json', '{"message":"connection refused"}\n'],
    ['1.22', 'text/plain; charset=utf-8', 'connection refused\n'],
  ])('reaches a client of %s as %s', async (version, type, text) => {
    const { socket } = await stage({
      onRequest: (_req, res) => res.writeHead(500).end('{"message":"connection refused"}\n'),
    })
    const reply = await call(socket, `/v${version}/images/create?fromImage=x`, { method: 'POST' })
    expect([reply.status, reply.headers['content-type'], reply.text]).toEqual([500, type, text])
  })

  it.each([
    ['1.44', 'application/json', '{"message":"no such host"}\n'],
    ['1.22', 'text/plain; charset=utf-8', 'no such host\n'],
  ])(
    'and is a record of progress, as of a push that failed on Podman, is an error for %s',
    async (version, type, text) => {
      const errorDetail = { message: 'no such host' }
      for (const record of [{ errorDetail }, { errorDetail, error: errorDetail.message }]) {
        for (const said of [{}, { 'Content-Type': 'application/json' }]) {
          const { socket } = await stage({
            onRequest: (_req, res) => res.writeHead(500, said).end(JSON.stringify(record)),
          })
          const headers = { 'X-Registry-Auth': 'e30=' }
          const reply = await call(socket, `/v${version}/images/localhost:5000/a/push`, { method: 'POST', headers })
          expect([reply.status, reply.headers['content-type'], reply.text]).toEqual([500, type, text])
        }
      }
    },
  )

  it('stays as it came when it is none', async () => {
    const { socket } = await stage({ onRequest: (_req, res) => res.writeHead(500).end('{oops') })
    const reply = await call(socket, '/v1.44/images/create?fromImage=x', { method: 'POST' })
    expect([reply.headers['content-type'], reply.text]).toEqual([undefined, '{oops'])
  })
})
