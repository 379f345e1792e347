import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

/** One `GET /info` that failed was remembered with the engine: every later create at 1.40 lacked `CgroupnsMode: host`. */
describe('the cgroup namespace of a create at 1.40', () => {
  const stage = stages()

  it.each([
    ['an error', (res: ServerResponse) => res.writeHead(500).end('{"message":"busy"}')],
    ['what is no JSON', (res: ServerResponse) => res.end('<html>')],
    ['what is no object', (res: ServerResponse) => res.end('[]')],
    ['a broken connection', (res: ServerResponse) => res.destroy()],
    ['nothing in time', () => undefined],
  ])('is right again after a GET /info that was answered with %s', async (_, fail) => {
    const infos: ((res: ServerResponse) => unknown)[] = [fail]
    const created: string[] = []
    const { socket } = await stage(
      {
        onRequest: (req, res) => {
          res.setHeader('Content-Type', 'application/json')
          if (req.url?.endsWith('/info')) {
            const answer = infos.shift() ?? (() => res.end('{"CgroupVersion":"1","SecurityOptions":["name=cgroupns"]}'))
            return void answer(res)
          }
          let body = ''
          req.on('data', (chunk) => {
            body += chunk
          })
          req.on('end', () => {
            created.push(JSON.parse(body).HostConfig?.CgroupnsMode)
            res.writeHead(201).end('{"Id":"x","Warnings":[]}')
          })
        },
      },
      ['--answer-timeout', '300ms'],
    )
    const create = { method: 'POST', body: '{"Image":"busybox","HostConfig":{}}' }
    await call(socket, '/v1.40/containers/create', create)
    await call(socket, '/v1.40/containers/create', create)
    expect(created.at(-1)).toBe('host')
  })
})
