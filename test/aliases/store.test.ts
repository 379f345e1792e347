import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ReplacementStore } from '../../src/aliases/store.ts'

const one = { client: 'a'.repeat(64), engine: 'b'.repeat(64) }
const other = { client: 'a'.repeat(64), engine: 'c'.repeat(64) }

let state = ''
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'enginebridge-store-'))
})
afterEach(() => rm(state, { recursive: true }))

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
    expect(await storeFor('/a.sock', join(state, 'not/there')).read()).toEqual([one, other])
    await store.remove(one)
    await store.remove(one)
    expect(await store.read()).toEqual([other])
  })

  it('gives the containers of an engine also to who knows it by another address, but lets only its own tidy up', async () => {
    const [first, second] = [storeFor('/a.sock'), storeFor('/b.sock')]
    await first.add(one)
    expect(await second.read()).toEqual([one])
    await second.tidy(one)
    expect(await first.read()).toEqual([one])
    await second.remove(one)
    expect(await first.read()).toEqual([])
    await first.add(one)
    await first.tidy(one)
    expect(await first.read()).toEqual([])
  })

  it('holds nothing but ids', async () => {
    const store = storeFor('/a.sock')
    const folder = await folderOf(store)
    for (const name of ['x', `${one.client}.web`, `${one.client}.${one.engine}.tmp`])
      await writeFile(join(folder, name), '')
    expect(await store.read()).toEqual([one])
  })

  it.each([0o770, 0o707, 0o777])('is neither read nor written when others can write there: %o', async (mode) => {
    const store = storeFor('/a.sock')
    await chmod(await folderOf(store), mode)
    await expect(store.read()).rejects.toThrow('that nobody else can write')
    await expect(store.add(other)).rejects.toThrow('that nobody else can write')
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
})
