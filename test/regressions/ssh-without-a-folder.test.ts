import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { SshForward } from '../../src/http/engine/ssh.ts'
import { ProxyError } from '../../src/http/errors.ts'

// It threw, and a call that is retried on a new connection has nobody who would catch that.
it('an engine over ssh cannot be reached while there is no folder for temporary files', async () => {
  vi.stubEnv('TMPDIR', join(import.meta.dirname, 'nowhere'))
  onTestFinished(() => void vi.unstubAllEnvs())
  const address = { kind: 'ssh', user: undefined, host: 'host', port: undefined, path: '/run/docker.sock' } as const
  const opening = new SshForward(address, 1000, () => undefined).open()
  const cause = await opening.catch((error: unknown) => error)
  expect(cause).toBeInstanceOf(ProxyError)
  expect(cause).toMatchObject({
    code: 'engine-unreachable',
    message: expect.stringMatching(/^cannot reach the engine at ssh:\/\/host\S*: ENOENT/),
  })
})
