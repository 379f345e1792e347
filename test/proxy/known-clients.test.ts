import type http from 'node:http'
import { describe, expect, it } from 'vitest'
import { knownClients } from '../../rules/clients.ts'
import { apiVersion } from '../../src/api/version.ts'
import { dispatch } from '../../src/cli/dispatch.ts'
import { knownClient } from '../../src/proxy/steps/known-clients.ts'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import { captured } from '../support/io.ts'

const COMPOSE = 'docker-compose/1.29.2 docker-py/5.0.3 Linux/6.1.0'
const image = { Id: 'sha256:1', Size: 7, Config: {}, RepoTags: ['a:1'] }
const info = { Debug: true }
const died = {
  status: 'die',
  id: 'c1',
  from: 'a',
  Type: 'container',
  Action: 'die',
  Actor: { ID: 'c1', Attributes: { exitCode: '3' } },
  time: 1,
}
const onRequest: http.RequestListener = (req, res) => {
  res.setHeader('Api-Version', '1.51')
  if (req.url?.endsWith('/_ping')) return void res.end('OK')
  res.setHeader('Content-Type', 'application/json')
  res.end(JSON.stringify(req.url?.endsWith('/info') ? info : req.url?.includes('/events') ? died : image))
}

describe('a known client', () => {
  const stage = stages()

  it.each(knownClients.map((row) => [row.example, row] as const))('%s is recognized', (example, row) => {
    expect(knownClient(example)).toBe(row)
  })

  it.each([
    ['docker-compose/2.20.0', undefined],
    ['Docker-Client/28.5.2 (linux)', undefined],
    ['Docker-Client/29.7.0 (linux)', undefined],
    ['docker-sdk-python/7.2.0', undefined],
    ['docker-sdk-python/7.1.0', 44],
    ['docker-sdk-python/7.0.0', 41],
    ['docker-py/1.10.6', 24],
    ['docker-py/1.9.0', 22],
    ['python-requests/2.5.3 CPython/2.7.18 Linux/6.1', 22],
    ['docker-compose/1.22.0-rc1 docker-py/3.4.1 Linux/4.9', 43],
    ['Mozilla/5.0 (X11; docker-compose/1.29.2)', undefined],
    ['', undefined],
  ])('"%s" understands %s', (userAgent, understands) => {
    expect(knownClient(userAgent)?.understands).toBe(understands)
  })

  it('is told the newest version that it understands, by /version, _ping and every answer', async () => {
    const { socket, audit } = await stage({ onRequest })
    const as = (agent: string, path: string) => call(socket, path, { headers: { 'User-Agent': agent } })
    const said = await as(COMPOSE, '/version')
    expect(JSON.parse(said.text)).toMatchObject({ ApiVersion: '1.43' })
    expect((await as(COMPOSE, '/_ping')).headers['api-version']).toBe('1.43')
    expect(audit.at(-1)).toMatchObject({
      knownClient: { name: 'Docker Compose 1', told: '1.43' },
      clientVersion: '1.43',
    })
    const other = await as('curl/8.0', '/version')
    expect(JSON.parse(other.text)).toMatchObject({ ApiVersion: '1.51' })
    expect(audit.at(-1)?.knownClient).toBeUndefined()
  })

  it('gets what it reads also where it asks for a newer version, or for none', async () => {
    const { socket } = await stage({ onRequest })
    for (const path of ['/v1.51/images/a/json', '/images/a/json', '/v1.43/images/a/json']) {
      const { text } = await call(socket, path, { headers: { 'User-Agent': COMPOSE } })
      expect(JSON.parse(text), path).toHaveProperty('ContainerConfig')
    }
    const { text } = await call(socket, '/v1.51/images/a/json', { headers: { 'User-Agent': 'curl/8.0' } })
    expect(JSON.parse(text)).not.toHaveProperty('ContainerConfig')
  })

  it('is told the engine’s own version where that is older, and the same as all others with --known-clients off', async () => {
    const version = { ApiVersion: '1.41', MinAPIVersion: '1.12', Version: '20.10.24', Os: 'linux', Arch: 'amd64' }
    const older = await stage({ onRequest, version })
    const off = await stage({ onRequest }, ['--known-clients', 'off'])
    const told = async (socket: string) =>
      JSON.parse((await call(socket, '/version', { headers: { 'User-Agent': COMPOSE } })).text).ApiVersion
    expect([await told(older.socket), await told(off.socket)]).toEqual(['1.41', '1.51'])
  })

  it.each([
    ['Docker-Client/20.10.24 (linux)', '1.22', '1.44'],
    ['Docker-Client/20.10.24 (linux)', '1.41', '1.41'],
    ['Docker-Client/28.5.2 (linux)', '1.18', '1.44'],
    ['Docker-Client/29.7.0 (linux)', '1.41', '1.44'],
    ['Docker-Client/29.7.0 (linux)', '1.51', '1.51'],
    ['curl/8.0', '1.22', '1.22'],
  ])('%s is told, of an engine of %s, that it speaks %s', async (agent, highest, told) => {
    const version = { ApiVersion: highest, Version: '1', Os: 'linux', Arch: 'amd64' }
    const { socket } = await stage({ onRequest, version })
    const headers = { 'User-Agent': agent }
    expect(JSON.parse((await call(socket, '/version', { headers })).text)).toMatchObject({ ApiVersion: told })
    expect((await call(socket, `/v${told}/images/a/json`, { headers })).status).toBe(200)
  })

  it.each([
    ['Go-http-client/1.1', '1.18', true, '1.19'],
    ['Docker-Client/1.6.2', '1.18', 1, '1.18'],
    ['go-dockerclient', '1.18', true, '1.19'],
    ['Go 1.1 package http', '1.18', 1, '1.18'],
    ['Go-http-client/1.1', '1.17', true, '1.19'],
    ['Swipely/Docker-API 1.34.2', '1.16', true, '1.19'],
    ['Go-http-client/1.1', '1.20', true, '1.20'],
  ])('%s at %s reads Debug of info as %s: it is served at %s', async (agent, asked, debug, served) => {
    const { socket, audit } = await stage({ onRequest })
    const headers = { 'User-Agent': agent }
    expect(JSON.parse((await call(socket, `/v${asked}/info`, { headers })).text).Debug).toBe(debug)
    expect(audit.at(-1)).toMatchObject({ prefix: asked, clientVersion: served })
    await call(socket, `/v${asked}/images/a/json`, { headers })
    expect(audit.at(-1), 'every other call').toMatchObject({ clientVersion: asked })
  })

  it.each([
    ['go-dockerclient', '', '1.42'],
    ['Jersey/2.22.2 (Apache HttpClient 4.5)', '', '1.42'],
    ['Apache-HttpClient/4.5.13 (Java/17.0.9)', '', '1.42'],
    ['Apache-HttpClient/5.0.3 (Java/17.0.9)', '', '1.42'],
    ['Go-http-client/1.1', '', '1.42'],
    ['kitematic', '', '1.42'],
    ['Docker.DotNet', '', '1.42'],
    ['Go-http-client/1.1', '/v1.51', '1.51'],
    ['curl/8.0', '', '1.51'],
  ])('%s that asks for images at "%s" is served at %s', async (agent, prefix, served) => {
    const { socket, audit } = await stage({ onRequest })
    const headers = { 'User-Agent': agent }
    const { text } = await call(socket, `${prefix}/images/a/json`, { headers })
    expect(audit.at(-1)).toMatchObject({ clientVersion: served })
    expect(JSON.parse(text).VirtualSize).toBe(served === '1.42' ? 7 : undefined)
    await call(socket, `${prefix}/containers/a/json`, { headers })
    expect(audit.at(-1), 'every other call').toMatchObject({ clientVersion: '1.51' })
  })

  it.each([
    ['Go-http-client/1.1', '', '1.51'],
    ['go-dockerclient', '', '1.51'],
    ['Go-http-client/1.1', '/v1.53', '1.53'],
    ['kitematic', '', '1.51'],
    ['curl/8.0', '', '1.53'],
  ])(
    '%s that asks an engine of 1.53 for a container or events at "%s" is served at %s',
    async (agent, prefix, served) => {
      const container = {
        Id: 'c1',
        HostConfig: { NetworkMode: 'bridge' },
        NetworkSettings: { Networks: { bridge: { IPAddress: '172.17.0.2' } } },
      }
      const { status, id, ...event } = died
      const version = { ApiVersion: '1.53', MinAPIVersion: '1.44', Version: '29.0.0', Os: 'linux', Arch: 'amd64' }
      const { socket, audit } = await stage({
        version,
        onRequest: (req, res) => {
          res.setHeader('Content-Type', 'application/json')
          res.end(JSON.stringify(req.url?.includes('/events') ? event : container))
        },
      })
      const headers = { 'User-Agent': agent }
      const older = served === '1.51'
      const { NetworkSettings } = JSON.parse((await call(socket, `${prefix}/containers/c1/json`, { headers })).text)
      expect(audit.at(-1)).toMatchObject({ clientVersion: served })
      expect(NetworkSettings.IPAddress).toBe(older ? '172.17.0.2' : undefined)
      const said = JSON.parse((await call(socket, `${prefix}/events?since=1&until=2`, { headers })).text)
      expect([said.status, said.id]).toEqual(older ? [status, id] : [undefined, undefined])
    },
  )

  it.each(['1.40', '1.51'])(
    'that asks for images with no version is served at the one that --unversioned-api says: %s',
    async (version) => {
      const { socket, audit } = await stage({ onRequest }, ['--unversioned-api', version])
      await call(socket, '/images/a/json', { headers: { 'User-Agent': 'go-dockerclient' } })
      expect(audit.at(-1)).toMatchObject({ clientVersion: version })
    },
  )

  it('on requests alone, with no docker-py, is served at the version that it asks for', async () => {
    const { socket, audit } = await stage({ onRequest })
    const headers = { 'User-Agent': 'python-requests/2.31.0' }
    expect(JSON.parse((await call(socket, '/version', { headers })).text)).toMatchObject({ ApiVersion: '1.22' })
    for (const [path, clientVersion] of [
      ['/v1.44/containers/c1/json', '1.44'],
      ['/containers/c1/json', '1.51'],
      ['/v1.22/containers/c1/json', '1.22'],
    ] as const) {
      await call(socket, path, { headers })
      expect(audit.at(-1)).toMatchObject({ clientVersion })
    }
  })

  it.each([
    ['Jersey/2.22.2 (Apache HttpClient 4.5)', []],
    ['Docker.DotNet', []],
    ['curl/8.0', null],
  ])('%s without a version is told of a network without subnets %j', async (agent, subnets) => {
    const { socket } = await stage({
      onRequest: (_, res) => {
        res.setHeader('Content-Type', 'application/json')
        res.end('[{"Name":"none","IPAM":{"Driver":"default","Options":null,"Config":null}}]')
      },
    })
    const { text } = await call(socket, '/networks', { headers: { 'User-Agent': agent } })
    expect(JSON.parse(text)[0].IPAM.Config).toEqual(subnets)
  })

  it('Docker.DotNet without a version reads newer members, too: its fork of today has the same User-Agent', async () => {
    const { socket } = await stage({
      onRequest: (_, res) => {
        res.setHeader('Content-Type', 'application/json')
        res.end('[{"Id":"sha256:1","Size":7,"RepoTags":["a:1"],"Manifests":[{"ID":"m"}]}]')
      },
    })
    const { text } = await call(socket, '/images/json?manifests=1', { headers: { 'User-Agent': 'Docker.DotNet' } })
    expect(JSON.parse(text)[0]).toMatchObject({ VirtualSize: 7, Manifests: [{ ID: 'm' }] })
  })

  it.each([
    ['Go-http-client/1.1', '1.21', '3'],
    ['go-dockerclient', '1.18', '3'],
    ['Traefik v1.3.8', '1.21', '3'],
    ['engine-api-cli-1.0', '1.21', '3'],
    ['Swipely/Docker-API 1.34.2', '1.16', '3'],
    ['Docker-Client/1.9.1 (linux)', '1.21', undefined],
  ])('%s at %s reads %s as the exit code in events', async (agent, asked, code) => {
    const { socket } = await stage({ onRequest })
    const headers = { 'User-Agent': agent }
    const event = JSON.parse((await call(socket, `/v${asked}/events?since=1&until=2`, { headers })).text)
    expect(event).toMatchObject({ status: 'die', id: 'c1' })
    expect(event.Actor?.Attributes.exitCode).toBe(code)
    expect(event.Action).toBe(code && 'die')
  })

  it.each([
    ['Go-http-client/1.1', '1.21', ['health_status: healthy', 'exec_die']],
    ['engine-api-cli-1.0', '1.22', ['health_status: healthy', 'exec_die']],
    ['Docker-Client/1.12.6 (linux)', '1.22', []],
  ])('%s at %s reads, of events that engines send at every version, %j', async (agent, asked, actions) => {
    const events = [
      { Type: 'container', Action: 'health_status: healthy', Actor: { ID: 'c1' } },
      { Type: 'container', Action: 'exec_die', Actor: { ID: 'c1' } },
    ]
    const { socket } = await stage({
      onRequest: (_, res) => {
        res.setHeader('Content-Type', 'application/json')
        res.end(events.map((event) => JSON.stringify(event)).join('\n'))
      },
    })
    const { text } = await call(socket, `/v${asked}/events?since=1&until=2`, { headers: { 'User-Agent': agent } })
    const read = text.split('\n').filter((line) => line !== '')
    expect(read.map((line) => JSON.parse(line).Action)).toEqual(actions)
  })

  it.each([
    ['Go-http-client/1.1', [], true],
    ['go-dockerclient', [], true],
    ['Traefik v1.3.8', [], true],
    ['engine-api-cli-1.0', [], true],
    ['Swipely/Docker-API 1.34.2', [], true],
    ['Apache-HttpClient/5.0.3 (Java/17.0.9)', [], true],
    ['docker-py/1.10.6', [], true],
    ['docker-sdk-python/3.7.3', [], true],
    ['docker-sdk-python/7.2.0', [], true],
    ['Docker-Client/17.03.0-ce (linux)', [], false],
    ['Go-http-client/1.1', ['--known-clients', 'off'], false],
  ])('%s at 1.25 with %j reads and sends members of newer versions: %s', async (agent, flags, whole) => {
    const HostConfig = { DeviceCgroupRules: ['c 42:* rwm'], CgroupnsMode: 'private' }
    const sent: string[] = []
    const { socket } = await stage(
      {
        onRequest: (req, res) => {
          res.setHeader('Content-Type', 'application/json')
          if (req.method === 'GET')
            return void res.end(JSON.stringify({ Id: 'c1', Config: { Image: 'a' }, HostConfig }))
          req.setEncoding('utf8').on('data', (part: string) => sent.push(part))
          req.on('end', () => res.writeHead(201).end('{"Id":"c2","Warnings":[]}'))
        },
      },
      flags,
    )
    const headers = { 'User-Agent': agent }
    const shown = JSON.parse((await call(socket, '/v1.25/containers/c1/json', { headers })).text)
    expect('DeviceCgroupRules' in shown.HostConfig).toBe(whole)
    const body = JSON.stringify({ Image: 'a', HostConfig })
    await call(socket, '/v1.25/containers/create', { method: 'POST', headers, body })
    const reached = JSON.parse(sent.splice(0).join('')).HostConfig
    if (whole) expect(reached).toMatchObject(HostConfig)
    else expect(reached).not.toHaveProperty('CgroupnsMode')
    const limits = JSON.stringify({ Memory: 9_000_000, PidsLimit: 0 })
    await call(socket, '/v1.25/containers/c1/update', { method: 'POST', headers, body: limits })
    expect(JSON.parse(sent.join('')), 'what engines ignore at that version').not.toHaveProperty('PidsLimit')
  })

  it('in Go at 1.25 leaves out what engines ignore in services at that version, and keeps what they obey', async () => {
    const sent: string[] = []
    const { socket } = await stage({
      onRequest: (req, res) => {
        req.setEncoding('utf8').on('data', (part: string) => sent.push(part))
        req.on('end', () => res.writeHead(201, { 'Content-Type': 'application/json' }).end('{"ID":"s1"}'))
      },
    })
    const obeyed = { Image: 'a', Init: true }
    const ignored = { Ulimits: [{ Name: 'nofile', Soft: 1, Hard: 1 }], Sysctls: { 'net.core.somaxconn': '1' } }
    const body = JSON.stringify({ Name: 's', TaskTemplate: { ContainerSpec: { ...obeyed, ...ignored } } })
    const headers = { 'User-Agent': 'Go-http-client/1.1' }
    await call(socket, '/v1.25/services/create', { method: 'POST', headers, body })
    expect(JSON.parse(sent.join('')).TaskTemplate.ContainerSpec).toEqual(obeyed)
  })

  it('in Go at 1.18 reads texts alone in the version, as go-dockerclient of its time does', async () => {
    const version = JSON.stringify({ ApiVersion: '1.51', Version: '28.5.2', Platform: { Name: '' }, Components: [] })
    const { socket } = await stage({
      onRequest: (_, res) => void res.setHeader('Content-Type', 'application/json').end(version),
    })
    const { text } = await call(socket, '/v1.18/version', { headers: { 'User-Agent': 'go-dockerclient' } })
    expect(JSON.parse(text)).toEqual({ ApiVersion: '1.51', Version: '28.5.2' })
  })

  it('is refused a version above the engine’s as anybody else', async () => {
    const { socket } = await stage({ onRequest })
    const { status, text } = await call(socket, '/v1.52/info', { headers: { 'User-Agent': COMPOSE } })
    expect([status, text]).toEqual([400, expect.stringContaining('client version 1.52 is too new')])
  })

  it('is shown by explain and by doctor', async () => {
    const explained = captured()
    expect(await dispatch(['explain', '--client', 'docker-compose/1.29', '28.5'], explained)).toBe(0)
    expect(explained.out()).toMatch(
      /Docker Compose 1 reads ContainerConfig[\s\S]*It is told\s+1\.43[\s\S]*A client of API 1\.43/,
    )
    const typed = captured()
    await dispatch(['explain', '--client', 'Go-http-client/1.1', '28.5'], typed)
    expect(typed.out()).toMatch(/Newer\s+members\s+pass\s+that\s+engines\s+obey/)
    await expect(dispatch(['explain', '--client', 'curl/8', '28.5'], captured())).rejects.toThrow('"curl/8" is not')
    const { engine } = await stage({ onRequest })
    const looked = captured()
    await dispatch(['doctor', '--json', engine.socket], looked)
    expect(looked.out()).toContain('programs that 1.51 misleads are told another version: Docker Compose 1 (1.43)')
  })
})

describe('a call without a version', () => {
  const stage = stages()

  it('has the version of --unversioned-api, and so has its answer', async () => {
    const { socket, audit } = await stage({ onRequest }, ['--unversioned-api', '1.43'])
    expect(JSON.parse((await call(socket, '/images/a/json')).text)).toHaveProperty('ContainerConfig')
    expect(audit.at(-1)).toMatchObject({ clientVersion: '1.43' })
    expect(JSON.parse((await call(socket, '/v1.51/images/a/json')).text)).not.toHaveProperty('ContainerConfig')
  })

  it('learns the engine’s highest version from _ping and /version all the same', async () => {
    const { socket } = await stage({ onRequest }, ['--unversioned-api', '1.24'])
    expect((await call(socket, '/_ping')).headers['api-version']).toBe('1.51')
    expect(JSON.parse((await call(socket, '/version')).text)).toMatchObject({ ApiVersion: '1.51' })
  })

  it('has the version of its listener where one is said for it', async () => {
    const path = `${stage.folder()}/second.sock`
    const flags = [
      '--listen',
      `unix://${path}`,
      '--unversioned-api',
      '1.43',
      '--unversioned-api',
      `unix://${path}=1.24`,
    ]
    const { socket, audit } = await stage({ onRequest }, flags)
    for (const one of [socket, path]) await call(one, '/images/a/json')
    const seen = audit.filter(({ stage: at }) => at === 'complete').map(({ clientVersion }) => clientVersion)
    expect(seen).toEqual(['1.43', '1.24'])
  })

  it('has the version that a known client understands, where that is lower', async () => {
    const { socket, audit } = await stage({ onRequest }, ['--unversioned-api', '1.50'])
    await call(socket, '/images/a/json', { headers: { 'User-Agent': COMPOSE } })
    expect(audit.at(-1)).toMatchObject({ clientVersion: '1.43' })
    expect(apiVersion(43)).toBe(knownClient(COMPOSE)?.understands)
  })
})
