import { bridge, ofItsKind, others, quiet } from '../contenders.ts'
import { Gathered, type Group } from '../result.ts'
import { withContenders } from '../stage.ts'
import { ALL_OTHER, LARGE_LIST, ONE_OTHER, SMALL_LIST, startUpstream } from '../upstream.ts'
import { wrk } from '../wrk.ts'

/** What is asked, over how many connections. A client of 1.41 finds an engine of its version; one of 1.22 does not. */
const ASKED = [
  ['ping, nothing to translate', '/v1.41/_ping', [1, 32, 200]],
  ['inspect, nothing to translate', '/v1.41/containers/one/json', [1, 32, 200]],
  ['inspect, translated, the same again', '/v1.22/containers/one/json', [1, 32]],
  ['inspect, translated, another each time', '/v1.22/containers/one/json?size=0', [1, 32]],
  [`list of ${SMALL_LIST}, nothing to translate`, '/v1.41/containers/json', [1, 32]],
  [`list of ${SMALL_LIST}, translated, the same again`, '/v1.22/containers/json', [1, 32]],
  [`list of ${SMALL_LIST}, translated, one container changed`, `/v1.22/containers/json?limit=${ONE_OTHER}`, [1, 32]],
  [`list of ${SMALL_LIST}, translated, every container changed`, `/v1.22/containers/json?limit=${ALL_OTHER}`, [1, 32]],
  [`list of ${LARGE_LIST}, translated, the same again`, `/v1.22/containers/json?limit=${LARGE_LIST}`, [1]],
] as const

const HOW = `wrk on one thread over loopback; before all stands nginx with bodies that an engine 20.10 gave, on a unix socket.

The bridge remembers its last answer to each question. The same bytes again are compared and not translated. Of a list that
differs, the elements that are the same are copied and the others translated: *one container changed* is what a list looks like
from one call to the next, *every container changed* the worst case (all texts of a status, which change once a minute). That one
is edited in its bytes, which takes about as long as JSON.parse and JSON.stringify alone; an inspect is parsed and written.`

/** Requests a second, latency and processor time of small calls and lists, before nginx with static bodies. */
export async function small(rounds: number, seconds: number): Promise<Group> {
  const gathered = new Gathered()
  await withContenders([...ofItsKind, ...others, quiet], startUpstream, async (running) => {
    for (const { name, port, program } of running)
      await wrk(program, port, '/v1.22/containers/one/json', { connections: 32, seconds: 2 }).then(() => name) // warm
    for (const [what, path, connections] of ASKED)
      for (const count of connections)
        for (let round = 0; round < rounds; round++)
          for (const { name, port, program } of running) {
            const figures = await wrk(program, port, path, { connections: count, seconds })
            const row = `${what}, ${count} connection${count === 1 ? '' : 's'}`
            gathered.add(row, 'calls/s', true, name, figures.perSecond)
            gathered.add(row.concat(', p50'), 'ms', false, name, figures.p50)
            gathered.add(row.concat(', p99'), 'ms', false, name, figures.p99)
            gathered.add(row.concat(', processor'), 's per 1,000 calls', false, name, figures.cpu)
          }
  })
  return {
    name: 'Small calls and lists',
    how: HOW,
    rows: gathered.rows(),
  }
}

const AUDITED = [
  bridge('off', '--audit-log', 'off'),
  bridge('async', '--audit-log', 'FOLDER/async.log', '--audit-mode', 'async'),
  bridge('blocking', '--audit-log', 'FOLDER/blocking.log', '--audit-mode', 'blocking'),
]

/** What the audit record costs, by mode. */
export async function audit(rounds: number, seconds: number): Promise<Group> {
  const gathered = new Gathered()
  await withContenders(AUDITED, startUpstream, async (running) => {
    for (const count of [1, 32])
      for (let round = 0; round < rounds; round++)
        for (const { name, port, program } of running) {
          const figures = await wrk(program, port, '/v1.41/containers/one/json', { connections: count, seconds })
          gathered.add(`inspect, ${count} connections`, 'calls/s', true, name, figures.perSecond)
          gathered.add(`inspect, ${count} connections, p50`, 'ms', false, name, figures.p50)
        }
  })
  return { name: 'Audit', how: 'As above; the records go to a file on this machine’s disk.', rows: gathered.rows() }
}
