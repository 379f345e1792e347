import { writeFileSync } from 'node:fs'
import type http from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

describe('--socket-mounts follow', () => {
  const stage = stages()
  const bodies: unknown[] = []
  const onRequest: http.RequestListener = async (req, res) => {
    const body = await text(req)
    bodies.push(body === '' ? undefined : JSON.parse(body))
    res.statusCode = req.url?.endsWith('/start') === true ? 204 : 201
    res.setHeader('Content-Type', 'application/json')
    res.end(res.statusCode === 204 ? undefined : '{"Id":"c1","Warnings":[]}')
  }
  const create = (socket: string, HostConfig: object, version = '1.44') =>
    call(socket, `/v${version}/containers/create`, { method: 'POST', body: JSON.stringify({ Image: 'a', HostConfig }) })

  it('mounts the bridge’s socket at the same path, in Binds and Mounts, and nothing else of them changes', async () => {
    const { socket, engine, audit } = await stage({ onRequest }, ['--socket-mounts', 'follow'])
    const { status, text: answer } = await create(socket, {
      Binds: [
        '/var/run/docker.sock:/var/run/docker.sock:ro',
        `${engine.socket}:/e.sock`,
        '/data:/data',
        'docker.sock:/v',
      ],
      mounts: [
        { type: 'bind', source: '/run/docker.sock', Target: '/a' },
        { Type: 'volume', Source: '/run/docker.sock', Target: '/b' },
      ],
    })
    expect(status).toBe(201)
    expect(bodies.at(-1)).toMatchObject({
      HostConfig: {
        Binds: [`${socket}:/var/run/docker.sock:ro`, `${socket}:/e.sock`, '/data:/data', 'docker.sock:/v'],
        Mounts: [
          { Type: 'bind', Source: socket, Target: '/a' },
          { Type: 'volume', Source: '/run/docker.sock' },
        ],
      },
    })
    const said = `the engine's socket /var/run/docker.sock is mounted as that of the bridge, ${socket}`
    expect(JSON.parse(answer).Warnings).toContain(said)
    expect(audit.at(-1)?.['notes']).toContain(said)
  })

  it('holds for a start with a HostConfig, and for a client that needs no other change', async () => {
    const { socket } = await stage({ onRequest }, ['--socket-mounts', '/host/bridge.sock'])
    await create(socket, { binds: ['/var/run/..//run/./docker.sock:/s'] }, '1.51')
    expect(bodies.at(-1)).toMatchObject({ HostConfig: { Binds: ['/host/bridge.sock:/s'] } })
  })

  it('lets the policy judge what will be mounted', async () => {
    const file = join(stage.folder(), 'policy.yaml')
    writeFileSync(file, 'rules:\n  allow: [ContainerCreate]\n  bodies: { host-mounts: [/host] }\n')
    const allowed = await stage({ onRequest }, ['--policy', file, '--socket-mounts', '/host/bridge.sock'])
    const kept = await stage({ onRequest }, ['--policy', file])
    const mount = { Binds: ['/var/run/docker.sock:/s'] }
    expect([(await create(allowed.socket, mount)).status, (await create(kept.socket, mount)).status]).toEqual([
      201, 403,
    ])
  })

  it('is off by default, and the answer says nothing then', async () => {
    const { socket, audit } = await stage({ onRequest })
    const { text: answer } = await create(socket, { Binds: ['/var/run/docker.sock:/s'] })
    expect([bodies.at(-1), JSON.parse(answer)]).toMatchObject([
      { HostConfig: { Binds: ['/var/run/docker.sock:/s'] } },
      { Warnings: [] },
    ])
    expect(audit.at(-1)?.notes).toBeUndefined()
  })

  it('needs a socket that a container could mount', async () => {
    const far = stage.bridge('tcp://127.0.0.1:9', ['--socket-mounts', 'follow'])
    await expect(far).rejects.toThrow('the engine is on another machine')
  })
})
