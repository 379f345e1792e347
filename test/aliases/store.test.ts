import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ReplacementStore } from '../../src/aliases/store.ts'

const one = { client: 'a'.repeat(64), engine: 'b'.repeat(64) }
const other = { client: 'a'.repeat(64), engine: 'c'.repeat(64) }

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enginebridge-store-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('the folder of replaced containers', () => {
  it('is made when the first is added, for its user alone, and read by another process', async () => {
    const path = join(folder, 'not', 'there')
    const store = new ReplacementStore(path)
    expect(await store.read()).toEqual([])
    await Promise.all([store.add(one), store.add(other), store.add(one)])
    expect((await stat(path)).mode & 0o777).toBe(0o700)
    expect(await new ReplacementStore(path).read()).toEqual([one, other])
    await store.remove(one)
    await store.remove(one)
    expect(await store.read()).toEqual([other])
  })

  it('keeps the containers of each engine apart', async () => {
    const address = (path: string) => ({ kind: 'unix', path }) as const
    await ReplacementStore.of(folder, address('/a.sock')).add(one)
    expect(await ReplacementStore.of(folder, address('/b.sock')).read()).toEqual([])
    expect(await ReplacementStore.of(folder, address('/a.sock')).read()).toEqual([one])
  })

  it('holds nothing but ids', async () => {
    const store = new ReplacementStore(folder)
    for (const name of ['x', `${one.client}.web`, `${one.client}.${one.engine}.tmp`])
      await writeFile(join(folder, name), '')
    expect(await store.read()).toEqual([])
  })

  it.each([0o770, 0o707, 0o777])('is neither read nor written when others can write there: %o', async (mode) => {
    const path = join(folder, 'open')
    const store = new ReplacementStore(path)
    await store.add(one)
    await chmod(path, mode)
    await expect(store.read()).rejects.toThrow('that nobody else can write')
    await expect(store.add(other)).rejects.toThrow('that nobody else can write')
  })

  it('is no link that somebody has put there', async () => {
    await mkdir(join(folder, 'theirs'), { mode: 0o700 })
    await symlink(join(folder, 'theirs'), join(folder, 'link'))
    await expect(new ReplacementStore(join(folder, 'link')).read()).rejects.toThrow('must be a folder')
  })
})
