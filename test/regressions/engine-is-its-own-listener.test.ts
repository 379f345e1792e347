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

  it.each(['b.sock', 'link/b.sock'])('does not start, and says so: %s', async (name) => {
    symlinkSync('.', join(stage.folder(), 'link')) // as /var/run is /run
    const host = `unix://${join(stage.folder(), name)}`
    const io = captured({ env: { DOCKER_HOST: host, ENGINEBRIDGE_STATE: 'off' } })
    const listen = `unix://${join(stage.folder(), 'b.sock')}`
    const ended = dispatch(['serve', '--listen', listen, '--audit-log', 'off', '--log-level', 'silent'], io)
    io.stop()
    const problem = await ended.catch((cause: unknown) => cause)
    expect(problem).toBeInstanceOf(BadConfig)
    expect(String(problem)).toContain(`the engine ${host} is the bridge's own listener: name the engine with --engine`)
  })
})
