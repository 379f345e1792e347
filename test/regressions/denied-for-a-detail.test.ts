import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Client, records } from '../live/support/client.ts'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const IMAGE = { Id: 'sha256:1', RepoTags: ['a'], Created: 1, Size: 1, SharedSize: -1, Labels: null, Containers: -1 }
const DIE = { status: 'die', id: 'c'.repeat(64), from: 'a', time: 1457568000 }
const ANSWERS: readonly (readonly [RegExp, unknown])[] = [
  [/\/images\/json/, [IMAGE]],
  [/\/stats\?/, { read: 't' }],
  [/\/events/, DIE],
]

/** A policy that allows images but no containers denied `docker image ls` of newest clients: the bridge counts containers for it. */
describe('a call that the policy allows, whose answer has a detail of a call that it denies', () => {
  const stage = stages()
  const start = (allow: string, version: object) => {
    const file = join(stage.folder(), 'policy.yaml')
    writeFileSync(file, `rules:\n  allow: [${allow}]\n`)
    return stage(
      {
        version: { Os: 'linux', Arch: 'amd64', ...version },
        onRequest: (req, res) => {
          const found = ANSWERS.find(([path]) => path.test(req.url ?? ''))
          res.setHeader('Content-Type', 'application/json')
          res.writeHead(found === undefined ? 500 : 200).end(`${JSON.stringify(found?.[1] ?? {})}\n`)
        },
      },
      ['--policy', file, '--announce-api', '1.52'],
    )
  }
  const v25 = { ApiVersion: '1.44', Version: '25.0.0', MinAPIVersion: '1.24' }

  it('is answered without it, and recorded as allowed: containers of images', async () => {
    const { socket, engine, audit } = await start('ImageList', v25)
    const reply = await call(socket, '/v1.51/images/json')
    expect([reply.status, JSON.parse(reply.text)]).toEqual([200, [expect.objectContaining({ Containers: -1 })]])
    expect(engine.seen.filter((line) => line.includes('/containers/'))).toEqual([])
    expect(audit.at(-1)).toMatchObject({ policy: { decision: 'allowed' } })
  })

  it('is answered without it, and recorded as allowed: the name in one reading of stats', async () => {
    const { socket, audit } = await start('ContainerStats', v25)
    const reply = await call(socket, '/v1.52/containers/web/stats?stream=0&one-shot=1')
    expect([reply.status, Object.hasOwn(JSON.parse(reply.text), 'name')]).toEqual([200, false])
    expect(audit.at(-1)).toMatchObject({ policy: { decision: 'allowed' } })
  })

  it('is answered without it, and recorded as allowed: the exit code in events', async () => {
    const old = { ApiVersion: '1.22', Version: '1.10.3' }
    const { socket, audit } = await start('SystemEvents', old)
    const wire = new Client(socket, '1.29').send('GET', '/events')
    let text = ''
    for await (const piece of wire.body(await wire.head())) text += piece.toString()
    expect(records(text)).toEqual([expect.objectContaining({ status: 'die' })])
    await expect.poll(() => audit.at(-1)).toMatchObject({ stage: 'complete', policy: { decision: 'allowed' } })
    wire.leave()
  })
})
