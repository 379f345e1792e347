import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const NO_TYPE = { 'Content-Type': [] } // none at all

/**
 * A body that came without its type got one when it was written anew, so that the engine took what it and the engines of
 * the client's version refuse. What stands behind a body's JSON was taken off for clients from 1.42 on too, whose engines
 * (23.0 and later) refuse it: `unexpected content after JSON`.
 */
describe('a body that is written anew', () => {
  const stage = stages()

  async function forwarded(path: string, headers: OutgoingHttpHeaders, body: string): Promise<[string, unknown]> {
    const asked: [string, unknown][] = []
    const { socket } = await stage({
      onRequest: async (req: IncomingMessage, res) => {
        const chunks: Buffer[] = []
        for await (const chunk of req) chunks.push(chunk)
        if (req.method === 'POST') asked.push([Buffer.concat(chunks).toString(), req.headers['content-type']])
        res.writeHead(201, JSON_TYPE).end('{"Id":"c1","Warnings":[]}')
      },
    })
    await call(socket, path, { method: 'POST', headers, body })
    expect(asked).toHaveLength(1)
    return asked[0] ?? ['', undefined]
  }

  it.each(['1.22', '1.44'])('has no type when it came without one, from a client of %s', async (version) => {
    const [body, type] = await forwarded(
      `/v${version}/containers/create`,
      NO_TYPE,
      '{"image":"busybox","Cmd":["true"]}',
    )
    expect(body).toMatch(/"Image":"busybox"/)
    expect(type).toBeUndefined()
  })

  it.each(['1.42', '1.44'])('keeps what stands behind its JSON, from a client of %s', async (version) => {
    const [body] = await forwarded(`/v${version}/containers/create`, JSON_TYPE, '{"image":"busybox"} {"x":1}')
    expect(body).toMatch(/"Image":"busybox".*\} \{"x":1\}$/)
  })

  it('is refused with something behind its JSON where an engine up to 20.10 would not look', async () => {
    const version = { ApiVersion: '1.41', MinAPIVersion: '1.12', Version: '20.10.24' }
    const { socket, engine } = await stage(
      { version, onRequest: (_req, res) => res.writeHead(201, JSON_TYPE).end('{"Id":"c1","Warnings":[]}') },
      ['--announce-api', '1.44'],
    )
    const create = (behind: string) =>
      call(socket, '/v1.44/containers/create', { method: 'POST', headers: JSON_TYPE, body: `{"Image":"i"}${behind}` })
    const refused = await create(' {"x":1}')
    expect([refused.status, refused.text]).toEqual([400, '{"message":"unexpected content after JSON"}\n'])
    expect(engine.seen).toEqual([])
    expect((await create(' }')).status).toBe(201) // Go's Decoder.More
  })

  it.each(['1.22', '1.41'])('ends where its JSON ends, from a client of %s', async (version) => {
    const [body] = await forwarded(`/v${version}/containers/create`, JSON_TYPE, '{"Image":"busybox"} {"x":1}')
    expect(JSON.parse(body)).toMatchObject({ Image: 'busybox' })
  })
})
