import { expect, it } from 'vitest'
import { random } from '../fuzz/mutate.ts'
import { type Memory, memoryOf } from '../support/memory.ts'
import { type Kind, kinds, make } from './calls.ts'
import { leftOpen, openStage, type Stage } from './stage.ts'

const AT_ONCE = 12
/** Calls until most caches are full and the often used functions are compiled. */
const WARM_UP = 1_500
/** A leak grows in every round. Memory for compiled code grew in no more than the first eight of 25. */
const LEAST_ROUNDS = 3
const MAX_ROUNDS = 16
const ROUND = 1_000
/** The client leaves within so many milliseconds: before the engine gets the call, while it answers, or long after. */
const LEAVES_WITHIN = 40
/** A leaked call keeps its request, its answer and its sockets, ten thousand bytes and more: a leak of one call in fifty shows (tried). */
const MAX_BYTES = 150

it('keeps no memory of a call whose client leaves, in any lane and at any moment', async () => {
  const stage = await openStage(undefined)
  const pick = random(20_261_121)
  try {
    const memories = [await abandon(stage, pick, WARM_UP)]
    const least = (of: keyof Memory): number =>
      Math.min(...memories.slice(1).map((memory, round) => (memory[of] - (memories[round]?.[of] ?? 0)) / ROUND))
    const isSettled = (): boolean => least('heapUsed') < MAX_BYTES && least('external') < MAX_BYTES
    while (memories.length <= LEAST_ROUNDS || (memories.length <= MAX_ROUNDS && !isSettled()))
      memories.push(await abandon(stage, pick, ROUND))
    process.stdout.write(
      `abandoned: ${WARM_UP + (memories.length - 1) * ROUND} calls, ${least('heapUsed').toFixed(0)} bytes of heap a call, ${least('external').toFixed(0)} outside\n`,
    )
    expect(least('heapUsed')).toBeLessThan(MAX_BYTES)
    expect(least('external')).toBeLessThan(MAX_BYTES)
  } finally {
    await stage.close()
  }
}, 300_000)

/** Makes calls of all kinds in turn whose clients leave; returns the program's memory once nothing is open. */
async function abandon(stage: Stage, pick: (below: number) => number, calls: number): Promise<Memory> {
  let left = calls
  const client = async (): Promise<void> => {
    while (left-- > 0) await make(stage.socket, at(left), `left${left}`, pick(LEAVES_WITHIN))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, client))
  expect(await leftOpen(stage)).toEqual([])
  const memory = await memoryOf(stage.bridge)
  await stage.startEngine()
  return memory
}

function at(number: number): Kind {
  const kind = kinds[number % kinds.length]
  if (kind === undefined) throw new RangeError(`no kind ${number}`)
  return kind
}
