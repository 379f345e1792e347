import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const DIGEST = `sha256:${'d'.repeat(64)}`
const SERVICE = JSON.stringify({ Name: 's', TaskTemplate: { ContainerSpec: { Image: 'redis:7' } } })
const AUTH = Buffer.from('{"username":"u"}').toString('base64url')

/** Services of clients 1.24 to 1.29 ran without the digest that their engines added to the image. */
describe('a service that a client of 1.25 creates on an engine that starts at 1.44', () => {
  const stage = stages()

  async function created(rules: string, breaksOff = false) {
    const policy = join(stage.folder(), 'policy.yaml')
    writeFileSync(policy, `rules:\n${rules}`)
    const asked: (string | undefined)[] = []
    let sent: { TaskTemplate?: { ContainerSpec: { Image: string } } } = {}
    const { socket } = await stage(
      {
        version: { ApiVersion: '1.51', Version: '28.5.2', MinAPIVersion: '1.44' },
        onRequest: async (req, res) => {
          res.setHeader('Content-Type', 'application/json')
          if (req.url?.startsWith('/v1.44/distribution/') === true) {
            asked.push(`${req.url} ${req.headers['x-registry-auth']}`)
            if (breaksOff) res.destroy()
            res.end(JSON.stringify({ Descriptor: { digest: DIGEST } }))
          } else {
            sent = (await json(req)) as typeof sent
            res.writeHead(201).end('{"ID":"s"}')
          }
        },
      },
      ['--policy', policy],
    )
    const headers = { 'Content-Type': 'application/json', 'X-Registry-Auth': AUTH }
    const reply = await call(socket, '/v1.25/services/create', { method: 'POST', headers, body: SERVICE })
    return {
      status: reply.status,
      warnings: JSON.parse(reply.text).Warnings,
      image: sent.TaskTemplate?.ContainerSpec.Image,
      asked,
    }
  }

  it('has its image pinned, by a digest that the engine asks for with the client’s credential', async () => {
    expect(await created('  allow: [ServiceCreate, DistributionInspect]\n')).toEqual({
      status: 201,
      image: `redis:7@${DIGEST}`,
      asked: [`/v1.44/distribution/redis:7/json ${AUTH}`],
    })
  })

  it('is created as it was sent, with the engine’s warning, when the engine breaks off the look-up', async () => {
    const done = await created('  allow: [ServiceCreate, DistributionInspect]\n', true)
    expect(done).toMatchObject({ status: 201, image: 'redis:7', warnings: [expect.stringContaining('redis:7')] })
  })

  it('is denied before the registry is asked', async () => {
    const rules = '  allow: [ServiceCreate, DistributionInspect]\n  bodies:\n    images: [nginx]\n'
    expect(await created(rules)).toMatchObject({ status: 403, image: undefined, asked: [] })
  })

  it.each([
    ['forbids to ask the registry', '  allow: [ServiceCreate]\n', 0],
    ['lists the tag', '  allow: [ServiceCreate, DistributionInspect]\n  bodies:\n    images: ["redis:7"]\n', 1],
  ])('is created as it was sent, with the engine’s warning, when the policy %s', async (_what, rules, asked) => {
    const done = await created(rules)
    expect(done).toMatchObject({ status: 201, image: 'redis:7', warnings: [expect.stringContaining('redis:7')] })
    expect(done.asked).toHaveLength(asked)
  })
})
