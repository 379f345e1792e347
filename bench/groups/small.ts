import { audited, haproxy, ofItsKind, quiet, relay } from '../contenders.ts'
import { memory } from '../programs.ts'
import { Gathered, type Group, HIGHEST } from '../result.ts'
import { withContenders } from '../stage.ts'
import { SMALL_LIST, startUpstream } from '../upstream.ts'
import { wrk } from '../wrk.ts'

/** Calls, and numbers of connections. A client of 1.41 finds an engine of its version; one of 1.22 does not. */
const ASKED = [
  ['ping', '/v1.41/_ping', [1, 32]],
  ['inspect', '/v1.41/containers/one/json', [1, 32]],
  [`list of ${SMALL_LIST}`, '/v1.41/containers/json', [32]],
  ['inspect translated, another each time', '/v1.22/containers/one/json?size=0', [32]],
] as const

const HOW = `wrk on one thread over loopback; before all stands nginx with bodies that an engine 20.10 gave, on a unix socket. A client of 1.41 finds
an engine of its own version, where nothing is translated; one of 1.22 does not, and its answer is another one each time, so that none is remembered.`

/** Requests a second and processor time of small calls and lists, before nginx with static bodies. */
export async function small(rounds: number, seconds: number): Promise<Group> {
  const gathered = new Gathered()
  const contenders = [haproxy, ...ofItsKind, relay, quiet, audited]
  await withContenders(contenders, startUpstream, async (running) => {
    for (const [what, path, connections] of ASKED)
      for (const count of connections) {
        const row = `${what}, ${count} connection${count === 1 ? '' : 's'}`
        for (const { port, program } of running) await wrk(program, port, path, { connections: count, seconds }) // warm
        for (let round = 0; round < rounds; round++)
          // There and back, so that no contender always runs after the same other one.
          for (const { name, port, program } of round % 2 === 0 ? running : running.toReversed()) {
            const figures = await wrk(program, port, path, { connections: count, seconds })
            gathered.add(row, 'calls/s', true, name, figures.perSecond)
            gathered.add(`${row}, processor`, 'µs a call', false, name, figures.cpu * 1000)
          }
      }
    for (const { name, program } of running) gathered.add(HIGHEST, 'MB', false, name, memory(program).peak)
  })
  return { name: 'Small calls and lists', how: HOW, rows: gathered.rows() }
}
