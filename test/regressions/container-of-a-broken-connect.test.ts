import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const make = stages()
const headers = { 'Content-Type': 'application/json' }
const body = JSON.stringify({ Image: 'x', NetworkingConfig: { EndpointsConfig: { a: {}, b: {} } } })

/** A create whose second network could not be joined removed its container only if the engine said so: else it stayed. */
it.each([
  ['breaks off', undefined, 204, 502, /^(?!.*left over)/],
  ['breaks off, and so does the removal', undefined, undefined, 502, /container c1 is left over/],
  ['is refused, and so is the removal', 500, 500, 500, /no b.*container c1 is left over: no b/],
])(
  'the container of a create goes when the connect to its second network %s',
  async (_what, joins, removes, status, says) => {
    const { socket, engine } = await make(
      {
        version: { ApiVersion: '1.43', MinAPIVersion: '1.12', Version: '24.0.7', Os: 'linux', Arch: 'amd64' },
        onRequest: (req, res) => {
          const answered = req.method === 'DELETE' ? removes : req.url?.includes('/connect') ? joins : 201
          if (answered === undefined) req.socket.destroy()
          else res.writeHead(answered, headers).end(answered === 204 ? undefined : '{"Id":"c1","message":"no b"}')
        },
      },
      ['--announce-api', '1.44'],
    )
    const reply = await call(socket, '/v1.44/containers/create', { method: 'POST', headers, body })
    expect([reply.status, reply.text]).toEqual([status, expect.stringMatching(says)])
    expect(engine.seen.at(-1)).toBe('DELETE /v1.43/containers/c1?v=1&force=1')
  },
)
