import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AuditRecord } from '../../src/audit/record/record.ts'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import { DockerLike, type Held } from '../support/docker-like.ts'

const make = stages()
const json = { 'Content-Type': 'application/json' }
const post = (socket: string, path: string, body: object): ReturnType<typeof call> =>
  call(socket, path, { method: 'POST', headers: json, body: JSON.stringify(body) })

async function staged(policy = 'rules: {preset: all}\n', flags: readonly string[] = []) {
  const engine = new DockerLike()
  await writeFile(join(make.folder(), 'policy.yaml'), policy)
  const stage = await make(engine.script, ['--policy', join(make.folder(), 'policy.yaml'), ...flags])
  const { text } = await post(stage.socket, '/v1.22/containers/create?name=web', { Image: 'busybox' })
  const id: string = JSON.parse(text).Id
  engine.seen.length = 0
  const start = (body: object): ReturnType<typeof call> => post(stage.socket, `/v1.22/containers/${id}/start`, body)
  return { ...stage, engineLike: engine, id, start }
}

const lastStart = (audit: readonly object[]): Partial<AuditRecord> =>
  (audit as readonly AuditRecord[]).findLast(({ operation }) => operation === 'ContainerStart') ?? {}

const held = (Id: string, Name: string, more: Partial<Held>): Held => {
  return { Id, Name, Config: { Labels: {} }, HostConfig: {}, running: false, ...more }
}

describe('a start with a HostConfig', () => {
  it.each([{ Binds: ['/usr:/mnt'] }, { Memory: 33_554_432 }])(
    'that the policy denies has changed nothing: %j',
    async (body) => {
      const { engineLike, start } = await staged('rules: {preset: all, deny: [ContainerStart]}\n')
      const before = structuredClone(engineLike.held)
      expect((await start(body)).status).toBe(403)
      expect(engineLike.held).toEqual(before)
      expect(engineLike.seen).toEqual([])
    },
  )

  it('is on record with the body of each change that it makes', async () => {
    const { audit, start } = await staged(undefined, ['--audit-level', 'request'])
    expect((await start({ Binds: ['/usr:/mnt'], Privileged: true })).status).toBe(204)
    const { furtherCalls } = lastStart(audit)
    const create = furtherCalls?.find(({ path }) => path.includes('/containers/create'))
    expect(create?.requestBody?.json).toMatchObject({ HostConfig: { Binds: ['/usr:/mnt'], Privileged: true } })
  })

  it('lists every change of its own on record, however many reads come before', async () => {
    const { audit, engineLike, start } = await staged()
    const lender = 'd'.repeat(64)
    engineLike.held.push(held(lender, '/db', { running: true }))
    const links = Array.from({ length: 60 }, (_, i) => `${lender}:a${i}`)
    for (const one of engineLike.held)
      one.HostConfig = { ...one.HostConfig, Links: links.map((_, i) => `/db:/web/a${i}`) }
    expect((await start({ Links: links, Binds: ['/usr:/mnt'] })).status).toBe(204)
    const { furtherCalls = [], notes } = lastStart(audit)
    const changes = furtherCalls.filter(({ method }) => method !== 'GET').map(({ method }) => method)
    expect(changes).toEqual(['POST', 'POST', 'DELETE'])
    expect(furtherCalls.length).toBe(103)
    expect(notes?.join()).toMatch(/\d+ further reads of the engine are not listed/)
  })

  it.each<[string, Partial<Held>, string]>([
    [
      'has one of its volumes',
      { Mounts: [{ Type: 'volume', Name: 'e'.repeat(64), Destination: '/x' }] },
      'has one of its volumes',
    ],
    ['shares its IPC namespace', { HostConfig: { IpcMode: 'container:OWN' } }, 'shares one of its namespaces'],
    ['shares its PID namespace', { HostConfig: { PidMode: 'container:OWN' } }, 'shares one of its namespaces'],
  ])('is refused, and changes nothing, where another container %s', async (_what, other, why) => {
    const { engineLike, id, start } = await staged()
    for (const one of engineLike.held) one.Mounts = [{ Type: 'volume', Name: 'e'.repeat(64), Destination: '/data' }]
    const text = JSON.stringify(other).replaceAll('OWN', id)
    engineLike.held.push(held('f'.repeat(64), '/other', JSON.parse(text)))
    const before = structuredClone(engineLike.held)
    const { status, text: said } = await start({ Binds: ['/usr:/mnt'] })
    expect([status, said]).toEqual([400, expect.stringContaining(`not safe: /other ${why}`)])
    expect(engineLike.held).toEqual(before)
  })

  it.each(['Binds', 'Links'])('is refused where %s is no list', async (member) => {
    const { start } = await staged()
    for (const value of ['/:/h', { a: '/tmp:/t' }])
      expect(await start({ [member]: value })).toMatchObject({
        status: 500,
        text: expect.stringContaining('cannot unmarshal'),
      })
  })

  // Its label said whose id a container has: the attacker's had the victim's from then on.
  it('gives its id to no container that somebody else has made with its label', async () => {
    const engine = new DockerLike()
    const { script } = engine
    const label = 'enginebridge.replaces'
    const { socket } = await make({
      ...script,
      onRequest: (req, res) => {
        const [original] = engine.held
        if (
          req.url?.includes('/containers/create?name=web') === true &&
          original?.Name.includes('set-aside') === true
        ) {
          engine.held.splice(0, 1, held('b'.repeat(64), '/web', { Config: { Labels: { [label]: original.Id } } }))
        }
        script.onRequest?.(req, res)
      },
    })
    const { text } = await post(socket, '/v1.22/containers/create?name=web', { Image: 'busybox' })
    const id: string = JSON.parse(text).Id
    const { status, text: said } = await post(socket, `/v1.22/containers/${id}/start`, { Binds: ['/usr:/mnt'] })
    expect([status, said]).toEqual([409, expect.stringContaining('was removed by another client')])
    expect((await call(socket, `/v1.22/containers/${id}/json`)).status).toBe(404)
    expect(JSON.parse((await call(socket, '/v1.22/containers/web/json')).text)).toMatchObject({ Id: 'b'.repeat(64) })
  })
})
