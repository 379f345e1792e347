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
  const create = async (path: string, body: string, ...flags: string[]): Promise<string> => {
    const { socket } = await make(script, flags)
    expect(await call(socket, path, { method: 'POST', body })).toMatchObject({ status: 201 })
    return received.pop() ?? ''
  }

  it.each([
    ['{"Image":"i","Memory":5,"Cpuset":"0","HostConfig":{"Memory":0}}', { Memory: 5, CpusetCpus: '0' }],
    ['{"image":"i","memory":5,"hostconfig":{"memory":6}}', { Memory: 6 }],
    ['{"Image":"i","CpuShares":2}', { CpuShares: 2 }],
  ])('keeps them where it requests no version: %s', async (body, hostConfig) => {
    for (const validation of ['off', 'warn'])
      expect(JSON.parse(await create('/containers/create', body, '--validation', validation))).toMatchObject({
        HostConfig: hostConfig,
      })
  })

  it('is on record as translated', async () => {
    const { socket, audit } = await make(script)
    await call(socket, '/containers/create', { method: 'POST', body: '{"Image":"i","Memory":5}' })
    expect(audit.at(-1)).toMatchObject({ clientVersion: '1.51', applied: { request: ['1.46/create-top-level-gone'] } })
  })

  it.each([
    ['1.51 is requested', '/v1.51/containers/create'],
    ['1.51 is said to be meant', '/containers/create', '--unversioned-api', '1.51'],
  ])('reaches the engine byte for byte where %s', async (_, path, ...flags) => {
    const body = '{ "Image":"i", "Memory":5, "HostConfig":{} }'
    expect(await create(path, body, ...flags)).toBe(body)
  })

  it.each(['"x"', '[]'])('leaves it to the engine to refuse %s for a HostConfig', async (wrong) => {
    const body = `{"Image":"i","Memory":5,"HostConfig":${wrong}}`
    expect(await create('/containers/create', body)).toBe(`${body}`)
  })
})
