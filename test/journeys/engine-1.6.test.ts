import { describe, expect, it } from 'vitest'
import { type Stage, stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import type { Script } from '../support/scripted-engine.ts'

/** A newer client on the engines 1.6 and 1.7, over real sockets. */
const make = stages()
/** Clients are told that the bridge goes up to 1.25. */
const stage = (script: Script): Promise<Stage> => make(script, ['--announce-api', '1.25'])
const engine16 = { ApiVersion: '1.18', Version: '1.6.2', Os: 'linux', Arch: 'amd64' }
const engine17 = { ApiVersion: '1.19', Version: '1.7.1', Os: 'linux', Arch: 'amd64' }

const reading = (total: number): string =>
  JSON.stringify({ read: 't', network: {}, cpu_stats: { cpu_usage: { total_usage: total }, system_cpu_usage: 9 } })

/** A tar of one file of `size` bytes, its header as Go writes it. */
function tarOf(name: string, size: number, type: string, link = ''): Buffer {
  const block = Buffer.alloc(512)
  block.write(name, 0)
  block.write('0004755\0', 100)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write('14000000000\0', 136)
  block.write(type, 156)
  block.write(link, 157)
  block.write('ustar\0', 257)
  return Buffer.concat([block, Buffer.alloc(Math.ceil(size / 512) * 512, 'x'), Buffer.alloc(1024)])
}

const statOf = (header: string | string[] | undefined): unknown =>
  JSON.parse(Buffer.from(String(header), 'base64').toString())

describe('stats of a 1.6 engine, which always sends a stream', () => {
  it('are one reading with the one before it when the client asks for one, and the engine is left alone after it', async () => {
    let stopped = 0
    const { socket, engine } = await stage({
      version: engine16,
      onRequest: (req, res) => {
        if (!req.url?.includes('/stats')) {
          res.setHeader('Content-Type', 'application/json')
          res.end(JSON.stringify({ Id: 'c1', Name: '/web', State: { Running: true }, HostConfig: {} }))
          return
        }
        res.setHeader('Content-Type', 'application/json')
        let total = 0
        const timer = setInterval(() => res.write(reading(++total)), 5) // 1.6 puts nothing between the records
        res.on('close', () => {
          clearInterval(timer)
          stopped++
        })
      },
    })
    const { status, text } = await call(socket, '/v1.24/containers/web/stats?stream=0')
    const record = JSON.parse(text)
    expect(status).toBe(200)
    expect(record.cpu_stats.cpu_usage.total_usage).toBe(2)
    expect(record.precpu_stats.cpu_usage.total_usage).toBe(1)
    await expect.poll(() => stopped).toBe(1)
    expect(engine.seen.filter((line) => line.includes('/stats'))).toEqual(['GET /v1.18/containers/web/stats'])
  })
})

describe('archive on an engine that has only copy', () => {
  const copies = (tar: Buffer) =>
    stage({
      version: engine17,
      onRequest: (req, res) => {
        let asked = ''
        req.on('data', (chunk) => {
          asked += String(chunk)
        })
        req.on('end', () => {
          const resource = JSON.parse(asked === '' ? '{}' : asked).Resource
          if (resource === '/nosuch') {
            res.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8' })
            res.end(`Could not find the file ${resource} in container web\n`)
          } else if (req.url?.includes('/gone/')) {
            res.writeHead(404)
            res.end()
          } else {
            res.setHeader('Content-Type', 'application/x-tar')
            res.end(tar)
          }
        })
      },
    })

  it('is the tar of copy, with the stat of its first entry', async () => {
    const tar = tarOf('big', 100_000, '0')
    const { socket, engine } = await copies(tar)
    const { status, headers, text } = await call(socket, '/v1.24/containers/web/archive?path=/big')
    expect(status).toBe(200)
    expect(text.length).toBe(tar.length)
    expect(headers['content-type']).toBe('application/x-tar')
    expect(statOf(headers['x-docker-container-path-stat'])).toEqual({
      name: 'big',
      size: 100_000,
      mode: 0o755 + 2 ** 23,
      mtime: new Date(0o14000000000 * 1000).toISOString().replace('.000Z', 'Z'),
      linkTarget: '',
    })
    expect(engine.seen).toEqual(['POST /v1.19/containers/web/copy', 'POST /v1.19/containers/web/copy'])
  })

  it('is the stat alone when only the head is asked for', async () => {
    const { socket } = await copies(tarOf('sh', 0, '2', '/bin/busybox'))
    const { status, headers } = await call(socket, '/v1.24/containers/web/archive?path=/bin/sh', { method: 'HEAD' })
    expect(status).toBe(200)
    expect(statOf(headers['x-docker-container-path-stat'])).toMatchObject({ name: 'sh', linkTarget: '/bin/busybox' })
  })

  it('is 404 for a missing file and for a missing container, in the form of the client', async () => {
    const { socket } = await copies(Buffer.alloc(0))
    const file = await call(socket, '/v1.24/containers/web/archive?path=/nosuch')
    expect([file.status, JSON.parse(file.text).message]).toEqual([
      404,
      'Could not find the file /nosuch in container web',
    ])
    const container = await call(socket, '/v1.22/containers/gone/archive?path=/x')
    expect([container.status, container.text]).toEqual([404, 'no such id: gone\n'])
  })
})

describe('logs of an unknown container of a 1.7 engine', () => {
  it('are 404 and not an error text with 200', async () => {
    const { socket } = await stage({
      version: engine17,
      onRequest: (req, res) => {
        const known = req.url?.includes('/logs')
        res.writeHead(known ? 200 : 404, { 'Content-Type': 'text/plain; charset=utf-8' })
        res.end(known ? 'Error running logs job: no such id: nosuch\n' : 'no such id: nosuch\n')
      },
    })
    const { status, text } = await call(socket, '/v1.22/containers/nosuch/logs?stdout=1')
    expect([status, text]).toEqual([404, 'no such id: nosuch\n'])
  })
})
