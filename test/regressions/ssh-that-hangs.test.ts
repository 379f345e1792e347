import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const stage = stages()

function stubSsh(script: string): void {
  const bin = join(stage.folder(), 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'ssh'), `#!/bin/sh\n${script}`)
  chmodSync(join(bin, 'ssh'), 0o755)
  vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`)
}

afterEach(() => void vi.unstubAllEnvs())

it('an ssh that hangs in the authentication is ended, and the next call starts another', async () => {
  const first = join(stage.folder(), 'first')
  stubSsh(`mkdir ${first} && exec sleep 600\necho the second ssh >&2\nexit 255\n`)
  const { socket } = await stage.bridge('ssh://far', ['--connect-timeout', '300ms'])
  const said = async (): Promise<string> => (await call(socket, '/v1.44/info')).text
  expect(await said()).not.toContain('the second ssh')
  await expect.poll(said, { timeout: 20_000 }).toContain('the second ssh')
})

/** Twice the time was more than a timer of Node can have, and it ended at once. */
it('an ssh is not ended before it has said anything, whatever time it may take', async () => {
  stubSsh('sleep 0.3\necho it has spoken >&2\nexit 255\n')
  const { socket } = await stage.bridge('ssh://far', ['--connect-timeout', '24d'])
  expect((await call(socket, '/v1.44/info')).text).toContain('it has spoken')
})
