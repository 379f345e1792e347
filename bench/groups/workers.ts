import { bridge } from '../contenders.ts'
import { FIFTH, hold } from '../held.ts'
import { processes } from '../programs.ts'
import { Gathered, type Group } from '../result.ts'
import { type Running, withContenders } from '../stage.ts'
import { startUpstream } from '../upstream.ts'
import { wrk } from '../wrk.ts'

const TEAMS = [bridge('1 worker', '--audit-log', 'off'), bridge('2 workers', '--audit-log', 'off', '--workers', '2')]

const ASKED = [
  ['inspect', '/v1.41/containers/one/json'],
  ['inspect translated, another each time', '/v1.22/containers/one/json?size=0'],
] as const

const HELD = ', each process held to a fifth of a processor'
/** The cost of a call varies by a quarter from second to second, hence many short rounds where nothing else limits. */
const HELD_ROUNDS = 3

/** The gain and the cost of a second worker: the load and the engine share the cores with it. */
export async function workers(rounds: number, seconds: number): Promise<Group> {
  const gathered = new Gathered()
  const notHeld = await withContenders(TEAMS, startUpstream, async (running) => {
    // Each worker gets half of the calls: V8 has compiled what they need after twice the time.
    for (const [, path] of ASKED)
      for (const { port, program } of running) await wrk(program, port, path, { connections: 32, seconds: 6 })
    await measure(running, { rounds, seconds, gathered, how: '' })
    const holding = hold(
      running.flatMap(({ program }) => processes(program)),
      FIFTH,
    )
    if ('impossible' in holding) return holding.impossible
    const held = { rounds: HELD_ROUNDS * rounds, seconds: 1, gathered, how: HELD }
    await measure(running, held).finally(holding.release)
    return undefined
  })
  return { name: 'Workers', how: how(notHeld), rows: gathered.rows() }
}

interface Measuring {
  readonly rounds: number
  readonly seconds: number
  readonly gathered: Gathered
  /** Part of the names of the rows. */
  readonly how: string
}

async function measure(running: readonly Running[], { rounds, seconds, gathered, how }: Measuring): Promise<void> {
  for (const [what, path] of ASKED)
    for (let round = 0; round < rounds; round++)
      // There and back, so that no contender always runs after the same other one.
      for (const { name, port, program } of round % 2 === 0 ? running : running.toReversed()) {
        const { perSecond } = await wrk(program, port, path, { connections: 32, seconds })
        gathered.add(`${what}, 32 connections${how}`, 'calls/s', true, name, perSecond)
      }
}

const how = (notHeld: string | undefined): string => `\
wrk and nginx take about one core by themselves: on a machine of two, calls a second cannot double. ${
  notHeld === undefined ? HELD_HOW : `${NOT_HELD_HOW} (${notHeld}).`
}`

const HELD_HOW = `\
So each process of the bridge is also held to a fifth of a processor, 10 ms of each 50 (the kernel's CFS quota, a control group for each): \
the one of one worker; the supervisor and both workers of two. Each then has as much as if it had a slow processor to itself, and all of them, \
wrk and nginx fit into two with room to spare. Those rows are of ${HELD_ROUNDS} times as many rounds, of one second each. The supervisor accepts \
connections, hands them over and writes the audit log for both workers: the processor time of the program has its part in it, which has a row \
of its own.`

const NOT_HELD_HOW = `\
Twice the ratio of the processor times is what two workers reach where there are cores for them. The rows in which each process is held to a \
fifth of a processor are left out: no control group could be made here`
