import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Replacement, ReplacementStore } from '../../src/engine/replaced/store.ts'

const one = { client: 'a'.repeat(64), engine: 'b'.repeat(64) }
const other = { client: 'a'.repeat(64), engine: 'c'.repeat(64) }

let state = ''
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'enginebridge-store-'))
})
afterEach(() => rm(state, { recursive: true }))

const here = (replacement: Replacement) => ({ ...replacement, here: true })

const storeFor = (engine: string, at = state) => new ReplacementStore(at, { kind: 'unix', path: engine })

/** Where a store keeps its files, which are made by this. */
async function folderOf(store: ReplacementStore): Promise<string> {
  await store.add(one)
  const [name = ''] = await readdir(join(state, 'replaced'))
  return join(state, 'replaced', name)
}

describe('the folder of replaced containers', () => {
  it('is made when the first is added, for its user alone, and read by another process', async () => {
    const store = storeFor('/a.sock', join(state, 'not/there'))
    expect(await store.read()).toEqual([])
    await Promise.all([store.add(one), store.add(other), store.add(one)])
    expect((await stat(join(state, 'not/there/replaced'))).mode & 0o777).toBe(0o700)
    expect(await storeFor('/a.sock', join(state, 'not/there')).read()).toEqual([here(one), here(other)])
    await store.remove(one, 'everywhere')
    await store.remove(one, 'everywhere')
    expect(await store.read()).toEqual([here(other)])
  })

  it('gives the containers of an engine also to who knows it by another address, but lets only its own tidy up', async () => {
    const [first, second] = [storeFor('/a.sock'), storeFor('/b.sock')]
    await first.add(one)
    expect(await second.read()).toEqual([{ ...one, here: false }])
    await second.remove(one, 'here')
    expect(await first.read()).toEqual([here(one)])
    await second.remove(one, 'everywhere')
    expect(await first.read()).toEqual([])
    await first.add(one)
    await first.remove(one, 'here')
    expect(await first.read()).toEqual([])
  })

  /** 163 gone containers in 92 folders took 90 MB and 15,000 calls of the file system at each start. */
  it('is tidied of what is gone in steps that do not grow with the folders of other addresses', async () => {
    for (let i = 0; i < 1000; i++) await mkdir(join(state, 'replaced', String(i)), { recursive: true, mode: 0o700 })
    const store = storeFor('/a.sock')
    await store.add(one)
    const begun = performance.now()
    for (let i = 0; i < 300; i++) await store.remove(one, 'here')
    expect(performance.now() - begun).toBeLessThan(5000)
    expect(await store.read()).toEqual([])
  })

  it('holds nothing but ids', async () => {
    const store = storeFor('/a.sock')
    const folder = await folderOf(store)
    for (const name of ['x', `${one.client}.web`, `${one.client}.${one.engine}.tmp`])
      await writeFile(join(folder, name), '')
    expect(await store.read()).toEqual([here(one)])
  })

  it.each([0o770, 0o707, 0o777])('is neither read nor written when others can write there: %o', async (mode) => {
    const store = storeFor('/a.sock')
    await chmod(await folderOf(store), mode)
    await expect(store.read()).rejects.toThrow('that no other user can write')
    await expect(store.add(other)).rejects.toThrow('that no other user can write')
    expect(await storeFor('/b.sock').read()).toEqual([])
  })

  it('is no link that somebody has put there', async () => {
    const store = storeFor('/a.sock')
    const folder = await folderOf(store)
    await mkdir(join(state, 'theirs'), { mode: 0o700 })
    await rename(folder, join(state, 'theirs/ids'))
    await symlink(join(state, 'theirs/ids'), folder)
    expect(await store.read()).toEqual([])
    await expect(store.add(other)).rejects.toThrow('must be a folder')
  })

  it.each(['', 'replaced'])(
    'is neither read nor written below a folder that others can write: --state/%s',
    async (level) => {
      const store = storeFor('/a.sock')
      await store.add(one)
      await chmod(join(state, level), 0o770)
      await expect(store.read()).rejects.toThrow('that no other user can write')
      for (const change of [
        () => store.add(other),
        () => store.remove(one, 'everywhere'),
        () => store.remove(one, 'here'),
      ])
        await expect(change()).rejects.toThrow('that no other user can write')
      await chmod(join(state, level), 0o700)
      expect(await store.read()).toEqual([here(one)])
    },
  )

  it.each(['state', 'state/', 'state/replaced'])('is neither read nor written through a link: %s', async (link) => {
    const at = join(state, 'state')
    const store = storeFor('/a.sock', join(state, link.endsWith('/') ? link : 'state'))
    await store.add(one)
    const target = join(state, link.replace(/\/$/, ''))
    await rename(target, join(state, 'theirs'))
    await symlink(join(state, 'theirs'), target)
    await expect(store.read()).rejects.toThrow('must be a folder')
    await expect(store.add(other)).rejects.toThrow('must be a folder')
    await rm(target)
    await rename(join(state, 'theirs'), target)
    expect(await storeFor('/a.sock', at).read()).toEqual([here(one)])
  })

  it('makes and removes no file outside for an id of the engine that is a path', async () => {
    const store = storeFor('/a.sock')
    await mkdir(join(await folderOf(store), `${one.client}.`)) // what such a path leads through
    const outside = join(state, 'outside')
    const replacement = { client: one.client, engine: '/../../../outside' }
    await expect(store.add(replacement)).rejects.toThrow('is not a container id')
    await expect(stat(outside)).rejects.toThrow('ENOENT')
    await writeFile(outside, 'kept')
    for (const engine of [replacement.engine, '../../outside'])
      for (const change of [
        () => store.remove({ ...one, engine }, 'everywhere'),
        () => store.remove({ ...one, engine }, 'here'),
      ])
        await expect(change()).rejects.toThrow('is not a container id')
    expect((await stat(outside)).size).toBe(4)
  })
})
