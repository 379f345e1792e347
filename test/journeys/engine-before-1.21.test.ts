import type http from 'node:http'
import { describe, expect, it } from 'vitest'
import { type Stage, stages } from '../support/bridge.ts'
import { call, RawConnection } from '../support/client.ts'
import type { Script } from '../support/scripted-engine.ts'

const engine18 = { ApiVersion: '1.20', Version: '1.8.3', Os: 'linux', Arch: 'amd64' }
const engine19 = { ApiVersion: '1.21', Version: '1.9.1', Os: 'linux', Arch: 'amd64' }

const json = (res: http.ServerResponse, status: number, body: unknown): void => {
  res.writeHead(status, { 'Content-Type': 'application/json' })
  res.end(JSON.stringify(body))
}

/** Answers a build in two parts, and notes the tags set. */
const builder =
  (last: object, tagStatus = 201): http.RequestListener =>
  (req, res) => {
    if (!req.url?.includes('/build')) {
      res.writeHead(tagStatus, { 'Content-Type': 'text/plain; charset=utf-8' })
      res.end(tagStatus < 400 ? '' : 'no such id: web\n')
      return
    }
    req.resume()
    res.writeHead(200, { 'Content-Type': 'application/json' })
    res.write(`${JSON.stringify({ stream: 'Step 1 : FROM busybox\n' })}\r\n`)
    res.end(`${JSON.stringify(last)}\r\n`)
  }

describe('a newer client on an engine before 1.21', () => {
  const make = stages()
  /** Clients are told that the bridge goes up to 1.40. */
  const stage = (script: Script): Promise<Stage> => make(script, ['--announce-api', '1.40'])

  it('tags an image with the further names of a build once the build has succeeded', async () => {
    const { socket, engine } = await stage({
      version: engine19,
      onRequest: builder({ stream: 'Successfully built 1\n' }),
    })
    const built = await call(socket, '/v1.22/build?t=web&t=reg:5000/web:2&rm=1', { method: 'POST', body: 'tar' })
    expect(built.status).toBe(200)
    expect(built.text).toContain('Successfully built 1')
    expect(engine.seen).toEqual([
      'POST /v1.21/build?t=web&rm=1',
      'POST /v1.21/images/web/tag?repo=reg%3A5000%2Fweb&tag=2&force=1',
    ])
  })

  it('passes the output of a build on in its chunks, all of it before a further tag is set', async () => {
    const output = `${JSON.stringify({ stream: 'x'.repeat(200_000) })}\r\n`
    const read = Promise.withResolvers<void>()
    const { socket } = await stage({
      version: engine19,
      onRequest: (req, res) => {
        if (req.url?.includes('/build')) res.writeHead(200, { 'Content-Type': 'application/json' }).end(output)
        else void read.promise.then(() => res.writeHead(201).end())
      },
    })
    const client = new RawConnection(socket)
    client.send('POST /v1.22/build?t=web&t=web:2 HTTP/1.1\r\nHost: docker\r\nContent-Length: 0\r\n\r\n')
    const text = await client.until((said) => said.includes('"}\r\n\r\n'))
    read.resolve()
    expect(text).toContain(`\r\n\r\n${output.length.toString(16)}\r\n{`)
    expect(await client.until((said) => said.endsWith('\r\n0\r\n\r\n'))).toHaveLength(text.length + '0\r\n\r\n'.length)
    client.socket.destroy()
  })

  it('sets no further tag when the build has failed', async () => {
    const failed = { errorDetail: { message: 'no' }, error: 'no' }
    const { socket, engine } = await stage({ version: engine19, onRequest: builder(failed) })
    await call(socket, '/v1.22/build?t=web&t=web:2', { method: 'POST', body: 'tar' })
    expect(engine.seen).toEqual(['POST /v1.21/build?t=web'])
  })

  it('ends the output of a build with an error record when a further tag cannot be set', async () => {
    const onRequest = builder({ stream: 'Successfully built 1\n' }, 404)
    const { socket } = await stage({ version: engine19, onRequest })
    const built = await call(socket, '/v1.22/build?t=web&t=web:2', { method: 'POST', body: 'tar' })
    const records = built.text.trim().split('\r\n')
    expect(JSON.parse(records.at(-1) ?? '')).toMatchObject({ error: 'no such id: web' })
  })

  it('shows the three networks that every engine has, filtered as asked', async () => {
    const { socket, engine } = await stage({ version: engine18 })
    const all = await call(socket, '/v1.21/networks')
    const names = (JSON.parse(all.text) as { Name: string }[]).map(({ Name }) => Name)
    expect(names).toEqual(['bridge', 'none', 'host'])
    const filters = encodeURIComponent('{"name":["bridge"]}')
    const one = await call(socket, `/v1.21/networks?filters=${filters}`)
    expect(JSON.parse(one.text)).toMatchObject([{ Name: 'bridge', Driver: 'bridge', Scope: 'local', Containers: {} }])
    const none = await call(socket, `/v1.21/networks?filters=${encodeURIComponent('{"name":[]}')}`)
    expect(JSON.parse(none.text)).toEqual([])
    for (const newer of ['{"name":["ri"]}', '{"type":["builtin"],"driver":["bridge"]}']) {
      const { text } = await call(socket, `/v1.24/networks?filters=${encodeURIComponent(newer)}`)
      expect(JSON.parse(text)).toMatchObject([{ Name: 'bridge' }])
    }
    for (const [dangling, count] of Object.entries({ true: 0, false: 3 })) {
      const filter = encodeURIComponent(JSON.stringify({ dangling: [dangling] }))
      expect(JSON.parse((await call(socket, `/v1.40/networks?filters=${filter}`)).text)).toHaveLength(count)
    }
    const both = encodeURIComponent('{"dangling":["true","false"]}')
    expect((await call(socket, `/v1.40/networks?filters=${both}`)).status).toBe(400)
    expect(engine.seen).toEqual([])
  })

  it('answers 404 to the start of an unknown exec, which engine 1.8 would answer with 200', async () => {
    const { socket, engine } = await stage({
      version: engine18,
      onRequest: (_req, res) => {
        res.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' })
        res.end("No such exec instance 'nosuch' found in daemon\n")
      },
    })
    const body = JSON.stringify({ Detach: false })
    const headers = { 'Content-Type': 'application/json' }
    const started = await call(socket, '/v1.21/exec/nosuch/start', { method: 'POST', headers, body })
    expect(started.status).toBe(404)
    expect(started.text).toBe("No such exec instance 'nosuch' found in daemon\n")
    expect(engine.seen).toEqual(['GET /v1.20/exec/nosuch/json'])
  })

  it('answers one reading of a stopped container with zeros at once', async () => {
    const { socket, engine } = await stage({
      version: engine18,
      onRequest: (_req, res) => json(res, 200, { Id: 'c1', Name: '/old', State: { Running: false } }),
    })
    const stats = await call(socket, '/v1.25/containers/old/stats?stream=0')
    expect(JSON.parse(stats.text)).toMatchObject({ read: '0001-01-01T00:00:00Z', name: '/old', id: 'c1' })
    expect(JSON.parse(stats.text)).not.toHaveProperty('networks')
    expect(engine.seen).toEqual(['GET /v1.20/containers/old/json'])
  })

  it('puts the counters of the only interface under eth0, unless the container uses the host’s network', async () => {
    const counters = { rx_bytes: 0, tx_bytes: 0 }
    const modes: Record<string, string> = { own: 'bridge', host: 'host' }
    const { socket } = await stage({
      version: engine18,
      onRequest: (req, res) => {
        const name = /containers\/(\w+)\//.exec(req.url ?? '')?.[1] ?? ''
        if (req.url?.includes('/stats')) json(res, 200, { read: 't', network: counters })
        else
          json(res, 200, {
            Id: 'c1',
            Name: `/${name}`,
            HostConfig: { NetworkMode: modes[name] },
            State: { Running: true },
          })
      },
    })
    const own = await call(socket, '/v1.21/containers/own/stats?stream=0')
    expect(JSON.parse(own.text)).toMatchObject({ networks: { eth0: counters } })
    const host = await call(socket, '/v1.21/containers/host/stats?stream=0')
    expect(JSON.parse(host.text)).not.toHaveProperty('networks')
  })

  it('keeps only containers whose image descends from the one asked for, and applies the limit to those', async () => {
    const { socket, engine } = await stage({
      version: engine18,
      onRequest: (req, res) =>
        json(
          res,
          200,
          req.url?.includes('/images/')
            ? [
                { Id: 'aaaa1111', RepoTags: ['busybox:latest'], ParentId: '' },
                { Id: 'bbbb2222', RepoTags: ['web:latest'], ParentId: 'aaaa1111' },
              ]
            : [
                { Id: 'c1', Image: 'other' },
                { Id: 'c2', Image: 'web' },
                { Id: 'c3', Image: 'busybox' },
              ],
        ),
    })
    const filters = encodeURIComponent('{"ancestor":["busybox"]}')
    const list = await call(socket, `/v1.21/containers/json?limit=1&filters=${filters}`)
    expect(JSON.parse(list.text)).toMatchObject([{ Id: 'c2', ImageID: 'bbbb2222' }])
    expect(engine.seen).toEqual(['GET /v1.20/containers/json?all=1', 'GET /v1.20/images/json?all=1'])
  })
})
