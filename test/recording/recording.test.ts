import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/cli/command.ts'
import { dispatch } from '../../src/cli/dispatch.ts'
import { startFakeEngine } from '../../src/tools/fake-engine/engine.ts'
import { readRecording } from '../../src/tools/recording/format.ts'
import { differences } from '../../src/tools/recording/shape.ts'
import { stages } from '../support/bridge.ts'
import { call, eventually } from '../support/client.ts'
import { captured } from '../support/io.ts'
import { socketFolder } from '../support/scripted-engine.ts'

const CREATE = { Image: 'busybox', Cmd: 'sleep 9', Env: ['PASSWORD=topsecret1'], Labels: { 'api-token': 'topsecret2' } }
const AUTH = Buffer.from('{"username":"u","password":"topsecret3"}').toString('base64')

const HEAD =
  '{"recording":1,"started":"2026-01-01T00:00:00Z","engine":{"release":"20.10","lowest":"1.12","highest":"1.41"}}\n'
const CALL = '{"at":"2026-01-01T00:00:00Z","method":"GET","path":"/info","client":"1.44"}'

interface Told {
  readonly calls: readonly {
    readonly operation: string | null
    readonly withoutBridge: string | null
    readonly refused: string | null
    readonly losses: readonly string[]
    readonly changes: readonly string[]
    readonly asked?: { readonly kind: string; readonly how?: readonly string[]; readonly why?: string }
  }[]
}

describe('a recording', () => {
  const stage = stages()
  const at = (name: string): string => join(stage.folder(), name)

  /** Records what `client` does in front of a fake engine. */
  async function recorded(client: (socket: string) => Promise<void>): Promise<string> {
    const engine = await startFakeEngine(at('engine.sock'))
    const io = captured()
    const args = [
      'record',
      at('calls.jsonl'),
      '--listen',
      `unix://${at('r.sock')}`,
      '--engine',
      `unix://${engine.path}`,
    ]
    const ended = dispatch([...args, '--grace', '0'], io)
    await Promise.race([ended, eventually(() => io.out().includes('recording what comes in'), 'it listens')])
    await client(at('r.sock'))
    io.stop()
    expect(await ended).toBe(0)
    await engine.close()
    return at('calls.jsonl')
  }

  const session = async (socket: string): Promise<void> => {
    const created = await call(socket, '/v1.22/containers/create?name=rec', {
      method: 'POST',
      body: JSON.stringify(CREATE),
      headers: { 'X-Registry-Auth': AUTH },
    })
    expect(created.status).toBe(201)
    const { Id } = JSON.parse(created.text) as { Id: string }
    await call(socket, '/v1.22/containers/json?all=1')
    await call(socket, `/v1.22/containers/${Id}/json`)
    await call(socket, `/v1.22/containers/${Id.slice(0, 12)}/json`)
    await call(socket, '/v1.22/containers/nosuch/json')
    await call(socket, '/v1.22/info')
    await call(socket, `/v1.22/containers/${Id}?force=1`, { method: 'DELETE' })
  }

  it('holds what the client asked and was given, readable by its owner only, without secrets', async () => {
    const file = await recorded(session)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const text = await readFile(file, 'utf8')
    expect(text).not.toMatch(/topsecret\d/)
    expect(text).not.toContain(AUTH)
    const { header, calls } = await readRecording(file)
    expect(header).toMatchObject({ recording: 1, engine: { lowest: '1.44', highest: '1.53' } })
    expect(calls.map(({ operation, client, status }) => [operation, client, status])).toEqual([
      ['ContainerCreate', '1.22', 201],
      ['ContainerList', '1.22', 200],
      ['ContainerInspect', '1.22', 200],
      ['ContainerInspect', '1.22', 200],
      ['ContainerInspect', '1.22', 404],
      ['SystemInfo', '1.22', 200],
      ['ContainerDelete', '1.22', 204],
    ])
    // The client's own words, not what the engine got: Cmd is a list there.
    expect(calls[0]).toMatchObject({
      path: '/v1.22/containers/create?name=rec',
      request: { redacted: true, json: { Cmd: 'sleep 9' } },
    })
    expect(calls[4]?.response?.text).toBe('No such container: nosuch\n')
  })

  it('tells from the rules what another engine would refuse, change and lose', async () => {
    const file = await recorded(async (socket) => {
      for (const HostConfig of [{ PidsLimit: 9 }, { Annotations: { a: 'b' } }, {}])
        await call(socket, '/v1.44/containers/create', {
          method: 'POST',
          body: JSON.stringify({ Image: 'busybox', HostConfig }),
        })
    })
    const io = captured()
    expect(await dispatch(['replay', file, '--engine', '1.22', '--json'], io)).toBe(1)
    const [limit, hint, plain] = (JSON.parse(io.out()) as Told).calls
    expect(limit?.refused).toMatch(/HostConfig\.PidsLimit .*needs API 1\.23/)
    expect(hint).toMatchObject({ refused: null, losses: ['HostConfig.Annotations (API 1.43)'] })
    expect(plain).toMatchObject({
      refused: null,
      losses: [],
      withoutBridge: expect.stringContaining('client is newer than server'),
    })
    const words = captured()
    expect(await dispatch(['replay', file, '--engine', '1.22'], words)).toBe(1)
    expect(words.out()).toMatch(/1 refused, 1 with a loss/)
    expect(words.out()).toContain('lost     ContainerCreate: HostConfig.Annotations (API 1.43)')
    const newer = captured()
    expect(await dispatch(['replay', file, '--engine', 'Docker 29.7'], newer)).toBe(0)
    expect(newer.out()).toContain('Without the bridge all are served.')
    expect(
      newer
        .out()
        .split('\n')
        .filter((line) => line.length > 80),
    ).toEqual([])
  })

  it('is a test case: at an engine of the same kind every answer has the same shape, and nothing is changed', async () => {
    const file = await recorded(session)
    const engine = await startFakeEngine(at('other.sock'))
    const io = captured()
    expect(await dispatch(['replay', file, '--engine', `unix://${engine.path}`, '--json'], io)).toBe(0)
    const told = JSON.parse(io.out()) as Told
    expect(told.calls.map(({ asked }) => asked?.kind)).toEqual([
      'skipped',
      'same',
      'absent',
      'absent',
      'same',
      'same',
      'skipped',
    ])
    expect(JSON.parse((await call(engine.path, '/v1.44/containers/json?all=1')).text)).toEqual([])
    await engine.close()
  })

  it('makes every call again with --all, with the ids of the new engine', async () => {
    const file = await recorded(session)
    // Without the secret, which no recording has, the create can be made.
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('"redacted":true,', ''))
    const engine = await startFakeEngine(at('other.sock'))
    const io = captured()
    expect(await dispatch(['replay', file, '--engine', `unix://${engine.path}`, '--all', '--json'], io)).toBe(0)
    expect((JSON.parse(io.out()) as Told).calls.map(({ asked }) => asked?.kind)).toEqual(Array(7).fill('same'))
    await engine.close()
  })

  it('says what an engine answers otherwise', async () => {
    const file = await recorded(async (socket) => void (await call(socket, '/v1.44/info')))
    const { engine } = await stage({
      onRequest: (_req, res) => {
        res.setHeader('Content-Type', 'application/json')
        res.end('{"ID": 7}')
      },
    })
    const io = captured()
    expect(await dispatch(['replay', file, '--engine', `unix://${engine.socket}`, '--json'], io)).toBe(1)
    const [asked] = (JSON.parse(io.out()) as Told).calls.map((one) => one.asked)
    const words = captured()
    expect(await dispatch(['replay', file, '--engine', `unix://${engine.socket}`], words)).toBe(1)
    expect(words.out()).toMatch(/Asked again: 0 same, 1 other, 0 not there, 0 not asked\n {2}GET \S*\/info: /)
    expect(words.out()).toContain('GET /v1.44/info: ID is number, was string')
    expect(asked?.how).toEqual(expect.arrayContaining(['ID is number, was string', 'Containers is missing']))
  })

  it('is not written over', async () => {
    await writeFile(at('calls.jsonl'), 'precious')
    await expect(recorded(async () => undefined)).rejects.toThrow(/already exists/)
    expect(await readFile(at('calls.jsonl'), 'utf8')).toBe('precious')
  })

  it.each([
    ['', 'is not a recording'],
    ['{"recording":2}\n', 'is not a recording'],
    ['{"recording":1}\n', 'is not a recording'],
    [`${HEAD}{"at":"","method":"GET","path":"/info"}\n`, 'line 2: the call.client is missing'],
    [`${HEAD}${CALL}\n[]\n`, 'line 3: the call must be names with values'],
    [`${HEAD}${CALL.replace('}', ',"request":null}')}\n`, 'line 2: the call.request must be names with values'],
    [`${HEAD}${CALL.replace('}', ',"operation":5}')}\n`, 'line 2: the call.operation must be text'],
    [`${HEAD}{`, 'line 2: invalid JSON'],
  ])('that is none is told apart: %j', async (text, words) => {
    await writeFile(at('calls.jsonl'), text)
    await expect(dispatch(['replay', at('calls.jsonl'), '--engine', '1.44'], captured())).rejects.toThrow(words)
    await expect(dispatch(['replay', at('calls.jsonl'), '--engine', '1.44'], captured())).rejects.toThrow(UsageError)
  })
})

it('whose texts have control characters does not move the cursor of who reads what replay says', async () => {
  const folder = await socketFolder()
  const file = join(folder.path, 'calls.jsonl')
  const evil = String.raw`\u001b[2J\u009b31m\nAll is well.\u007f`
  await writeFile(file, `${HEAD.replace('20.10', evil)}${CALL.replaceAll('GET', evil).replace('/info', `/${evil}`)}\n`)
  const io = captured()
  expect(await dispatch(['replay', file, '--engine', '1.44'], io)).toBe(0)
  expect(io.out()).toContain('[2J')
  expect(io.out()).not.toMatch(/[^\P{Cc}\n]/u)
  expect(io.out()).not.toMatch(/^All is well/m)
  await folder.remove()
})

it('of a newer version, which knows more operations, is read', async () => {
  const folder = await socketFolder()
  const file = join(folder.path, 'calls.jsonl')
  await writeFile(file, `${HEAD}${CALL.replace('}', ',"operation":"Unheard"}')}\n`)
  const io = captured()
  expect(await dispatch(['replay', file, '--engine', '1.44'], io)).toBe(0)
  expect(io.out()).toContain('(unknown)')
  await folder.remove()
})

it('without a call names no version', async () => {
  const folder = await socketFolder()
  const file = join(folder.path, 'calls.jsonl')
  await writeFile(file, HEAD)
  const io = captured()
  expect(await dispatch(['replay', file, '--engine', '1.44'], io)).toBe(0)
  expect(io.out()).toMatch(/^0 calls, recorded on Docker Engine 20.10/)
  await folder.remove()
})

describe('the shape of an answer', () => {
  it.each([
    [{ a: 1 }, { a: 'x' }, ['a is string, was number']],
    [{ a: { b: 1, c: 2 } }, { a: { b: 1 } }, ['a.c is missing']],
    [[{ a: 1 }, { b: 1 }], [{ a: 1 }], ['[].b is missing']],
    [[], [{ a: 1 }], []],
    [{ a: null }, { a: { b: 1 } }, []],
    [{ Labels: { x: 'y' } }, { Labels: { z: 'w' } }, []],
    [{ Networks: { x: { IP: '' } } }, { Networks: { y: { IP: '', New: 1 } } }, ['Networks.*.New is new']],
    [{}, { a: { b: 1 } }, ['a is new']],
  ])('%j and %j differ in %j', (first, second, expected) => {
    expect(differences(first, second).filter((one) => !one.startsWith('a.b'))).toEqual(expected)
  })
})
