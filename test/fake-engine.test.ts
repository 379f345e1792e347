import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeEngine, startFakeEngine } from '../src/tools/fake-engine/engine.ts'

let folder: string
let engine: FakeEngine

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'standin-'))
  engine = await startFakeEngine(join(folder, 'engine.sock'))
})
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true })
})

/** Writes bytes, ends its side and returns all that comes back, without the date. */
async function raw(text: string): Promise<string> {
  const socket = net.connect({ path: engine.path, allowHalfOpen: true })
  socket.end(text)
  const chunks: Buffer[] = []
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
    .toString('latin1')
    .replace(/Date: [^\r]*\r\n/, '')
}

const get = (path: string): Promise<string> => raw(`GET ${path} HTTP/1.1\r\nHost: docker\r\nConnection: close\r\n\r\n`)

interface Answered {
  status: number
  text: string
  /** Empty for an answer that is no single JSON value. */
  body: Record<string, unknown>
}

async function ask(method: string, path: string, body?: unknown): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const headers = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const request = http.request({ socketPath: engine.path, method, path, headers, agent: false }, resolve)
  request.on('error', reject)
  request.end(body === undefined ? undefined : JSON.stringify(body))
  const answer = await promise
  const chunks: Buffer[] = []
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('latin1')
  const isJson = answer.headers['content-type'] === 'application/json' && /^[[{n]/.test(text)
  return { status: answer.statusCode ?? 0, text, body: isJson && !text.includes('}\n{') ? JSON.parse(text) : {} }
}

const running = async (name: string, command: string, extra: object = {}): Promise<string> => {
  const made = await ask('POST', `/v1.53/containers/create?name=${name}`, {
    Image: 'busybox',
    Cmd: ['sh', '-c', command],
    ...extra,
  })
  expect(made.status).toBe(201)
  expect((await ask('POST', `/v1.53/containers/${name}/start`)).status).toBe(204)
  return String(made.body['Id'])
}

describe('versions', () => {
  test('a raw 1.18 request gets the recorded refusal of Engine 29 as plain text', async () => {
    const answer = await get('/v1.18/containers/json')
    const [head = '', body] = answer.split('\r\n\r\n')
    expect(body).toBe(
      'client version 1.18 is too old. Minimum supported API version is 1.44, please upgrade your client to a newer version\n',
    )
    expect(head.split('\r\n').sort()).toEqual([
      'Api-Version: 1.53',
      'Content-Length: 117',
      'Content-Type: text/plain; charset=utf-8',
      'HTTP/1.1 400 Bad Request',
      'Ostype: linux',
      'Server: Docker/29.1.0-dev (linux)',
      'X-Content-Type-Options: nosniff',
    ])
  })

  test('a 1.30 request gets the same refusal as JSON', async () => {
    const { status, body } = await ask('GET', '/v1.30/_ping')
    expect(status).toBe(400)
    expect(body['message']).toMatch(/^client version 1.30 is too old. Minimum supported API version is 1.44,/)
  })

  test('a version above 1.53 is too new, as JSON', async () => {
    const { status, body } = await ask('GET', '/v1.53.1/version')
    expect(status).toBe(400)
    expect(body['message']).toBe('client version 1.53.1 is too new. Maximum supported API version is 1.53')
  })

  test('an unknown path is not found whatever its version', async () => {
    for (const path of ['/v1.18/nothing', '/vfoo/version', '/v1.53/containers/x/copy', '/v1.53/%zz']) {
      const { status, text } = await ask(path.endsWith('copy') ? 'POST' : 'GET', path)
      expect({ path, status, text }).toEqual({ path, status: 404, text: '{"message":"page not found"}\n' })
    }
  })

  test('what it does not have is 501 with a sentence', async () => {
    const { status, body } = await ask('POST', '/v1.53/build')
    expect(status).toBe(501)
    expect(body['message']).toContain('fake engine does not have ImageBuild')
  })
})

describe('what Engine 29 refuses', () => {
  test.each([
    [
      { Image: 'busybox', Cmd: 'true' },
      400,
      'cannot unmarshal string into Go struct field CreateRequest.Config.Cmd of type []string',
    ],
    [{ Image: 'busybox', Entrypoint: '/bin/sh' }, 400, 'CreateRequest.Config.Entrypoint of type []string'],
    [
      { Image: 'busybox', HostConfig: { Binds: { '/a': '/b' } } },
      400,
      'unmarshal object into Go struct field HostConfig.HostConfig.Binds',
    ],
    [{ Image: 'nonesuch' }, 404, 'No such image: nonesuch:latest'],
    [{}, 400, 'config cannot be empty in order to create a container'],
  ])('create with %j is refused', async (request, status, text) => {
    const answer = await ask('POST', '/v1.53/containers/create', request)
    expect(answer.status).toBe(status)
    expect(answer.body['message']).toContain(text)
  })

  test('a start with a HostConfig is refused and the container stays as it was', async () => {
    await ask('POST', '/v1.53/containers/create?name=with-body', { Image: 'busybox', Cmd: ['true'] })
    const { status, body } = await ask('POST', '/v1.53/containers/with-body/start', { Binds: [] })
    expect(status).toBe(400)
    expect(body['message']).toContain('starting container with non-empty request body was deprecated since API v1.22')
    expect((await ask('GET', '/v1.53/containers/with-body/json')).body).toMatchObject({ State: { Status: 'created' } })
    await ask('DELETE', '/v1.53/containers/with-body')
  })
})

describe('containers', () => {
  test('logs of a container come as frames of their streams', async () => {
    await running('logs', 'echo out; echo err >&2')
    await ask('POST', '/v1.53/containers/logs/wait')
    const { text } = await ask('GET', '/v1.53/containers/logs/logs?stdout=1&stderr=1')
    expect(text).toBe('\x01\0\0\0\0\0\0\x04out\n\x02\0\0\0\0\0\0\x04err\n')
    await ask('DELETE', '/v1.53/containers/logs')
  })

  test('an exec echoes its input, ends after the client ended its side, and remembers the exit code', async () => {
    const id = await running('echoes', 'sleep 1000')
    const exec = await ask('POST', `/v1.53/containers/${id}/exec`, {
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      Cmd: ['sh', '-c', 'cat; echo err >&2; exit 3'],
    })
    const body = '{"Detach":false}'
    const answer = await raw(
      `POST /v1.53/exec/${exec.body['Id']}/start HTTP/1.1\r\nHost: docker\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}in\n`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 101 UPGRADED\r\nContent-Type: application\/vnd.docker.multiplexed-stream\r\n/)
    expect(answer.split('\r\n\r\n')[1]).toBe('\x01\0\0\0\0\0\0\x03in\n\x02\0\0\0\0\0\0\x04err\n')
    const inspected = await ask('GET', `/v1.53/exec/${exec.body['Id']}/json`)
    expect(inspected.body).toMatchObject({ Running: false, ExitCode: 3, ContainerID: id })
    await ask('DELETE', `/v1.53/containers/${id}?force=1`)
  })

  test('an attach before the start shows what is printed, and the container goes with --rm', async () => {
    const HostConfig = { AutoRemove: true }
    const made = { Image: 'busybox', Cmd: ['sh', '-c', 'echo once; exit 3'], HostConfig }
    await ask('POST', '/v1.53/containers/create?name=attached', made)
    const shown = raw(
      'POST /v1.53/containers/attached/attach?stream=1&stdout=1 HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n',
    )
    const waited = ask('POST', '/v1.53/containers/attached/wait?condition=removed')
    await new Promise((resolve) => setTimeout(resolve, 100))
    await ask('POST', '/v1.53/containers/attached/start')
    const [head, text] = (await shown).split('\r\n\r\n')
    expect([head?.split('\r\n')[0], text]).toEqual(['HTTP/1.1 101 UPGRADED', '\x01\0\0\0\0\0\0\x05once\n'])
    expect((await waited).text).toBe('{"StatusCode":3}\n')
    expect((await ask('GET', '/v1.53/containers/attached/json')).status).toBe(404)
  })

  test('a list by label has the containers with that name and value, whatever signs are in it', async () => {
    const body = { Image: 'busybox', Labels: { of: 'labels', query: 'a=b' } }
    await ask('POST', '/v1.53/containers/create?name=labelled', body)
    const found = async (label: string): Promise<number> => {
      const filters = encodeURIComponent(JSON.stringify({ label: [label] }))
      return JSON.parse((await ask('GET', `/v1.53/containers/json?all=1&filters=${filters}`)).text).length
    }
    expect(await Promise.all(['of', 'of=labels', 'of=x', 'query=a=b', 'query=a'].map(found))).toEqual([1, 1, 0, 1, 0])
  })

  test('inspect has the flat network members below 1.52 only', async () => {
    await running('net', 'sleep 1000')
    const settings = async (version: string): Promise<unknown> =>
      (await ask('GET', `/v${version}/containers/net/json`)).body['NetworkSettings']
    const address = expect.stringMatching(/^172\.17\.0\.\d+$/)
    expect(await settings('1.44')).toMatchObject({ IPAddress: address, Networks: { bridge: { IPAddress: address } } })
    expect(await settings('1.52')).toMatchObject({ Networks: { bridge: { IPAddress: address } } })
    expect(await settings('1.52')).not.toHaveProperty('IPAddress')
    await ask('DELETE', '/v1.53/containers/net?force=1')
  })

  test('events tell what happened, with the legacy members below 1.52 only', async () => {
    const since = Math.floor(Date.now() / 1000)
    const id = await running('events', 'sleep 1000')
    await ask('POST', '/v1.53/containers/events/kill')
    await ask('POST', '/v1.53/containers/events/wait')
    await ask('DELETE', '/v1.53/containers/events')
    const filters = encodeURIComponent(JSON.stringify({ container: [id] }))
    const past = `since=${since}&until=${Math.ceil(Date.now() / 1000)}&filters=${filters}`
    const read = async (version: string): Promise<Record<string, unknown>[]> =>
      (await ask('GET', `/v${version}/events?${past}`)).text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    const records = await read('1.53')
    expect(records.map(({ Action }) => Action)).toEqual(['create', 'start', 'kill', 'die', 'destroy'])
    expect(records[0]).not.toHaveProperty('status')
    expect((await read('1.44'))[0]).toMatchObject({ status: 'create', id, from: 'busybox' })
  })

  test('an unknown filter of events is refused before the stream begins', async () => {
    const answer = await ask('GET', `/v1.53/events?filters=${encodeURIComponent('{"nonsense":["a"]}')}`)
    expect([answer.status, answer.body['message']]).toEqual([400, "invalid filter 'nonsense'"])
  })

  test('a running container is removed by force only, and is gone then', async () => {
    await running('stays', 'sleep 1000')
    const refused = await ask('DELETE', '/v1.53/containers/stays')
    expect(refused.status).toBe(409)
    expect(refused.body['message']).toContain('cannot remove container "stays": container is running')
    expect((await ask('DELETE', '/v1.53/containers/stays?force=1')).status).toBe(204)
    expect((await ask('GET', '/v1.53/containers/stays/json')).body['message']).toBe('No such container: stays')
  })
})
