import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { Authority } from '../support/certificates.ts'
import { dockerCommand } from '../support/docker-command.ts'

const file = await dockerCommand()
const run = promisify(execFile)

describe.runIf(file !== undefined)('the docker command over TLS', () => {
  const stage = stages()

  it('works with --tlsverify and the usual files, and is refused without a certificate', async () => {
    const authority = new Authority(join(stage.folder(), 'ca'))
    const { cert, key, ca } = authority.issue('bridge', join(stage.folder(), 'bridge'))
    const client = authority.issue('client', join(stage.folder(), 'client'))
    const { bridge } = await stage(
      {
        onRequest: (req, res) => {
          res.setHeader('Api-Version', '1.51')
          res.setHeader('Content-Type', 'application/json')
          res.end(req.url?.endsWith('/info') === true ? JSON.stringify({ Name: 'behind-tls' }) : 'OK')
        },
      },
      ['--listen', 'tcp://127.0.0.1:0', '--tls-cert', cert, '--tls-key', key, '--tls-ca', ca],
    )
    const tcp = bridge.addresses.find((address) => address.kind === 'tcp')
    const host = tcp?.kind === 'tcp' ? `tcp://127.0.0.1:${tcp.port}` : ''
    const docker = (env: Record<string, string>, ...args: string[]): Promise<{ stdout: string }> =>
      run(file ?? '', ['--host', host, ...args, 'info', '--format', '{{.Name}}'], {
        env: { HOME: stage.folder(), PATH: process.env['PATH'] ?? '', ...env },
      })
    const flags = ['--tlsverify', '--tlscacert', client.ca, '--tlscert', client.cert, '--tlskey', client.key]
    expect((await docker({}, ...flags)).stdout.trim()).toBe('behind-tls')
    const variables = { DOCKER_CERT_PATH: client.folder, DOCKER_TLS_VERIFY: '1' }
    expect((await docker(variables)).stdout.trim()).toBe('behind-tls')
    const failure = await docker({}, '--tls', '--tlscacert', client.ca).catch((error: Error) => error)
    expect(String(failure)).toMatch(/certificate required|bad certificate|tls/i)
  })
})
