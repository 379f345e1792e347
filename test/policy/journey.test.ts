import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import {
  type Case,
  doubled,
  IMAGES,
  imageCases,
  otherImages,
  otherWords,
  pathCases,
  STRICT,
  strictCases,
} from './cases.ts'

const count = { tried: 0, held: 0 }
afterAll(() => process.stdout.write(`policy on bodies: ${count.tried} requests tried, ${count.held} held\n`))

describe('the policy on bodies, over the wire', () => {
  const stage = stages()

  const start = (policy: string): ReturnType<typeof stage> => {
    const file = join(stage.folder(), 'policy.yaml')
    writeFileSync(file, policy)
    return stage(
      {
        onRequest: (req, res) => {
          req.resume()
          req.on('end', () => {
            res.setHeader('Content-Type', 'application/json')
            res.end('{}')
          })
        },
        onUpgrade: (_req, socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
      },
      ['--policy', file, '--validation', 'off'],
    )
  }

  const run = async (policy: string, cases: readonly Case[]): Promise<void> => {
    const { socket, engine, audit } = await start(policy)
    const wrong: string[] = []
    for (const one of cases) {
      count.tried++
      const before = engine.seen.length
      const body = one.text ?? (one.body === undefined ? undefined : JSON.stringify(one.body))
      const reply = await call(socket, one.path, {
        method: one.method ?? 'GET',
        ...(body === undefined ? {} : { body: Buffer.from(body) }), // as text it would be sent with the head, as UTF-8
        ...(one.type === undefined ? {} : { headers: { 'Content-Type': one.type } }),
      })
      const rule = /\(rule ([^)]*)\)/.exec(reply.text)?.[1]
      const arrived = engine.seen.length > before
      const record = audit.at(-1)?.['policy'] as { decision: string; rule: string } | undefined
      const told = record?.decision === (one.refused === undefined ? 'allowed' : 'denied')
      const held = one.refused === undefined ? arrived : !arrived && reply.status === 403 && rule === one.refused
      if (held && told) count.held++
      else wrong.push(`${one.what}: ${reply.status} ${reply.text.trim()} (${JSON.stringify(record)})`)
    }
    expect(wrong).toEqual([])
  }

  it('lets nothing through that strict rules forbid, and all else', () => run(STRICT, strictCases), 60_000)
  it('knows what engines take in other words', async () => {
    await run(STRICT, otherWords)
    await run(IMAGES, otherImages)
  })
  it('lets only listed images be used', () => run(IMAGES, imageCases))
  it('lets only listed paths be read and written', () => run(IMAGES, pathCases))

  it('sends no body that two readers would understand differently', async () => {
    const { socket, engine } = await start(STRICT)
    for (const one of doubled) {
      count.tried++
      const reply = await call(socket, one.path, { method: 'POST', body: one.text ?? '' })
      // Either refused, or made one before it went out (regressions/twice-is-once): privileges are refused then, or gone.
      const seen = engine.seen.splice(0)
      if (reply.status !== 403 || seen.length > 0)
        expect([one.what, reply.status, reply.text]).toEqual([one.what, 200, '{}'])
      count.held++
    }
  })
})
