import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { quiet } from '../contenders.ts'
import { memory } from '../programs.ts'
import { Gathered, type Group, HIGHEST } from '../result.ts'
import { type Running, withContenders } from '../stage.ts'
import { startScripted } from './carried.ts'

const IDLE = 1000
/** The engine has been asked what it is, and nothing is under way any more. */
const REST_MS = 1000

/** From the start of the process to the first answered call, and memory: after it, and with many followed streams on which nothing happens. */
export async function start(rounds: number): Promise<Group> {
  const gathered = new Gathered()
  for (let round = 0; round < rounds; round++)
    await withContenders([quiet], startScripted, async (running) => {
      for (const one of running) {
        gathered.add('first answer after the start', 'ms', false, one.name, one.startedMs)
        await sleep(REST_MS)
        note(gathered, 'after the start', one)
        const agent = new http.Agent({ maxSockets: Number.POSITIVE_INFINITY })
        const open = await Promise.all(Array.from({ length: IDLE }, () => openEvents(one.port, agent)))
        await sleep(REST_MS)
        note(gathered, `with ${IDLE} idle streams`, one)
        for (const res of open) res.destroy()
        agent.destroy()
        gathered.add(HIGHEST, 'MB', false, one.name, memory(one.program).peak)
      }
    })
  return {
    name: 'Start and memory',
    how: `${IDLE} clients follow the events of an engine that has none.`,
    rows: gathered.rows(),
  }
}

function note(gathered: Gathered, when: string, { name, program }: Running): void {
  const { now } = memory(program)
  gathered.add(`memory ${when}`, 'MB', false, name, now)
}

function openEvents(port: number, agent: http.Agent): Promise<http.IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  http
    .get({ port, host: '127.0.0.1', path: '/v1.22/events', agent }, (res) => {
      res.on('error', () => undefined) // we end it ourselves
      resolve(res)
    })
    .on('error', reject)
  return promise
}
