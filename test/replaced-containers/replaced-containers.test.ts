import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { EngineFacts } from '../../src/api/engine-facts.ts'
import type { JsonValue } from '../../src/api/json/json.ts'
import { apiVersion } from '../../src/api/version.ts'
import { type CallEngine, ReplacedContainers } from '../../src/engine/replaced/replaced-containers.ts'
import { ReplacementStore } from '../../src/engine/replaced/store.ts'
import { Headers } from '../../src/http/headers.ts'
import type { EngineAnswer } from '../../src/translate/message.ts'

const folder = mkdtempSync(join(tmpdir(), 'enginebridge-replaced-'))
afterAll(() => rmSync(folder, { recursive: true }))
const storeAt = (name: string) => new ReplacementStore(join(folder, name), { kind: 'unix', path: '/e.sock' })

const A = 'a'.repeat(64)
const B = 'b'.repeat(64)
const facts = (highest = 51): EngineFacts => ({
  highest: apiVersion(highest),
  lowest: apiVersion(18),
  release: '',
  os: 'linux',
  arch: 'amd64',
  product: undefined,
})
const answer = (body: JsonValue): EngineAnswer => ({ status: 200, headers: new Headers(), body, error: '' })
const container = { Id: B, Names: ['/web'], Labels: { 'enginebridge.replaces': A }, ImageID: 'sha256:i', Created: 1 }

/** An engine with these containers and images, and what it was asked. */
function engine(containers: JsonValue, images: JsonValue = []): { ask: CallEngine; asked: string[] } {
  const asked: string[] = []
  const ask: CallEngine = async (_facts, _method, path) => {
    if (path.includes('set-aside')) return answer([]) // nothing was left half-way
    asked.push(path)
    return answer(path.startsWith('/images') ? images : containers)
  }
  return { ask, asked }
}

describe('the look-up of containers with another id than their client knows', () => {
  it('happens once for each discovery of the engine', async () => {
    const { ask, asked } = engine([])
    const replacedContainers = new ReplacedContainers(ask)
    const [first, second] = [facts(), facts()]
    expect(await replacedContainers.mapsIds(first)).toBe(false)
    expect(replacedContainers.mapsIds(first)).toBe(false)
    expect(asked).toHaveLength(2)
    await replacedContainers.mapsIds(second)
    expect(asked).toHaveLength(4)
  })

  it('does not happen on an engine that takes a start with a body at each of its versions', () => {
    const { ask, asked } = engine([container])
    expect(new ReplacedContainers(ask).mapsIds(facts(23))).toBe(false)
    expect(asked).toEqual([])
  })

  it('finds them in the folder', async () => {
    const store = storeAt('found')
    await store.add({ client: A, engine: B })
    const replacedContainers = new ReplacedContainers(engine([container]).ask, { store })
    expect(await replacedContainers.mapsIds(facts())).toBe(true)
    expect(replacedContainers.toEngine(A)).toBe(B)
  })

  it('takes no container for one by its label, and says so once', async () => {
    const said: object[] = []
    const store = storeAt('nothing')
    const log = { warn: (about: object) => said.push(about) }
    const replacedContainers = new ReplacedContainers(engine([container]).ask, { store, log })
    expect(await replacedContainers.mapsIds(facts())).toBe(false)
    await replacedContainers.mapsIds(facts())
    expect(replacedContainers.toEngine(A)).toBe(A)
    expect(said).toEqual([{ containers: [B], count: 1 }])
  })

  it('forgets what the engine no longer has, in the folder too', async () => {
    const store = storeAt('gone')
    await store.add({ client: A, engine: B })
    await store.add({ client: 'c'.repeat(64), engine: 'd'.repeat(64) })
    const replacedContainers = new ReplacedContainers(engine([container]).ask, { store })
    expect(await replacedContainers.mapsIds(facts())).toBe(true)
    await expect.poll(() => store.read()).toEqual([{ client: A, engine: B, here: true }])
  })

  it('forgets nothing in the folder while an engine with none of them is at the address', async () => {
    const store = storeAt('exchanged')
    await store.add({ client: A, engine: B })
    const containers: JsonValue = []
    const replacedContainers = new ReplacedContainers(engine(containers).ask, { store })
    expect(await replacedContainers.mapsIds(facts())).toBe(false)
    await sleep(50) // an engine whose disk is not mounted yet, or Podman for a while
    expect(await store.read()).toEqual([{ client: A, engine: B, here: true }])
    containers.push(container)
    expect(await replacedContainers.mapsIds(facts())).toBe(true)
    expect(replacedContainers.toEngine(A)).toBe(B)
  })

  it('forgets nothing when the engine fails to list its containers', async () => {
    const store = storeAt('failed')
    await store.add({ client: A, engine: B })
    const failed: EngineAnswer = { status: 500, headers: new Headers(), body: { message: 'no' }, error: 'no' }
    const replacedContainers = new ReplacedContainers(async () => failed, { store })
    await replacedContainers.mapsIds(facts())
    expect(await store.read()).toEqual([{ client: A, engine: B, here: true }])
  })

  it('goes on with what it knows when there is no directory', async () => {
    const replacedContainers = new ReplacedContainers(engine([container]).ask)
    await replacedContainers.keep(A, B)
    replacedContainers.replaced(A, B)
    await replacedContainers.mapsIds(facts())
    await replacedContainers.mapsIds(facts())
    expect(replacedContainers.toEngine(A)).toBe(B)
  })

  it('knows of images with the label, which is hidden', async () => {
    expect(await new ReplacedContainers(engine([], [{ Id: 'sha256:i' }]).ask).mapsIds(facts())).toBe(true)
  })

  it('holds no call up for long, and fails none, when the engine does not answer it', async () => {
    const silent = new ReplacedContainers(() => new Promise(() => undefined), { timeoutMs: 10 })
    expect(await silent.mapsIds(facts())).toBe(false)
    const failing = new ReplacedContainers(() => Promise.reject(new Error('gone')))
    expect(await failing.mapsIds(facts())).toBe(false)
  })

  it('is not begun again while the engine still owes its answer, and is warned of once', async () => {
    const answers: ((answer: EngineAnswer) => void)[] = []
    const warned: unknown[] = []
    const slow = new ReplacedContainers(() => new Promise((resolve) => answers.push(resolve)), {
      ...{ timeoutMs: 10, pauseMs: 0, store: storeAt('slow') },
      log: { warn: (...said: unknown[]) => void warned.push(said) },
    })
    const known = facts()
    await slow.mapsIds(known)
    await slow.mapsIds(known)
    await new Promise((resolve) => setTimeout(resolve, 30))
    await slow.mapsIds(known)
    expect({ asked: answers.length, warned: warned.length }).toEqual({ asked: 1, warned: 1 })
    answers[0]?.({ status: 500, headers: new Headers(), body: undefined, error: 'late' })
    await new Promise(setImmediate)
    await slow.mapsIds(known)
    await expect.poll(() => answers.length).toBe(2)
  })

  it('happens again for an unknown id, but not for each', async () => {
    const { ask, asked } = engine([])
    const known = facts()
    const replacedContainers = new ReplacedContainers(ask, { pauseMs: 20 })
    await replacedContainers.mapsIds(known)
    replacedContainers.noteUnknownId(A, known)
    expect(asked).toHaveLength(2)
    await new Promise((resolve) => setTimeout(resolve, 30))
    replacedContainers.noteUnknownId('web', known)
    expect(asked).toHaveLength(2)
    replacedContainers.noteUnknownId(A, known)
    replacedContainers.noteUnknownId(A, known)
    await expect.poll(() => asked.length).toBe(4)
  })
})

describe('a container whose place is being taken', () => {
  it('is waited for by calls with its name or id, and by no others', async () => {
    const replacedContainers = new ReplacedContainers(engine([]).ask)
    const work = Promise.withResolvers<void>()
    const done = replacedContainers.runExclusively({ id: A, name: 'web' }, () => work.promise)
    for (const said of ['web', '/web', A, A.slice(0, 4), undefined])
      expect(replacedContainers.whenFree(said)).toBeDefined()
    for (const said of ['db', B, '']) expect(replacedContainers.whenFree(said)).toBeUndefined()
    work.resolve()
    await done
    expect(replacedContainers.whenFree('web')).toBeUndefined()
  })

  it('is worked on by one start at a time, and not waited for without end', async () => {
    const replacedContainers = new ReplacedContainers(engine([]).ask, { turnMs: 10 })
    const never = replacedContainers.runExclusively({ id: A, name: 'web' }, () => new Promise<void>(() => undefined))
    const second = replacedContainers.runExclusively({ id: A, name: 'web' }, async () => 'done')
    await expect(second).rejects.toMatchObject({ status: 409 })
    expect(never).toBeInstanceOf(Promise)
  })
})
