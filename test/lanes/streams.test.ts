import http from 'node:http'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, eventually, RawConnection } from '../support/client.ts'

const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: docker\r\n${headers}\r\n`

describe('streams', () => {
  const stage = stages()

  it.each(['/v1.44/events', '/v1.20/events', '/v1.44/containers/x/logs?follow=1', '/v1.44/containers/x/wait'])(
    'sends the head of %s at once, before there is a body',
    async (path) => {
      const { socket } = await stage({
        onRequest: (_req, res) => {
          res.writeHead(200, { 'Content-Type': 'application/json' })
          res.flushHeaders()
        },
      })
      const client = new RawConnection(socket)
      client.send(path.endsWith('wait') ? get(path).replace('GET', 'POST') : get(path))
      await client.until((text) => text.includes('HTTP/1.1 200 OK') && text.includes('\r\n\r\n'))
      client.socket.destroy()
    },
  )

  it.each(['/v1.44/events', '/v1.20/events', '/v1.44/containers/x/logs?follow=1', '/v1.44/containers/x/stats'])(
    'closes the engine’s connection when the client leaves %s, fifty times over',
    async (path) => {
      const { socket, engine } = await stage({
        onRequest: (_req, res) => {
          res.writeHead(200)
          res.write('{}\n')
        },
      })
      for (let i = 0; i < 50; i++) {
        const client = new RawConnection(socket)
        client.send(get(path))
        await client.until((text) => text.includes('\r\n\r\n'))
        client.socket.destroy()
      }
      // One kept-alive connection of the pool may stay for the next call.
      await eventually(() => engine.connections.size <= 2, 'the connections are closed')
    },
  )

  it('cancels a build on the engine when the client leaves in the middle of its upload', async () => {
    let arrived = ''
    let cancelled = false
    const { socket } = await stage({
      onRequest: (req) => {
        req.on('data', (chunk: Buffer) => {
          arrived += chunk.toString()
        })
        req.on('close', () => {
          cancelled = !req.complete
        })
      },
    })
    const client = new RawConnection(socket)
    client.send('POST /v1.44/build HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n')
    await eventually(() => arrived === 'hello', 'the engine has the beginning of the upload')
    client.socket.destroy()
    await eventually(() => cancelled, 'the engine sees the upload cut')
  })

  it('carries a large upload and a large download byte for byte, with a slow reader at each end', async () => {
    const size = 24 << 20
    let uploaded = 0
    const { socket } = await stage({
      onRequest: (req, res) => {
        if (req.method === 'PUT') {
          req.on('data', (chunk: Buffer) => {
            uploaded += chunk.length
            req.pause()
            setImmediate(() => req.resume())
          })
          req.on('end', () => res.end())
          return
        }
        res.writeHead(200, { 'Content-Type': 'application/x-tar' })
        const chunk = Buffer.alloc(1 << 20, 7)
        const write = (left: number): void => {
          if (left === 0) res.end()
          else if (res.write(chunk)) setImmediate(write, left - chunk.length)
          else res.once('drain', () => write(left - chunk.length))
        }
        write(size)
      },
    })
    const put = await call(socket, '/v1.44/containers/x/archive?path=/', {
      method: 'PUT',
      body: Buffer.alloc(size, 1),
      headers: { 'Content-Type': 'application/x-tar' },
    })
    expect([put.status, uploaded]).toEqual([200, size])
    const got = await new Promise<number>((resolve, reject) => {
      http.get({ socketPath: socket, path: '/v1.44/containers/x/export' }, (res) => {
        let bytes = 0
        res.on('data', (part: Buffer) => {
          bytes += part.length
          res.pause()
          setImmediate(() => res.resume())
        })
        res.on('end', () => resolve(bytes))
        res.on('error', reject)
      })
    })
    expect(got).toBe(size)
  })

  it('does not buffer an endless answer for a client that stops reading', async () => {
    let written = 0
    const { socket } = await stage({
      onRequest: (_req, res) => {
        res.writeHead(200)
        const chunk = Buffer.alloc(64 << 10)
        const timer = setInterval(() => {
          for (let i = 0; i < 20 && !res.writableNeedDrain; i++) {
            res.write(chunk)
            written += chunk.length
          }
        }, 1)
        res.on('close', () => clearInterval(timer))
      },
    })
    const client = new RawConnection(socket)
    client.send(get('/v1.44/containers/x/logs'))
    await client.until((text) => text.includes('\r\n\r\n'))
    client.socket.pause()
    await new Promise((resolve) => setTimeout(resolve, 400))
    const after = written
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(written - after).toBeLessThan(1 << 20)
    expect(written).toBeLessThan(32 << 20)
    client.socket.destroy()
  })

  it('asks for the upload only when the engine does (Expect: 100-continue)', async () => {
    const { socket } = await stage({
      onContinue: (req, res) => {
        if (req.url?.includes('refuse')) {
          res.writeHead(404, { 'Content-Type': 'application/json', 'Content-Length': 16 })
          res.end('{"message":"no"}')
          return
        }
        res.writeContinue()
        req.resume()
        req.on('end', () => res.end('done'))
      },
    })
    const ask = (name: string): string =>
      `PUT /v1.44/containers/${name}/archive?path=/ HTTP/1.1\r\nHost: d\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n`
    const willing = new RawConnection(socket)
    willing.send(ask('x'))
    await willing.until((text) => text.startsWith('HTTP/1.1 100 Continue\r\n\r\n'))
    willing.send('data')
    await willing.until((text) => text.endsWith('done'))
    const unwilling = new RawConnection(socket)
    unwilling.send(ask('refuse'))
    expect(await unwilling.until((text) => text.includes('no'))).toMatch(/^HTTP\/1\.1 404 /)
    willing.socket.destroy()
    unwilling.socket.destroy()
  })

  it.each([
    ['pass', '/v1.44/containers/x/export'],
    ['pass', '/v1.44/containers/x/top'],
    ['records', '/v1.20/events'],
  ])('cuts the client’s call when the engine breaks off in the middle of an answer, %s lane', async (_lane, path) => {
    const { socket } = await stage({
      onRequest: (_req, res) => {
        res.writeHead(200)
        res.write('{"status":"start","id":"a"')
        setTimeout(() => res.socket?.destroy(), 30)
      },
    })
    const client = new RawConnection(socket)
    client.send(get(path))
    const text = await client.untilEnd()
    expect(text).not.toMatch(/\r\n0\r\n\r\n$/) // no orderly end of the chunks
  })

  it('answers 502 in the client’s form when the engine breaks off before it answers', async () => {
    const { socket } = await stage({ onRequest: (req) => req.socket.destroy() })
    const old = await call(socket, '/v1.18/containers/x/json')
    expect(old).toMatchObject({
      status: 502,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'enginebridge-error': 'engine-broke-off' },
    })
    const stream = await call(socket, '/v1.44/containers/x/logs')
    expect(stream).toMatchObject({ status: 502, headers: { 'content-type': 'application/json' } })
  })

  it('never sends a call that changes state a second time', async () => {
    const { socket, engine } = await stage({
      onRequest: (req, res) => {
        if (req.method === 'GET') res.end('{}')
        else req.socket.destroy()
      },
    })
    expect((await call(socket, '/v1.44/containers/x/kill', { method: 'POST' })).status).toBe(502)
    expect((await call(socket, '/v1.18/containers/create', { method: 'POST', body: '{"Image":"x"}' })).status).toBe(502)
    expect(engine.seen.filter((line) => line.startsWith('POST'))).toEqual([
      'POST /v1.44/containers/x/kill',
      'POST /v1.44/containers/create',
    ])
  })
})

describe('record streams', () => {
  const stage = stages()
  const events = [
    {
      status: 'start',
      id: 'a',
      from: 'busybox',
      Type: 'container',
      Action: 'start',
      Actor: { ID: 'a', Attributes: { name: 'grün' } },
      scope: 'local',
      time: 5,
    },
    { Type: 'network', Action: 'connect', Actor: { ID: 'n', Attributes: {} }, scope: 'local', time: 5 },
    {
      status: 'die',
      id: 'a',
      from: 'busybox',
      Type: 'container',
      Action: 'die',
      Actor: { ID: 'a', Attributes: {} },
      scope: 'local',
      time: 6,
    },
  ]

  it('translates each record and flushes it at once, wherever the engine cuts its chunks', async () => {
    const bytes = Buffer.from(events.map((event) => JSON.stringify(event)).join(''))
    const { socket } = await stage({
      onRequest: (_req, res) => {
        res.writeHead(200, { 'Content-Type': 'application/json' })
        let at = 0
        const timer = setInterval(() => {
          res.write(bytes.subarray(at, at + 7)) // cuts the ü in two, among others
          at += 7
          if (at >= bytes.length) clearInterval(timer)
        }, 1)
      },
    })
    const client = new RawConnection(socket)
    client.send(get('/v1.18/events'))
    const text = await client.until((seen) => seen.includes('"die"'))
    const body = text.slice(text.indexOf('\r\n\r\n') + 4)
    const lines = body.split('\r\n').filter((line) => line.startsWith('{'))
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { status: 'start', id: 'a', from: 'busybox', time: 5 },
      { status: 'die', id: 'a', from: 'busybox', time: 6 },
    ])
    client.socket.destroy()
  })

  it('passes records as they come with --record-streams untouched', async () => {
    const raw = `${JSON.stringify(events[0])}\n`
    const { socket } = await stage({ onRequest: (_req, res) => res.end(raw) }, ['--record-streams', 'untouched'])
    expect((await call(socket, '/v1.18/events')).text).toBe(raw)
  })
})
