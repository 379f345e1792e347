import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { IdTable } from '../../src/engine/replaced/table.ts'
import type { ReplacedContainerIds } from '../../src/translate/message.ts'
import { showKnownIds, textWithKnownIds } from '../../src/translate/replaced/rewrite.ts'

const A = 'a'.repeat(64)
const B = 'b'.repeat(64)
const C = 'c'.repeat(64)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function table(): { table: IdTable; replacedContainers: ReplacedContainerIds; pass(ms: number): void } {
  const made = new IdTable()
  const replacedContainers: ReplacedContainerIds = {
    begun: true,
    toEngine: (said) => made.toEngine(said),
    toClient: (id) => made.toClient(id),
    replaced: (client, engine) => made.add(client, engine),
    forget: (engine) => made.forget(engine),
    runExclusively: (_container, work) => work(),
    keep: async () => undefined,
    noteUnknownId: () => undefined,
    isMaking: () => false,
    isWatched: () => false,
  }
  return { table: made, replacedContainers, pass: (ms) => void vi.advanceTimersByTime(ms) }
}

describe('the table of ids', () => {
  it('translates a list of one id 100,000 times over in time that grows with its length', () => {
    const { table: ids, replacedContainers } = table()
    ids.add(A, B)
    const began = process.threadCpuUsage().user
    expect(showKnownIds({ Cmd: Array(100_000).fill(B) }, replacedContainers)).toEqual({ Cmd: Array(100_000).fill(A) })
    expect(process.threadCpuUsage().user - began).toBeLessThan(3_000_000) // minutes before
  })

  it('finds a container by the id that its client knows, whole or by twelve digits and more', () => {
    const { table: ids } = table()
    ids.add(A, B)
    for (const said of [A, A.slice(0, 12), A.slice(0, 40)]) expect(ids.toEngine(said)).toBe(B)
    for (const said of [A.slice(0, 11), 'web', B, C, '']) expect(ids.toEngine(said)).toBe(said)
  })

  it('leaves it to the engine what a few digits mean, and only says what they could mean here', () => {
    const { table: ids } = table()
    ids.add(A, B)
    expect(ids.guess('aaa')).toBe(B)
    expect(ids.guess('bbb')).toBeUndefined()
    ids.add(`aaa${'d'.repeat(61)}`, C)
    expect(ids.guess('aaa')).toBeUndefined()
  })

  it('knows a container that was made again twice under the first id, and its second by the first too', () => {
    const { table: ids } = table()
    ids.add(A, B)
    ids.add(A, C)
    expect(ids.toEngine(A)).toBe(C)
    expect([ids.toClient(B), ids.toClient(C)]).toEqual([A, A])
  })

  it('knows the ids of a removed container for a minute, for the records of its end', () => {
    const { table: ids, pass } = table()
    ids.add(A, B)
    ids.forget(B)
    pass(59_000)
    expect(ids.toClient(B)).toBe(A)
    pass(2_000)
    expect(ids.toClient(B)).toBe(B)
    expect(ids.size).toBe(0)
  })

  it('takes over what the engine has', () => {
    const { table: ids, pass } = table()
    ids.add(A, B)
    ids.add('d'.repeat(64), C)
    ids.reset([
      { client: 'd'.repeat(64), engine: C },
      { client: 'e'.repeat(64), engine: 'f'.repeat(64) },
    ])
    expect(ids.toEngine(A)).toBe(A)
    expect(ids.toEngine('d'.repeat(64))).toBe(C)
    expect(ids.toEngine('e'.repeat(64))).toBe('f'.repeat(64))
    expect(ids.toClient(B), 'for its last events').toBe(A)
    pass(61_000)
    expect(ids.toClient(B)).toBe(B)
  })
})

describe('an answer', () => {
  it('has the known id wherever one stands alone, as a key, in a mode or before a colon, and no label of ours', () => {
    const { table: ids, replacedContainers } = table()
    ids.add(A, B)
    const shown = showKnownIds(
      {
        Id: B,
        LogPath: `/var/lib/docker/containers/${B}/${B}-json.log`,
        Config: { Hostname: A.slice(0, 12), Labels: { mine: 'x', 'enginebridge.replaces': A } },
        HostConfig: { NetworkMode: `container:${B}`, VolumesFrom: [`${B}:ro`] },
        Containers: { [B]: { Name: 'web' } },
        Aliases: ['db', B.slice(0, 12), A.slice(0, 12)],
        Other: C,
      },
      replacedContainers,
    )
    expect(shown).toEqual({
      Id: A,
      LogPath: `/var/lib/docker/containers/${B}/${B}-json.log`,
      Config: { Hostname: A.slice(0, 12), Labels: { mine: 'x' } },
      HostConfig: { NetworkMode: `container:${A}`, VolumesFrom: [`${A}:ro`] },
      Containers: { [A]: { Name: 'web' } },
      Aliases: ['db', A.slice(0, 12)],
      Other: C,
    })
  })

  it('has the known id in the text of an error', () => {
    const { table: ids, replacedContainers } = table()
    ids.add(A, B)
    expect(textWithKnownIds(`No such container: ${B} (${B.slice(0, 12)})`, replacedContainers)).toBe(
      `No such container: ${A} (${A.slice(0, 12)})`,
    )
  })
})
