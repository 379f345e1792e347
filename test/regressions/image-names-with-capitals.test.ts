import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

/**
 * `docker inspect FooBar` of a command line 17.06, for which engines of its age said 404, printed the words of engine 28.5 in
 * place of `No such object` (moby integration-cli, TestInspectInvalidReference).
 */
describe('the error for a name of an image with capitals', () => {
  const stage = stages()
  const said = 'invalid reference format: repository name (library/FooBar) must be lowercase'
  const before = 'invalid reference format: repository name must be lowercase'

  it.each([
    ['1.24', 404, 'No such image: FooBar'],
    ['1.31', 404, `no such image: FooBar: ${before}`],
    ['1.32', 400, `no such image: FooBar: ${before}`],
    ['1.41', 400, `no such image: FooBar: ${before}`],
    ['1.43', 400, before],
    ['1.44', 400, said],
  ])('is that of the engines of a client of %s: %i %s', async (version, status, message) => {
    const { socket } = await stage({
      onRequest: (_req, res) =>
        res.writeHead(400, { 'Content-Type': 'application/json' }).end(JSON.stringify({ message: said })),
    })
    const reply = await call(socket, `/v${version}/images/FooBar/json`)
    expect([reply.status, JSON.parse(reply.text)]).toEqual([status, { message }])
  })
})
