import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

/**
 * A client that asks for what came after its version gets it, as from every real engine that has the endpoint: Docker
 * registers its routes without regard to the version (1.12.6 lists volumes at `/v1.18/volumes`). The conformance scenarios
 * leave such calls out, because no engine of the client’s age could be their measure.
 */
describe('an endpoint that is newer than the client', () => {
  const stage = stages()

  it.each([
    ['GET', '/v1.18/volumes', '/v1.44/volumes'],
    ['GET', '/v1.20/networks', '/v1.44/networks'],
    ['GET', '/v1.19/containers/web/archive?path=/x', '/v1.44/containers/web/archive?path=/x'],
    ['POST', '/v1.21/containers/web/update', '/v1.44/containers/web/update'],
    ['HEAD', '/v1.18/_ping', '/v1.44/_ping'],
  ])('is passed on: %s %s', async (method, asked, forwarded) => {
    const { socket, engine, audit } = await stage({ onRequest: (_req, res) => res.writeHead(404).end() })
    await call(socket, asked, { method })
    expect(engine.seen).toContain(`${method} ${forwarded}`)
    await expect.poll(() => audit.at(-1)?.['stage']).toBe('complete')
  })
})
