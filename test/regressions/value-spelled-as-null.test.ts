import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import { recordingOf } from '../support/golden-recording.ts'

/**
 * An inspect was edited in its bytes, and where the other spelling of a value is null it kept the value: a client of 1.18
 * was shown `{}` where its engine said null for a log without options.
 */
describe('a value whose older spelling is null', () => {
  const stage = stages()
  const inspect = recordingOf('1.7.1', '1.19').exchanges['305-inspect-min']?.values[0]

  it('is null in an inspect that is translated', async () => {
    const { socket } = await stage({
      version: { Version: '1.7.1', ApiVersion: '1.19', MinAPIVersion: '1.12', Os: 'linux', Arch: 'amd64' },
      onRequest: (_req, res) => {
        res.writeHead(200, { 'Content-Type': 'application/json' }).end(`${JSON.stringify(inspect)}\n`)
      },
    })
    expect(inspect).toMatchObject({ HostConfig: { LogConfig: { Config: {} } } })
    const { text } = await call(socket, '/v1.18/containers/c1/json')
    expect(JSON.parse(text)).toMatchObject({ HostConfig: { LogConfig: { Config: null } } })
  })
})
