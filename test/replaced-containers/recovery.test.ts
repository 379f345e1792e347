import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { JsonValue } from '../../src/api/json/json.ts'
import { apiVersion } from '../../src/api/version.ts'
import { leftSetAside, putBack } from '../../src/engine/replaced/recovery.ts'
import { type CallEngine, ReplacedContainers } from '../../src/engine/replaced/replaced-containers.ts'
import { ReplacementStore } from '../../src/engine/replaced/store.ts'
import { Headers } from '../../src/http/headers.ts'
import { REPLACES, SET_ASIDE, setAside } from '../../src/translate/replaced/label.ts'
import type { Call } from '../../src/translate/replaced/undo.ts'

const facts = { highest: apiVersion(51), lowest: apiVersion(18), release: '', os: '', arch: '', product: undefined }
const A = 'a'.repeat(64)
const B = 'b'.repeat(64)

interface Held {
  readonly id: string
  name: string
  readonly created: string
  readonly client?: string
  readonly status?: string
}

/** An engine that holds these containers, renames and removes them. */
function holding(...held: Held[]): { held: Held[]; call: CallEngine; did: string[] } {
  const did: string[] = []
  const answer = (status: number, body?: JsonValue) => ({ status, headers: new Headers(), body, error: '' })
  const call: CallEngine = async (_facts, method, path) => {
    const [, said = ''] = /^\/containers\/([^/?]+)/.exec(path) ?? []
    if (said === 'json')
      return answer(
        200,
        held.map(({ id, name, created }) => ({
          Id: id,
          Names: [`/${name}`],
          Created: Math.floor(Date.parse(created) / 1000),
        })),
      )
    const one = held.find(({ id, name }) => id === said || name === said)
    if (one === undefined) return answer(404)
    if (method === 'GET') {
      const labels = one.client === undefined ? {} : { [REPLACES]: one.client }
      const state = { Status: one.status ?? 'created' }
      return answer(200, {
        Id: one.id,
        Name: `/${one.name}`,
        Created: one.created,
        Config: { Labels: labels },
        State: state,
      })
    }
    did.push(`${method} ${one.name}`)
    if (method === 'DELETE') held.splice(held.indexOf(one), 1)
    else one.name = new URLSearchParams(path.split('?')[1]).get('name') ?? ''
    return answer(204)
  }
  return { held, call, did }
}

const old = (): Held => ({ id: A, name: setAside(A, 'web'), created: '2026-01-01T00:00:00Z' })
const made = (name: string, more: Partial<Held> = {}): Held => ({
  id: B,
  name,
  created: '2026-01-01T00:00:05Z',
  client: A,
  ...more,
})

async function recovered(...containers: Held[]) {
  const engine = holding(...containers)
  const call: Call = (...what) => engine.call(facts, ...what)
  const [left] = await leftSetAside(call)
  const outcome = left === undefined ? 'nothing left' : await putBack(call, left, (id) => id)
  return { ...engine, outcome, names: engine.held.map(({ id, name }) => `${id[0]} ${name}`) }
}

describe('a container that was left half made anew', () => {
  it('gets its name back when no other has it', async () => {
    expect(await recovered(old())).toMatchObject({ outcome: undefined, names: ['a web'] })
  })

  it('gets its name back from the one that was made in its stead, which is removed unseen', async () => {
    const { outcome, names, did } = await recovered(old(), made('web'))
    expect({ outcome, names }).toEqual({ outcome: undefined, names: ['a web'] })
    expect(did).toEqual(['POST web', `DELETE ${setAside(B, 'web')}`, `POST ${setAside(A, 'web')}`])
  })

  it('is not waited for when its own removal is under way: the one made in its stead stays', async () => {
    const { did, outcome } = await recovered({ ...old(), status: 'removing' }, made('web'))
    expect(did).toEqual([])
    expect(outcome).toMatch(/removal is under way/)
  })

  it('gets its name back when going back was broken off', async () => {
    expect(await recovered(old(), made(setAside(B, 'web')))).toMatchObject({ names: ['a web'] })
  })

  it('stays, and what is left of the other goes, when it has its name already', async () => {
    expect(await recovered({ ...old(), name: 'web' }, made(setAside(B, 'web')))).toMatchObject({ names: ['a web'] })
  })

  it.each([
    ['was started since', { status: 'running' }],
    ['is somebody else’s', { client: 'c'.repeat(64) }],
  ])('is left as it is when the one that has its name %s', async (_why, more) => {
    const { did, outcome } = await recovered(old(), made('web', more))
    expect(did).toEqual([])
    expect(outcome).toMatch(/is not ours to remove/)
  })

  it('is not removed for an older one that took its name, whatever the label of that says', async () => {
    const again = { ...made(setAside(B, 'web')), id: B }
    const older = { id: 'c'.repeat(64), name: 'web', created: '2025-01-01T00:00:00Z', client: A }
    const engine = holding(again, older)
    const call: Call = (...what) => engine.call(facts, ...what)
    const [left] = await leftSetAside(call)
    if (left === undefined) throw new Error('nothing left')
    const outcome = await putBack(call, left, (id) => (id === B ? A : id))
    expect(outcome).toMatch(/is not ours to remove/)
    expect(engine.did).toEqual([])
  })

  it('is not taken for one when its name says nothing of the name it had', async () => {
    const { outcome } = await recovered({ ...old(), name: 'enginebridge-set-aside-aaaaaaaaaaaa' })
    expect(outcome).toBe('nothing left')
  })
})

/** Of several that were undone at a time, one kept the id of its removed replacement: its client was told 404 from then on. */
it('a client’s id is its own container’s again when the replacement is undone while the ids are read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'enginebridge-recovery-'))
  const store = new ReplacementStore(folder, { kind: 'unix', path: '/run/e.sock' })
  await store.add({ client: A, engine: B })
  const engine = holding(old(), made('web'))
  let holds = false
  const call: CallEngine = async (of, method, path) => {
    if (holds && path.includes(SET_ASIDE)) {
      holds = false
      await vi.waitFor(() => expect(engine.held).toMatchObject([{ id: A, name: 'web' }]))
    }
    return engine.call(of, method, path)
  }
  const replaced = new ReplacedContainers(call, { store, graceMs: 50 })
  await replaced.mapsIds(facts)
  holds = true
  await replaced.mapsIds({ ...facts })
  expect(replaced.toEngine(A)).toBe(A)
  rmSync(folder, { recursive: true })
})

/** The fourth of five that were undone at a time: the list tells seconds, and the newer container came first in it. */
it('a client’s id is its own container’s again when the ids were read between the steps of undoing a replacement', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'enginebridge-recovery-'))
  const store = new ReplacementStore(folder, { kind: 'unix', path: '/run/e.sock' })
  await store.add({ client: A, engine: B })
  const engine = holding(made('web', { created: '2026-01-01T00:00:00.500Z' }), old())
  const readBetween: string[] = []
  const call: CallEngine = async (of, method, path) => {
    if (method === 'DELETE') {
      await replaced.mapsIds({ ...facts })
      readBetween.push(replaced.toEngine(A))
    }
    return engine.call(of, method, path)
  }
  const replaced = new ReplacedContainers(call, { store, graceMs: 20 })
  await replaced.mapsIds(facts)
  await vi.waitFor(() => expect(engine.held).toMatchObject([{ id: A, name: 'web' }]))
  await replaced.mapsIds({ ...facts })
  expect([...readBetween, replaced.toEngine(A)]).toEqual([A, A])
  rmSync(folder, { recursive: true })
})

/** The ids were loaded again after each look, and each load waited ten seconds more, without end. */
it('a container whose name another took is looked at once, and calls go on', async () => {
  const engine = holding(made('web', { status: 'running' }), old())
  let lists = 0
  const call: CallEngine = async (of, method, path) => {
    if (path.includes(SET_ASIDE)) lists++
    return engine.call(of, method, path)
  }
  const warned: unknown[] = []
  const log = { warn: (...said: unknown[]) => void warned.push(said) }
  const replaced = new ReplacedContainers(call, { graceMs: 20, log })
  await replaced.mapsIds(facts)
  await vi.waitFor(() => expect(warned).toHaveLength(1))
  await replaced.whenFree()
  const seen = lists
  await replaced.mapsIds(facts)
  expect([lists, replaced.whenFree()]).toEqual([seen, undefined])
})

/** Each call with an unknown id made lists, creates and the like wait ten seconds. */
it('calls wait no second time for a container that cannot get its name back', async () => {
  const engine = holding(made('web', { status: 'running' }), old())
  let tries = 0
  const call: CallEngine = async (of, method, path) => {
    if (path === '/containers/web/json') tries++
    return engine.call(of, method, path)
  }
  const warned: unknown[] = []
  const log = { warn: (...said: unknown[]) => void warned.push(said) }
  const replaced = new ReplacedContainers(call, { graceMs: 500, pauseMs: 0, log })
  await replaced.mapsIds(facts)
  await replaced.whenFree()
  const began = performance.now()
  replaced.noteUnknownId('c'.repeat(64), facts)
  await vi.waitFor(() => expect(tries).toBe(2))
  await replaced.whenFree()
  expect({ waited: performance.now() - began > 400, warned: warned.length }).toEqual({ waited: false, warned: 1 })
})

it('a container that could not get its name back gets it when the name is free', async () => {
  const engine = holding(made('web', { status: 'running' }), old())
  const replaced = new ReplacedContainers(engine.call, { graceMs: 20, pauseMs: 0 })
  await replaced.mapsIds(facts)
  await replaced.whenFree()
  engine.held.shift()
  replaced.noteUnknownId('c'.repeat(64), facts)
  await vi.waitFor(() => expect(engine.held).toMatchObject([{ id: A, name: 'web' }]))
})

it('a container that got its name back and is set aside again may be in the hands of another bridge for as long as any', async () => {
  const engine = holding(made('web', { status: 'running' }), old())
  const replaced = new ReplacedContainers(engine.call, { graceMs: 100, pauseMs: 0 })
  await replaced.mapsIds(facts)
  await replaced.whenFree()
  engine.held.splice(0, 2, { ...old(), name: 'web' })
  await replaced.mapsIds({ ...facts })
  engine.held.splice(0, 1, made('web'), old())
  await replaced.mapsIds({ ...facts })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(engine.held.map(({ id }) => id)).toEqual([B, A])
})

/** Lists and creates waited ten seconds for a start through another bridge that took one. */
it('calls wait for a container that another bridge makes anew no longer than that takes', async () => {
  const engine = holding(old())
  const replaced = new ReplacedContainers(engine.call, { graceMs: 2_000 })
  await replaced.mapsIds(facts)
  const began = performance.now()
  await new Promise((resolve) => setTimeout(resolve, 100))
  engine.held.splice(0, 1, made('web', { status: 'running' }))
  await replaced.whenFree()
  expect(performance.now() - began).toBeLessThan(1_000)
})
