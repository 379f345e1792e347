import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/client.ts'
import { type Memory, memoryOf, PROBED } from '../support/memory.ts'
import { Process } from '../support/processes.ts'

const MB = 2 ** 20
/** The memory that a round leaves behind if it leaks. */
const LEFT_MB = 16
/** The change between two measurements without a leak: the compiler and the allocator work. */
const NOISE = 8 * MB

/** Rounds in which a program still takes memory that it never gives back: pages of Node's own code, up to 10 MB. Then it is flat. */
const FIRST_ROUNDS = 5

/**
 * On SIGHUP this program makes and drops many objects, as calls do; some of them live for a while. V8 does not count the memory of
 * environment variables.
 */
const BUSY = `
const turn = () => { let some = []; for (let n = 0; n < 1e6; n++) some[n % 100000] = { n, list: [n] } }
let round = 0
const kept = []
process.on('SIGHUP', () => {
  turn()
  if (process.argv[1] === 'objects') kept.push(Array.from({ length: ${LEFT_MB * 8192} }, (_, n) => ({ n, a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9, j: 10, k: 11 })))
  if (process.argv[1] === 'outside') for (let n = 0; n < ${LEFT_MB * 16}; n++) process.env['LEFT_' + round + '_' + n] = 'x'.repeat(65536)
  process.stderr.write('round ' + ++round + ' is over\\n')
})
process.stderr.write('ready\\n')
setInterval(() => undefined, 1 << 30)
`

describe('the measured memory of a program at rest', () => {
  const state: { program?: Process } = {}
  afterEach(() => state.program?.kill())

  /** The program's memory after each of three busy rounds, when it no longer grows by itself. */
  async function rests(leaves: 'nothing' | 'objects' | 'outside'): Promise<readonly [Memory, Memory, Memory]> {
    const program = new Process([process.execPath, ...PROBED, '-e', BUSY, leaves])
    state.program = program
    await eventually(() => program.err.includes('ready'), 'the program is up', 60_000)
    const rest = async (round: number): Promise<Memory> => {
      program.child.kill('SIGHUP')
      await eventually(() => program.err.includes(`round ${round} is over`), 'the round is over', 60_000)
      return memoryOf(program)
    }
    for (let round = 1; round <= FIRST_ROUNDS; round++) await rest(round)
    return [await rest(FIRST_ROUNDS + 1), await rest(FIRST_ROUNDS + 2), await rest(FIRST_ROUNDS + 3)]
  }

  it('does not include the room that V8 keeps for the next objects, however busy the program was', async () => {
    const [first, , last] = await rests('nothing')
    for (const { rss, atWork } of [first, last]) expect(atWork - rss).toBeGreaterThan(2 * NOISE)
    expect(Math.abs(last.rss - first.rss)).toBeLessThan(NOISE)
  }, 180_000)

  it('includes objects that are kept', async () => {
    const [first, , last] = await rests('objects')
    expect(last.heapUsed - first.heapUsed).toBeGreaterThan(2 * LEFT_MB * MB - NOISE)
    expect(last.rss - first.rss).toBeGreaterThan(2 * LEFT_MB * MB - NOISE)
  }, 180_000)

  it('includes memory outside the heap of V8, which no figure of V8 shows', async () => {
    const [first, , last] = await rests('outside')
    expect(last.heapUsed - first.heapUsed).toBeLessThan(NOISE)
    expect(last.external - first.external).toBeLessThan(NOISE)
    expect(last.rss - first.rss).toBeGreaterThan(2 * LEFT_MB * MB - NOISE)
  }, 180_000)
})
