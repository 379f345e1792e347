import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

/** They waited for ever, whatever --answer-timeout said, and each held a place of --max-calls. */
describe('an engine that is silent to what the bridge reads for a call', () => {
  const stage = stages()

  it.each([
    ['/v1.20/containers/x/start', '{"Binds":["/a:/b"]}'],
    ['/v1.20/containers/x/copy', '{"Resource":"/a"}'],
    ['/v1.20/images/i/tag?repo=a', ''],
    ['/v1.25/services/s/update?version=1', '{}'],
  ])('is given up after --answer-timeout: %s', async (path, body) => {
    const { socket } = await stage({ onRequest: () => undefined }, ['--answer-timeout', '200ms'])
    const headers = { 'Content-Type': 'application/json' }
    const reply = await call(socket, path, { method: 'POST', headers, body })
    expect([reply.status, reply.headers['enginebridge-error']]).toEqual([504, 'engine-timeout'])
  })
})
