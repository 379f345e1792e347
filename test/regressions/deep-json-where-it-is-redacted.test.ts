import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, eventually } from '../support/client.ts'

/**
 * JSON nested 2,000 deep in a query, a credential or an answer ended the redaction of the record with a RangeError: the call had no
 * record, and counted as open for ever, so that a few of 4 KB filled `--max-calls`.
 */
const deep = (inner = ''): string => `${'['.repeat(2500)}${inner}${']'.repeat(2500)}`

describe('JSON that is nested more deeply than is walked', () => {
  const stage = stages()

  it.each([
    ['in a parameter', `/v1.44/containers/json?filters=${deep('"token=PLANTED"')}`, {}],
    ['as the name of a parameter', `/v1.44/containers/json?${deep('"token=PLANTED"')}`, {}],
    ['in changes', `/v1.44/containers/json?changes=${encodeURIComponent(`CMD ${deep('"token=PLANTED"')}`)}`, {}],
    ['in a credential', '/v1.44/containers/json', { 'X-Registry-Auth': Buffer.from(deep()).toString('base64url') }],
  ])('leaves a record without it, and a call that has ended: %s', async (_where, path, headers) => {
    const { socket, audit } = await stage({ onRequest: (_req, res) => res.end('[]') }, [
      ...['--max-calls', '1', '--validation', 'off', '--audit-level', 'requestResponse'],
    ])
    expect((await call(socket, path, { headers })).status).toBeLessThan(500)
    await eventually(() => audit.some(({ stage: at }) => at === 'complete' || at === 'failed'), 'the last record')
    expect(JSON.stringify(audit)).not.toContain('PLANTED')
    await sleep(10)
    expect((await call(socket, '/v1.44/_ping')).status).toBe(200)
  })

  it('leaves a record where an answer has it', async () => {
    const answer = deep('"password=PLANTED"')
    const { socket, audit } = await stage(
      {
        onRequest: (_req, res) => {
          res.setHeader('Content-Type', 'application/json')
          res.end(answer)
        },
      },
      ['--max-calls', '1', '--audit-level', 'requestResponse'],
    )
    expect((await call(socket, '/v1.51/info')).text).toBe(answer)
    await eventually(() => audit.some(({ stage: at }) => at === 'complete'), 'the last record')
    expect(JSON.stringify(audit)).not.toContain('PLANTED')
  })

  it('takes secrets out of a reason that the policy gives', async () => {
    const { socket, audit } = await stage({}, ['--policy', 'read-only'])
    expect((await call(socket, '/v1.44/containers/user:PLANTED@host/kill', { method: 'POST' })).status).toBe(403)
    await eventually(() => audit.some(({ stage: at }) => at === 'failed'), 'the last record')
    expect(JSON.stringify(audit)).not.toContain('PLANTED')
  })
})
