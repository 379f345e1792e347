import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { Client, records } from '../live/support/client.ts'
import { type Stage, stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

/** `docker run` of a newer command line on the engines 1.6 to 1.12, which have neither a wait for the next exit nor AutoRemove. */
const make = stages()
const ID = 'c'.repeat(64)
const OLD = { ApiVersion: '1.22', Version: '1.10.3', Os: 'linux', Arch: 'amd64' }
const OLDEST = { ...OLD, ApiVersion: '1.18', Version: '1.6.2' }

interface Old extends Stage {
  /** The open responses to `/events`. */
  readonly listening: Set<ServerResponse>
  readonly asked: { method: string; url: string; body: string }[]
  happens(status: string, more?: object): void
}

/** The container still runs for this time after its `die`: engines up to 1.10 send the event first (daemon/monitor.go @v1.10.3). */
const STOPPED_AFTER_MS = 50

/** An engine sends the event of a removal before it answers the call (daemon/delete.go @v1.10.3). */
const REMOVED_AFTER_MS = 50

/** An engine with one container, which does not start, and stops with 3 when `die` happens. */
async function oldEngine({ version = OLD, inspect = 200 } = {}): Promise<Old> {
  let gone = false
  const listening = new Set<ServerResponse>()
  const asked: Old['asked'] = []
  const state = { Running: false, ExitCode: 0, FinishedAt: '0001-01-01T00:00:00Z' }
  const stage = await make(
    {
      version,
      onRequest: (req, res) => {
        let body = ''
        req.on('data', (piece) => {
          body += String(piece)
        })
        req.on('end', () => {
          const [method, url] = [req.method ?? '', req.url ?? '']
          asked.push({ method, url, body })
          res.setHeader('Content-Type', 'application/json')
          if (url.includes('/events')) {
            res.flushHeaders()
            listening.add(res)
            res.on('close', () => listening.delete(res))
          } else if (/\/json(\?|$)/.test(url))
            res
              .writeHead(gone ? 404 : inspect)
              .end(JSON.stringify({ Id: ID, State: state, Config: {}, HostConfig: {} }))
          else if (url.includes('/create')) res.writeHead(201).end(JSON.stringify({ Id: ID, Warnings: null }))
          else if (method === 'DELETE') {
            gone = true
            happens('destroy')
            setTimeout(() => res.writeHead(204).end(), REMOVED_AFTER_MS)
          } else if (url.includes('/start')) res.writeHead(404).end('{"message":"no such file or directory"}')
          else res.writeHead(200).end(method === 'GET' ? 'OK' : undefined)
        })
      },
    },
    ['--announce-api', '1.44'],
  )
  const happens = (status: string, more = {}): void => {
    if (status === 'die') {
      state.Running = true
      const stopped = { Running: false, ExitCode: 3, FinishedAt: '2016-03-10T00:00:00Z' }
      setTimeout(() => Object.assign(state, stopped), STOPPED_AFTER_MS)
    }
    const event = { status, id: ID, from: 'busybox', time: 1457568000, ...more }
    for (const res of listening) res.write(`${JSON.stringify(event)}\n`)
  }
  return { ...stage, listening, asked, happens }
}

const AUTO = { Image: 'busybox', HostConfig: { AutoRemove: true } }

describe('before an engine that says no version in a ping', () => {
  it.each(['GET', 'HEAD'])('a %s of _ping says what the bridge speaks', async (method) => {
    const { socket } = await oldEngine()
    const { status, headers } = await call(socket, '/_ping', { method })
    expect([status, headers['api-version'], headers['ostype'], headers['docker-experimental']]).toEqual([
      ...[200, '1.44', 'linux', 'false'],
    ])
  })
})

describe('a wait for the next exit', () => {
  async function ends({ socket, listening, happens }: Old, more?: object): Promise<string> {
    const wire = new Client(socket, '1.44').send('POST', `/containers/web/wait?condition=next-exit`)
    const head = await wire.head()
    expect(head.status).toBe(200)
    await expect.poll(() => listening.size).toBe(1)
    happens('die', more)
    let text = ''
    for await (const piece of wire.body(head)) text += piece.toString()
    wire.leave()
    return text
  }

  it('begins its answer before the container is started, and ends it with the code of the exit', async () => {
    expect(JSON.parse(await ends(await oldEngine()))).toEqual({ StatusCode: 3 })
  })

  it('ends with the code, too, where labels make the event longer than one read', async () => {
    const Actor = { ID, Attributes: { exitCode: '7', label: 'x'.repeat(5000) } }
    expect(JSON.parse(await ends(await oldEngine(), { Actor }))).toEqual({ StatusCode: 7 })
  })

  it('leaves the engine alone when its client leaves', async () => {
    const { socket, listening } = await oldEngine()
    const wire = new Client(socket, '1.44').send('POST', `/containers/web/wait?condition=next-exit`)
    await wire.head()
    await expect.poll(() => listening.size).toBe(1)
    wire.leave()
    await expect.poll(() => listening.size).toBe(0)
  })
})

describe('the events of a container', () => {
  const attributes = (name: string, more: object = {}): unknown =>
    expect.objectContaining({ Action: name, Actor: { ID, Attributes: { image: 'busybox', ...more } } })

  /** The events that a command line below 1.30 reads after an attached `docker run`: three, in this order. */
  async function heard({ socket, listening, happens }: Old): Promise<unknown[]> {
    const wire = new Client(socket, '1.29').send('GET', '/events')
    const head = await wire.head()
    await expect.poll(() => listening.size).toBe(1)
    for (const status of ['start', 'die', 'destroy']) happens(status)
    let text = ''
    for await (const piece of wire.body(head)) {
      text += piece.toString()
      if (text.includes('"destroy"')) break
    }
    wire.leave()
    return records(text)
  }

  it('tell the exit code with its end, once it has stopped, and the next event after that', async () => {
    const stage = await oldEngine({ version: OLDEST })
    const told = [attributes('start'), attributes('die', { exitCode: '3' }), attributes('destroy')]
    expect(await heard(stage)).toEqual(told)
  })

  it('stay as they are if the container cannot be inspected', async () => {
    const stage = await oldEngine({ version: OLDEST, inspect: 404 })
    expect(await heard(stage)).toEqual([attributes('start'), attributes('die'), attributes('destroy')])
  })

  it('keep their order where more of them come at once than are looked up at a time', { tags: 'slow' }, async () => {
    const { socket, listening } = await oldEngine({ version: OLDEST })
    const wire = new Client(socket, '1.29').send('GET', '/events')
    const head = await wire.head()
    await expect.poll(() => listening.size).toBe(1)
    const times = Array.from({ length: 1000 }, (_, i) => 1457568000 + i)
    for (const time of times)
      for (const res of listening) res.write(`${JSON.stringify({ status: 'die', id: ID, from: 'busybox', time })}\n`)
    for (const res of listening) res.end()
    let text = ''
    for await (const piece of wire.body(head)) text += piece.toString()
    expect(records(text).map((record) => Object(record).time)).toEqual(times)
    wire.leave()
  })

  it('are read no further by the bridge when their client leaves', async () => {
    const { socket, listening, happens } = await oldEngine()
    const wire = new Client(socket, '1.29').send('GET', '/events')
    await wire.head()
    await expect.poll(() => listening.size).toBe(1)
    happens('die')
    wire.leave()
    await expect.poll(() => listening.size).toBe(0)
  })
})

describe('a container with AutoRemove', () => {
  it('is removed by the bridge when it stops, and a wait for that gets its code, told of the removal before it is answered', async () => {
    const { socket, listening, asked, happens, audit } = await oldEngine()
    const client = new Client(socket, '1.44')
    await client.post('/containers/create', AUTO)
    const created = asked.find(({ url }) => url.includes('/create'))
    expect(JSON.parse(created?.body ?? '')).toMatchObject({ Labels: { 'enginebridge.auto-remove': '' } })
    const waiting = client.post('/containers/web/wait?condition=removed')
    await expect.poll(() => listening.size).toBe(1)
    happens('die')
    expect((await waiting).json()).toEqual({ StatusCode: 3 })
    expect(asked.filter(({ method }) => method === 'DELETE').map(({ url }) => url)).toEqual([
      `/v1.22/containers/${ID}?v=1`,
    ])
    await expect.poll(() => listening.size).toBe(0)
    const told = audit.flatMap(({ losses }) => losses ?? [])
    expect(told).toContainEqual(expect.objectContaining({ what: expect.stringContaining('the bridge removes') }))
  })

  it('is removed when it cannot be started, for which command lines wait, and no other is', async () => {
    const { socket, listening, asked } = await oldEngine()
    const client = new Client(socket, '1.44')
    const removals = (): number => asked.filter(({ method }) => method === 'DELETE').length
    expect((await client.post('/containers/web/start')).status).toBe(404)
    expect(removals()).toBe(0)
    await client.post('/containers/create', AUTO)
    const waiting = client.post('/containers/web/wait?condition=removed')
    await expect.poll(() => listening.size).toBe(1)
    expect((await client.post('/containers/web/start')).json()).toEqual({ message: 'no such file or directory' })
    expect((await waiting).json()).toEqual({ StatusCode: 0 })
    expect(removals()).toBe(1)
  })

  it('is removed when it stopped after the engine ended its events', { tags: 'slow' }, async () => {
    const { socket, listening, asked, happens } = await oldEngine()
    await new Client(socket, '1.44').post('/containers/create', AUTO)
    await expect.poll(() => listening.size).toBe(1)
    for (const res of listening) res.end()
    await expect.poll(() => listening.size).toBe(0)
    happens('die')
    await expect.poll(() => asked.some(({ method }) => method === 'DELETE'), { timeout: 5000 }).toBe(true)
    await expect.poll(() => listening.size).toBe(0)
  })
})
