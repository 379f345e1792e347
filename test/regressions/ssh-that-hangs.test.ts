import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const stage = stages()

it('an ssh that hangs in the authentication is ended, and the next call starts another', async () => {
  const bin = join(stage.folder(), 'bin')
  mkdirSync(bin)
  const [first, program] = [join(stage.folder(), 'first'), join(bin, 'ssh')]
  writeFileSync(program, `#!/bin/sh\nmkdir ${first} && exec sleep 600\necho the second ssh >&2\nexit 255\n`)
  chmodSync(program, 0o755)
  vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`)
  const { socket } = await stage.bridge('ssh://far', ['--connect-timeout', '300ms'])
  const said = async (): Promise<string> => (await call(socket, '/v1.44/info')).text
  expect(await said()).not.toContain('the second ssh')
  await expect.poll(said, { timeout: 20_000 }).toContain('the second ssh')
  vi.unstubAllEnvs()
})
