import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, eventually } from '../support/client.ts'
import { engine28, scriptedEngine } from '../support/scripted-engine.ts'

/**
 * Each `/readyz` made new facts of the same engine. What is remembered of an engine goes with its facts, so a probe every
 * ten seconds made the bridge forget its answers and look up the containers with other ids again.
 */
describe('/readyz', () => {
  const stage = stages()
  const lookUps = (seen: readonly string[]): number =>
    seen.filter((line) => line.includes('enginebridge.replaces')).length

  it('leaves what is known of an engine that says the same', async () => {
    const admin = join(stage.folder(), 'admin.sock')
    const { socket, engine, bridge } = await stage(
      {
        replacedContainers: 'scripted',
        onRequest: (_req, res) => {
          res.setHeader('Content-Type', 'application/json')
          res.end('[]')
        },
      },
      ['--admin', `unix://${admin}`],
    )
    await call(socket, '/v1.44/containers/json')
    const [known, asked] = [await bridge.ready(), lookUps(engine.seen)]
    expect(asked).toBeGreaterThan(0)
    expect(await call(admin, '/readyz')).toMatchObject({ status: 200, text: 'ok: engine 28.5.2\n' })
    await call(socket, '/v1.44/containers/json')
    expect(await bridge.ready()).toBe(known)
    expect(lookUps(engine.seen)).toBe(asked)
  })

  it('takes what the engine says when it says another thing, or is another that says the same', async () => {
    const version = { ...engine28 }
    const { engine, bridge } = await stage({ version })
    const first = await bridge.ready()
    expect(await bridge.ready()).toBe(first)
    version.Version = '28.5.3'
    const second = await bridge.ready()
    expect(second).toMatchObject({ release: '28.5.3' })
    await engine.close()
    await eventually(() => engine.connections.size === 0, 'the engine has gone')
    const next = await scriptedEngine(engine.socket, { version })
    await expect.poll(() => bridge.ready().catch(() => undefined), { timeout: 30_000 }).toEqual(second)
    expect(await bridge.ready()).not.toBe(second)
    await next.close()
  })
})
