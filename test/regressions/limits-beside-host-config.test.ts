import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

/** Docker.DotNet 1.x, Perl's Eixo::Docker and others got containers without the limits that they had asked for. */
describe('a create with limits beside HostConfig', () => {
  const make = stages()
  const received: string[] = []
  const script = {
    onRequest: async (req: IncomingMessage, res: ServerResponse) => {
      received.push(await text(req))
      res.writeHead(201, { 'Content-Type': 'application/json' }).end('{"Id":"a","Warnings":[]}')
    },
  }
  const create = async (path: string, body: string): Promise<string | undefined> => {
    const { socket } = await make(script)
    expect(await call(socket, path, { method: 'POST', body })).toMatchObject({ status: 201 })
    return received.pop()
  }

  it.each([
    ['{"Image":"i","Memory":5,"Cpuset":"0","HostConfig":{"Memory":0}}', { Memory: 5, CpusetCpus: '0' }],
    ['{"image":"i","memory":5,"hostconfig":{"memory":6}}', { Memory: 6 }],
    ['{"Image":"i","CpuShares":2}', { CpuShares: 2 }],
  ])('keeps them where it requests no version: %s', async (body, hostConfig) => {
    expect(JSON.parse((await create('/containers/create', body)) ?? '')).toMatchObject({ HostConfig: hostConfig })
  })

  it.each([
    ['/containers/create', '{ "Image":"i", "HostConfig":{"Memory":5} }'],
    ['/v1.51/containers/create', '{ "Image":"i", "Memory":5, "HostConfig":{} }'],
  ])('reaches the engine byte for byte where there is none, or the version has none: %s %s', async (path, body) => {
    expect(await create(path, body)).toBe(body)
  })
})
