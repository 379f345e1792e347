import { bridge } from '../contenders.ts'
import { Gathered, type Group } from '../result.ts'
import { withContenders } from '../stage.ts'
import { startUpstream } from '../upstream.ts'
import { wrk } from '../wrk.ts'

const TEAMS = [
  bridge('1 worker', '--audit-log', 'off'),
  bridge('2 workers', '--audit-log', 'off', '--workers', '2'),
  bridge('1 worker, audit', '--audit-log', 'FOLDER/one.log'),
  bridge('2 workers, audit', '--audit-log', 'FOLDER/two.log', '--workers', '2'),
]

const ASKED = [
  ['inspect, nothing to translate', '/v1.41/containers/one/json'],
  ['inspect, translated, another each time', '/v1.22/containers/one/json?size=0'],
] as const

/** What a second worker brings, and what it costs: the load and the engine share the cores with it. */
export async function workers(rounds: number, seconds: number): Promise<Group> {
  const gathered = new Gathered()
  await withContenders(TEAMS, startUpstream, async (running) => {
    for (const { port, program } of running) await wrk(program, port, ASKED[0][1], { connections: 32, seconds: 2 }) // warm
    for (const [what, path] of ASKED)
      for (let round = 0; round < rounds; round++)
        for (const { name, port, program } of running) {
          const figures = await wrk(program, port, path, { connections: 32, seconds })
          gathered.add(`${what}, 32 connections`, 'calls/s', true, name, figures.perSecond)
          gathered.add(`${what}, processor`, 's per 1,000 calls', false, name, figures.cpu)
        }
  })
  return {
    name: 'Workers',
    how: 'wrk and nginx take about one core by themselves: on a machine of two, calls a second cannot double. Twice the ratio of the processor times is what two workers reach where there are cores for them.',
    rows: gathered.rows(),
  }
}
