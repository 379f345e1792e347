import { spawnSync } from 'node:child_process'
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

// A child process without descriptors for it has no streams: the bridge ended.
it('an engine over ssh cannot be reached while there is no descriptor, and that ends nothing else', {
  tags: 'slow',
}, () => {
  const script = `
    const { closeSync, openSync } = await import('node:fs')
    const { SshForward } = await import('${join(import.meta.dirname, '../../src/http/engine/ssh.ts')}')
    const ssh = new SshForward({ kind: 'ssh', host: 'host', path: '/x' }, 1000, () => undefined)
    const descriptors = []
    try { for (;;) descriptors.push(openSync('/dev/null')) } catch {}
    await ssh.open().catch(({ message }) => console.log(message))
    descriptors.forEach(closeSync)
    setImmediate(() => ssh.close())`
  const command = ['ulimit -n 64; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', script]
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', ...command], { encoding: 'utf8' })
  expect([status, stdout], stderr).toEqual([0, 'cannot reach the engine at ssh://host/x: spawn /bin/sh EMFILE\n'])
})
