import { describe, expect, it } from 'vitest'
import { parseJson, TranslateError, translate, writeJson } from '../../src/tools/library/library.ts'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const ENGINE = { lowest: '1.44', highest: '1.52', release: '29.0.0' } as const

describe('translate', () => {
  const stage = stages()

  it('gives the same answer as a bridge in front of such an engine', async () => {
    const image = { Id: 'sha256:00', RepoTags: ['a:1'], Created: '2024-01-01T00:00:00Z', Size: 9007199254740993n }
    const text = JSON.stringify({ ...image, Size: 0 }).replace('"Size":0', '"Size":9007199254740993')
    const { socket } = await stage({
      version: { ApiVersion: ENGINE.highest, MinAPIVersion: ENGINE.lowest, Version: ENGINE.release },
      onRequest: (_req, res) => {
        res.setHeader('Content-Type', 'application/json')
        res.end(text)
      },
    })
    for (const client of ['1.18', '1.24', '1.44', '1.52']) {
      const bridged = await call(socket, `/v${client}/images/a/json`)
      const path = `/v${client}/images/a/json`
      const alone = translate({ path, client, engine: ENGINE, direction: 'response' }, { body: parseJson(text) })
      expect(JSON.stringify(JSON.parse(writeJson(alone.body as never)))).toBe(JSON.stringify(JSON.parse(bridged.text)))
      expect(writeJson(alone.body as never)).toContain('9007199254740993')
    }
  })

  it('has no member left that the client does not know, not even as undefined', () => {
    const task = { path: '/v1.22/volumes', client: '1.22', engine: ENGINE, direction: 'response' } as const
    const { body } = translate(task, { body: { Volumes: [{ Name: 'v', CreatedAt: '2026' }], Warnings: null } })
    expect(body).toStrictEqual({ Volumes: [{ Name: 'v' }], Warnings: null })
  })

  it('turns a request of 1.24 into one that an Engine 29 takes, and leaves the given one alone', () => {
    const body = { Image: 'a', Cmd: 'ls', HostConfig: { AutoRemove: true } }
    const path = '/v1.24/containers/create?name=x'
    const done = translate({ method: 'POST', path, client: '1.24', engine: ENGINE, direction: 'request' }, { body })
    expect(done).toMatchObject({
      operation: 'ContainerCreate',
      target: '1.44',
      path: '/v1.44/containers/create',
      query: 'name=x',
      body: { Image: 'a', Cmd: ['ls'], HostConfig: { AutoRemove: false } },
      ignored: ['HostConfig.AutoRemove'],
      losses: [],
    })
    expect(body).toEqual({ Image: 'a', Cmd: 'ls', HostConfig: { AutoRemove: true } })
  })

  it('returns the query of the message, also with a response', () => {
    const options = { operation: 'ImageList', client: '1.24', engine: ENGINE, direction: 'response' } as const
    expect(translate(options, { query: '?all=1', body: [] }).query).toBe('all=1')
  })

  it('returns what was lost, refuses what must not be, and refuses every loss when strict', () => {
    const create = { operation: 'ContainerCreate', client: '1.51', direction: 'request' } as const
    const hint = { body: { Image: 'a', HostConfig: { Annotations: { a: 'b' } } } }
    expect(translate({ ...create, engine: '1.41' }, hint)).toMatchObject({
      body: { Image: 'a', HostConfig: {} },
      losses: [{ what: 'HostConfig.Annotations', needs: '1.43', change: '1.43/annotations' }],
    })
    expect(translate({ ...create, engine: '1.41', losses: 'strict' }, hint).refused).toMatchObject({
      status: 400,
      code: 'loss',
    })
    const limit = { body: { Image: 'a', HostConfig: { PidsLimit: 9 } } }
    expect(translate({ ...create, engine: '1.22' }, limit).refused?.message).toMatch(/PidsLimit.* needs API 1\.23/)
  })

  it('names what each of several objects loses, or has in vain, once, as audit records do', () => {
    const said = ['1.24', '1.52'].map((client) => {
      const endpoint = { GwPriority: 1, DriverOpts: { a: 'b' } }
      const NetworkingConfig = { EndpointsConfig: { one: { ...endpoint }, two: { ...endpoint } } }
      const options = { operation: 'ContainerCreate', client, engine: '1.44', direction: 'request' } as const
      const { losses, ignored } = translate(options, { body: { Image: 'a', NetworkingConfig } })
      return [losses.map(({ what }) => what), ignored]
    })
    expect(said).toEqual([
      [[], ['EndpointSettings.DriverOpts']],
      [['EndpointSettings.GwPriority'], []],
    ])
  })

  it('says of a member that the engine has removed from which version on it is gone', () => {
    const settings = { body: { Image: 'a', HostConfig: { LxcConf: [{ Key: 'lxc.utsname', Value: 'a' }] } } }
    const create = { operation: 'ContainerCreate', client: '1.18', engine: '1.44', direction: 'request' } as const
    expect(translate({ ...create, losses: 'strict' }, settings).refused?.message).toBe(
      'HostConfig.LxcConf is not supported by the engine: it is gone from API 1.22 on and the engine has API 1.44',
    )
  })

  it('writes errors in the form of the client', () => {
    const options = { path: '/containers/x/json', client: '1.18', engine: ENGINE, direction: 'response' } as const
    const done = translate(options, { status: 404, body: { message: 'No such container: x' } })
    expect(done).toMatchObject({
      status: 404,
      text: 'no such id: x\n',
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    })
    expect(done.body).toBeUndefined()
  })

  it('names the changes that only a bridge can make', () => {
    const options = { operation: 'ExecInspect', client: '1.21', engine: ENGINE, direction: 'response' } as const
    expect(translate(options, { body: {} }).notPossible).toContain('1.22/exec-inspect-shape')
  })

  it('does nothing between equal versions', () => {
    const body = { Id: 'x', Whatever: [1, null] }
    const done = translate(
      { operation: 'ContainerInspect', client: '1.52', engine: '1.52', direction: 'response' },
      { body },
    )
    expect(done).toMatchObject({ body, changes: [], notPossible: [] })
  })

  it.each([
    [{ operation: 'Nonsense', client: '1.24', engine: '1.44' }, 'no operation is called Nonsense'],
    [{ method: 'GET', path: '/nonsense', client: '1.24', engine: '1.44' }, 'no operation is GET /nonsense'],
    [
      { method: 'GET', path: '/images/%zz/json', client: '1.24', engine: '1.44' },
      'no operation is GET /images/%zz/json',
    ],
    [{ operation: 'SystemInfo', client: '24', engine: '1.44' }, 'client: "24" is not an API version'],
    [{ operation: 'SystemInfo', client: '1.11', engine: '1.44' }, 'there are rules from 1.12 on'],
    [{ operation: 'SystemInfo', client: '1.24', engine: { highest: '' } }, 'engine: "" is not an API version'],
  ])('throws a sentence for %o', (options, words) => {
    expect(() => translate({ ...options, direction: 'request' })).toThrow(TranslateError)
    expect(() => translate({ ...options, direction: 'request' })).toThrow(words)
  })
})
