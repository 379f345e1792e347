import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, RawConnection } from '../support/client.ts'
import { DockerLike, type Fault } from '../support/docker-like.ts'

const make = stages()
const WANTED = JSON.stringify({ Binds: ['/usr:/mnt'] })
const json = { 'Content-Type': 'application/json' }

/** A bare container called web, made by a client of 1.22 through a bridge. */
async function bare(
  flags: readonly string[] = [],
): Promise<{ engine: DockerLike; id: string; socket: string; engineSocket: string }> {
  const engine = new DockerLike()
  const { socket, engine: listening } = await make(engine.script, flags)
  const body = JSON.stringify({ Image: 'busybox', Cmd: ['true'], Labels: { a: 'b' } })
  const made = await call(socket, '/v1.22/containers/create?name=web', { method: 'POST', headers: json, body })
  engine.seen.length = 0
  return { engine, id: String(JSON.parse(made.text).Id), socket, engineSocket: listening.socket }
}

const start = (socket: string, name: string): ReturnType<typeof call> =>
  call(socket, `/v1.22/containers/${name}/start`, { method: 'POST', headers: json, body: WANTED })
const inspect = async (socket: string, name: string): Promise<Record<string, unknown>> =>
  JSON.parse((await call(socket, `/v1.22/containers/${name}/json`)).text)

describe('a start with a HostConfig that only another container can have', () => {
  it('makes the container again under its name, removes the old one last, and starts the new one', async () => {
    const { engine, id, socket } = await bare()
    expect((await start(socket, id)).status).toBe(204)
    expect(engine.held).toHaveLength(1)
    const [held] = engine.held
    expect(held).toMatchObject({ Name: '/web', running: true, HostConfig: { Binds: ['/usr:/mnt'] } })
    expect(held?.Config).toMatchObject({ Hostname: id.slice(0, 12), Labels: { a: 'b', 'enginebridge.replaces': id } })
    const set = `/enginebridge-set-aside-${id.slice(0, 12)}.web`
    const steps = engine.seen.filter((step) => !step.startsWith('GET'))
    expect(steps).toEqual(['POST rename /web', 'POST create', `DELETE container ${set}`, 'POST start /web'])
  })

  it('reads the elements of lists in any spelling, as engines do', async () => {
    const { engine, id, socket } = await bare()
    for (const held of engine.held) held.HostConfig = { ...held.HostConfig, Ulimits: null, PortBindings: {} }
    const body =
      '{"Ulimits":[{"name":"nofile","soft":1,"hard":2}],"PortBindings":{"80/tcp":[{"hostip":"","hostport":"80"}]}}'
    expect((await call(socket, `/v1.22/containers/${id}/start`, { method: 'POST', headers: json, body })).status).toBe(
      204,
    )
    expect(engine.held[0]?.HostConfig).toMatchObject({
      Ulimits: [{ Name: 'nofile', Soft: 1, Hard: 2 }],
      PortBindings: { '80/tcp': [{ HostIp: '', HostPort: '80' }] },
    })
  })

  it('shows the container under the id that create gave, without the label', async () => {
    const { engine, id, socket } = await bare()
    await start(socket, 'web')
    expect(engine.held[0]?.Id).not.toBe(id)
    for (const said of [id, id.slice(0, 12), id.slice(0, 5), 'web'])
      expect(await inspect(socket, said)).toMatchObject({ Id: id, Config: { Labels: { a: 'b' } } })
  })

  it('is found by a bridge that is started later', async () => {
    const { id, socket, engineSocket } = await bare()
    await start(socket, id)
    const later = await make.bridge(engineSocket)
    expect(await inspect(later.socket, id)).toMatchObject({ Id: id, Name: '/web' })
  })

  it('gives the id of a container that is there to no other, whatever its label says', async () => {
    const { id, socket, engineSocket } = await bare()
    const body = JSON.stringify({ Image: 'busybox', Labels: { 'enginebridge.replaces': id } })
    await call(socket, '/v1.22/containers/create?name=other', { method: 'POST', headers: json, body })
    const later = await make.bridge(engineSocket)
    expect(await inspect(later.socket, id)).toMatchObject({ Id: id, Name: '/web' })
    expect(await inspect(later.socket, 'other')).toMatchObject({ Name: '/other' })
  })

  it('is refused by name with --start-hostconfig refuse, and nothing is changed', async () => {
    const { engine, id, socket } = await bare(['--start-hostconfig', 'refuse'])
    const reply = await start(socket, id)
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('cannot change HostConfig.Binds of a created container')
    expect(engine.held).toMatchObject([{ Id: id, Name: '/web' }])
    expect(engine.seen).toEqual(['GET json /web'])
  })

  it('is refused, and nothing is changed, when files were put into the container', async () => {
    const { engine, id, socket } = await bare()
    engine.changes = [{ Path: '/etc/app.conf', Kind: 1 }]
    const reply = await start(socket, id)
    expect(reply.status).toBe(400)
    expect(reply.text).toMatch(
      /HostConfig\.Binds can be had only by .* not safe: files were put into it \(\/etc\/app\.conf\)/,
    )
    expect(engine.seen.filter((step) => !step.startsWith('GET'))).toEqual([])
  })

  it.each([
    ['itself, which engines make, is no file that was put there', ['/drone', '/drone/src'], 204, ''],
    ['has files that were put there', ['/drone/src', '/drone/src/app'], 400, 'files were put into it (/drone/src/app)'],
  ])('the working directory %s', async (_what, paths, status, said) => {
    const { engine, id, socket } = await bare()
    for (const { Config } of engine.held) Config['WorkingDir'] = '/drone/src/'
    engine.changes = paths.map((Path) => ({ Path, Kind: 1 }))
    const reply = await start(socket, id)
    expect(reply.status).toBe(status)
    expect(reply.text).toContain(said)
  })

  const conflict: Fault = { status: 409, message: 'not now' }
  it.each<[string, string, Fault]>([
    ['the old one cannot be set aside', 'POST rename', conflict],
    ['the answer to setting it aside is lost', 'POST rename', 'cut-after'],
    ['the new one cannot be made', 'POST create', { status: 400, message: 'invalid mount config' }],
    ['the connection breaks before the new one is made', 'POST create', 'cut'],
    ['the answer to the create is lost', 'POST create', 'cut-after'],
    ['the old one cannot be removed', 'DELETE container', conflict],
    ['the connection breaks before the old one is removed', 'DELETE container', 'cut'],
  ])('leaves the old container as it was when %s', async (_what, step, fault) => {
    const { engine, id, socket } = await bare()
    const before = structuredClone(engine.held)
    engine.faults.set(step, [fault])
    const reply = await start(socket, id)
    expect(reply.status).toBeGreaterThanOrEqual(400)
    // The engine's own words, or the bridge's where the engine said nothing.
    expect(reply.text).toMatch(
      /^((not now|invalid mount config)|cannot make container web again with this HostConfig: .* \(it is as it was\))\n$/,
    )
    expect(engine.held).toEqual(before)
    expect(engine.seen.filter((one) => one === 'POST create').length).toBeLessThanOrEqual(1)
    expect((await start(socket, id)).status).toBe(204)
    expect(await inspect(socket, id)).toMatchObject({ Id: id, HostConfig: { Binds: ['/usr:/mnt'] } })
  })

  it('goes on when the answer to the removal of the old container is lost', async () => {
    const { engine, id, socket } = await bare()
    engine.faults.set('DELETE container', ['cut-after'])
    expect((await start(socket, id)).status).toBe(204)
    expect(engine.held).toMatchObject([{ Name: '/web', running: true }])
  })

  it('leaves the old container as it was when the engine makes something else of the new one', async () => {
    const { engine, id, socket } = await bare()
    const held = engine.held[0]
    if (held !== undefined) held.HostConfig = { ...held.HostConfig, Init: true }
    const keep = structuredClone(engine.held)
    engine.alter = (hostConfig) => ({ ...hostConfig, Init: false })
    const reply = await start(socket, id)
    expect(reply.text).toContain('the engine made it with another HostConfig.Init')
    expect(engine.held).toEqual(keep)
  })

  it('says what is left to do when it cannot be put back', async () => {
    const { engine, id, socket } = await bare()
    engine.faults.set('POST create', [{ status: 500, message: 'no space' }])
    engine.faults.set('POST rename', ['none', { status: 500, message: 'still no space' }])
    const reply = await start(socket, id)
    expect(reply.text).toMatch(
      /no space \(container 1{64} is called enginebridge-set-aside-1{12}\.web now: still no space\)/,
    )
    expect(engine.held).toMatchObject([{ Id: id }])
  })

  it('is made again once for two starts at a time', async () => {
    const { engine, id, socket } = await bare()
    const replies = await Promise.all([start(socket, id), start(socket, 'web'), start(socket, id.slice(0, 12))])
    expect(replies.map(({ status }) => status)).toEqual([204, 204, 204])
    expect(engine.seen.filter((step) => step === 'POST create')).toHaveLength(1)
    expect(engine.held).toHaveLength(1)
  })

  it('is made again by one of two bridges that are asked at a time, and the other changes nothing', async () => {
    const { engine, id, socket, engineSocket } = await bare()
    const other = await make.bridge(engineSocket)
    await inspect(other.socket, id)
    const replies = await Promise.all([start(socket, id), start(other.socket, id)])
    const refused = replies.filter(({ status }) => status !== 204)
    expect(refused).toMatchObject([
      { status: 409, text: 'container web is being recreated by a start through another bridge; try again\n' },
    ])
    expect(engine.held).toMatchObject([{ Name: '/web', running: true, HostConfig: { Binds: ['/usr:/mnt'] } }])
    expect(engine.seen.filter((step) => step === 'POST create')).toHaveLength(1)
  })

  it('is left to the bridge that has set it aside', async () => {
    const { engine, id, socket } = await bare()
    const [held] = engine.held
    if (held !== undefined) held.Name = `/enginebridge-set-aside-${id.slice(0, 12)}.web`
    const before = structuredClone(engine.held)
    expect((await start(socket, id)).status).toBe(409)
    expect(engine.held).toEqual(before)
  })
})

describe('a stream of events that a client of 1.51 opened before the first container was made again', () => {
  it('passes untouched until then, and shows one container under one id from then on', async () => {
    const { engine, id, socket } = await bare()
    const watching = new RawConnection(socket)
    watching.send('GET /v1.51/events HTTP/1.1\r\nHost: x\r\n\r\n')
    await watching.until((text) => text.includes('\r\n\r\n'))
    engine.say('{"Type":"network",  "Action":"connect"}\n{"Type":"vol')
    engine.say('ume","Action" : "mount"}\n')
    await watching.until((text) => text.includes('"mount"'))
    await start(socket, id)
    await call(socket, `/v1.51/containers/${id}`, { method: 'DELETE' })
    await watching.until((text) => text.includes('destroy'))
    watching.socket.destroy()
    const text = watching.received.toString()
    expect(text).toContain('{"Type":"network",  "Action":"connect"}\n')
    expect(text).toContain('{"Type":"volume","Action" : "mount"}\n')
    const events = text.split('\n').filter((line) => line.startsWith('{"Type":"container"'))
    const seen = events.map((line) => JSON.parse(line)).map(({ Action, Actor }) => [Action, Actor.ID])
    expect(seen).toEqual([
      ['start', id],
      ['destroy', id],
    ])
    expect(text).not.toContain('enginebridge')
  })
})

describe('a bridge in front of an engine without such containers', () => {
  it('looks for them once, and changes no question and no answer', async () => {
    const { engine, socket } = await bare()
    const looks: string[] = []
    const { socket: counted } = await make({
      replacedContainers: 'scripted',
      onRequest: (req, res) => {
        if (req.url?.includes('enginebridge.replaces') === true) looks.push(req.url)
        engine.script.onRequest?.(req, res)
      },
    })
    for (let i = 0; i < 3; i++) await call(counted, '/v1.51/containers/web/json')
    expect(looks).toHaveLength(2) // containers, and images
    expect((await call(socket, '/v1.51/containers/web/json')).text).not.toContain('replaces')
  })
})
