import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import { engine28 } from '../support/scripted-engine.ts'

/** The bridge put back what the client's version does not show, and asked at 1.44, where the engine drops it again. */
const stage = stages()
const ContainerSpec = {
  Image: 'a',
  Mounts: [{ Type: 'tmpfs', Target: '/t', TmpfsOptions: { Options: [['noexec']] } }],
  OomScoreAdj: 5,
}
const service = { ID: 's', Version: { Index: 7 }, Spec: { Name: 's', TaskTemplate: { ContainerSpec } } }

it.each([
  ['1.51', '1.41', '/v1.46/'],
  ['1.54', '1.41', '/v1.52/'],
  ['1.51', '1.50', '/v1.50/'],
])(
  'an update of a service on an engine of %s by a client of %s is asked at %s with all its options',
  async (highest, client, prefix) => {
    const sent: string[] = []
    const { socket } = await stage({
      version: { ...engine28, ApiVersion: highest, MinAPIVersion: '1.44' },
      onRequest: (req, res) => {
        res.setHeader('Content-Type', 'application/json')
        if (req.method === 'GET') return void res.end(JSON.stringify(service))
        sent.push(req.url ?? '')
        req.setEncoding('utf8').on('data', (part: string) => sent.push(part))
        req.on('end', () => res.end('{"Warnings":null}'))
      },
    })
    const { Spec } = JSON.parse((await call(socket, `/v${client}/services/s`)).text)
    const body = JSON.stringify({ ...Spec, Labels: { a: 'b' } })
    const { status } = await call(socket, `/v${client}/services/s/update?version=7`, { method: 'POST', body })
    expect(status).toBe(200)
    expect(sent.shift()).toBe(`${prefix}services/s/update?version=7`)
    expect(JSON.parse(sent.join(''))).toMatchObject({ Labels: { a: 'b' }, TaskTemplate: { ContainerSpec } })
  },
)
