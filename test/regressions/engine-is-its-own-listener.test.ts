import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dispatch } from '../../src/cli/dispatch.ts'
import { BadConfig } from '../../src/config/bad-config.ts'
import { stages } from '../support/bridge.ts'
import { captured } from '../support/io.ts'

/** With the DOCKER_HOST of its clients the bridge called itself: each call waited 30 s and blamed the engine. */
describe('a bridge whose DOCKER_HOST is its own listener', () => {
  const stage = stages()

  it.each(['b.sock', 'link/b.sock', 'link/to-b.sock', 'to-link'])('does not start, and says so: %s', async (name) => {
    symlinkSync('.', join(stage.folder(), 'link')) // as /var/run is /run
    symlinkSync('b.sock', join(stage.folder(), 'to-b.sock')) // as docker.sock is the bridge's, for its clients
    symlinkSync('link/to-b.sock', join(stage.folder(), 'to-link'))
    const host = `unix://${join(stage.folder(), name)}`
    const listen = `unix://${join(stage.folder(), 'b.sock')}`
    expect(await refusal(host, ['--listen', listen])).toContain(saysWhy(host))
  })

  it.each([
    ['tcp://localhost:1', ['--listen', 'tcp://127.0.0.1:1']],
    ['tcp://127.0.0.1:1', ['--listen', 'tcp://localhost:1']],
    ['tcp://localhost:1', ['--listen', 'tcp://0.0.0.0:1', '--insecure']],
    ['tcp://127.0.0.1:1', ['--listen', 'tcp://[::]:1', '--insecure']],
  ])('does not start under another name of the same port, either: %s, %j', async (host, flags) => {
    expect(await refusal(host, flags)).toContain(saysWhy(host))
  })
})

const saysWhy = (host: string): string =>
  `the engine ${host} is the bridge's own listener: name the engine with --engine`

async function refusal(host: string, flags: readonly string[]): Promise<string> {
  const io = captured({ env: { DOCKER_HOST: host, ENGINEBRIDGE_STATE: 'off' } })
  const ended = dispatch(['serve', ...flags, '--audit-log', 'off', '--log-level', 'silent'], io)
  io.stop()
  const problem = await ended.catch((cause: unknown) => cause)
  expect(problem).toBeInstanceOf(BadConfig)
  return String(problem)
}
