import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { build, installed, others, quiet, yardstick } from '../contenders.ts'
import { cpuSeconds, memory } from '../programs.ts'
import { Gathered, type Group, percentile } from '../result.ts'
import { type Running, withContenders } from '../stage.ts'
import { bodies, LARGE_LIST } from '../upstream.ts'
import { wrk } from '../wrk.ts'
import { openTunnel, pingPong, startScripted } from './carried.ts'

const RATE = 10_000
const IDLE = 1000

/** What is followed, by clients of the engine’s version and of one for which each record is translated. */
const FOLLOWED = [
  {
    what: 'events',
    path: '/events',
    older: '1.22',
    made: (record: string): number => Number(/"timeNano":(\d+)/.exec(record)?.[1] ?? 0) / 1e6,
  },
  {
    what: 'stats',
    path: '/containers/one/stats',
    older: '1.20',
    made: (record: string): number => {
      const [, time = '', fraction = ''] = /"read":"([^".]+)(\.\d+)Z/.exec(record) ?? []
      return Date.parse(`${time}Z`) + Number(fraction) * 1000
    },
  },
] as const

type Followed = (typeof FOLLOWED)[number]

/** Follows the records for `seconds`; how late each came, in milliseconds. */
function follow(
  where: http.RequestOptions,
  { path, made }: Followed,
  version: string,
  seconds: number,
): Promise<number[]> {
  const { promise, resolve, reject } = Promise.withResolvers<number[]>()
  const late: number[] = []
  let rest = ''
  const req = http.get({ ...where, path: `/v${version}${path}?rate=${RATE}`, agent: false }, (res) => {
    res.setEncoding('latin1')
    res.on('data', (text: string) => {
      const now = performance.timeOrigin + performance.now()
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) late.push(now - made(line))
    })
    res.on('error', () => undefined) // we end it ourselves
  })
  req.on('error', reject)
  setTimeout(() => {
    req.destroy()
    resolve(late)
  }, seconds * 1000)
  return promise
}

/** Records at 10,000 a second: what the way through adds to their lateness. */
export async function events(rounds: number, seconds: number): Promise<Group> {
  const gathered = new Gathered()
  await withContenders([yardstick, quiet], startScripted, async (running, engine) => {
    const named = (name: string): Running => {
      const found = running.find((one) => one.name === name)
      if (found === undefined) throw new Error(`${name} is not up`)
      return found
    }
    const ways = [
      { name: 'direct', where: { socketPath: engine.socket }, of: undefined },
      { name: 'relay', where: { host: '127.0.0.1', port: named('relay').port }, of: named('relay') },
      { name: 'bridge', where: { host: '127.0.0.1', port: named('bridge').port }, of: named('bridge') },
    ]
    for (const followed of FOLLOWED)
      for (let round = 0; round < rounds; round++)
        for (const { name, where, of } of ways) {
          const { what, older } = followed
          const before = of === undefined ? 0 : cpuSeconds(of.program)
          const late = await follow(where, followed, name === 'bridge' ? older : '1.41', seconds)
          gathered.add(`${what} followed`, 'records/s', true, name, late.length / seconds)
          gathered.add(`${what}, p50 of lateness`, 'ms', false, name, percentile(late, 50))
          gathered.add(`${what}, p99 of lateness`, 'ms', false, name, percentile(late, 99))
          if (of !== undefined)
            gathered.add(`${what}, processor`, 's per s', false, name, (cpuSeconds(of.program) - before) / seconds)
        }
  })
  return {
    name: 'Record streams',
    how: `An engine that sends ${RATE} events a second, and as many readings of statistics of 2 KB; the bridge translates each, for a client of 1.22 and of 1.20.`,
    rows: gathered.rows(),
  }
}

/** Memory with many followed streams on which nothing happens, and what is left when they have gone. */
export async function idle(): Promise<Group> {
  const gathered = new Gathered()
  await build()
  await withContenders([installed], startScripted, async (running) => {
    for (const { name, port, program } of running) {
      const note = (when: string): void => {
        const { now, own } = memory(program)
        gathered.add(`memory ${when}`, 'MB', false, name, now)
        gathered.add(`memory ${when}, its own`, 'MB', false, name, own)
      }
      note('after the start')
      const agent = new http.Agent({ maxSockets: Number.POSITIVE_INFINITY })
      const open = await Promise.all(Array.from({ length: IDLE }, () => openEvents(port, agent)))
      await sleep(1000)
      note(`with ${IDLE} idle streams`)
      for (const res of open) res.destroy()
      agent.destroy()
      await sleep(1000)
      note('when they have left')
    }
  })
  return {
    name: 'Idle streams',
    how: `${IDLE} clients of 1.22 follow the events of an engine that has none; the program as it is installed. **Its own** is what is no page of Node's executable and its libraries (RssAnon): those are there once for all Node programs of a machine.`,
    rows: gathered.rows(),
  }
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

/** How many clients ask for the large list, one answer after the other, while the tunnel is timed. */
const ASKING = 2
/** Long enough for hundreds of round trips, however slow. */
const ASKED_SECONDS = 4

/** What is asked for: by a client of the engine's version, and by one whose list has to be translated. */
const LISTS = [
  ['as it comes', '/v1.41/containers/json?changed=one'],
  ['translated, one container changed', '/v1.22/containers/json?changed=one'],
  ['translated, every container changed', '/v1.22/containers/json?changed=every'],
] as const
const UNTRANSLATED = LISTS[0]

/** Whether a tunnel is held up by somebody else's large list, and what such a list costs. */
export async function beside(rounds: number): Promise<Group> {
  const gathered = new Gathered()
  const list = (await bodies()).get(`containers/json-${LARGE_LIST}`) ?? ''
  const contenders = [...others.filter(({ name }) => name !== 'nginx'), quiet]
  await withContenders(contenders, startScripted, async (running) => {
    for (let round = 0; round < rounds; round++)
      for (const { name, port, program } of running)
        for (const [what, path] of name === quiet.name ? LISTS : [UNTRANSLATED]) {
          const tunnel = await openTunnel({ host: '127.0.0.1', port }, 0)
          const state = { asking: true }
          const load = { connections: ASKING, seconds: ASKED_SECONDS }
          const asked = wrk(program, port, path, load).finally(() => {
            state.asking = false
          })
          const taken: number[] = []
          while (state.asking) taken.push(...(await pingPong(tunnel, 1)))
          const { cpu } = await asked
          tunnel.destroy()
          const row = `ping-pong beside lists of ${LARGE_LIST} ${what}`
          gathered.add(`${row}, p50`, 'ms', false, name, percentile(taken, 50))
          gathered.add(`${row}, p99`, 'ms', false, name, percentile(taken, 99))
          if (name !== quiet.name) continue
          const cost = `a list of ${LARGE_LIST} ${what}, processor of all that is done for it`
          gathered.add(cost, 'ms', false, name, cpu)
          gathered.add(cost, 'ms', false, 'parse and write', parseAndWrite(list))
        }
  })
  return {
    name: 'Beside a large list',
    how: `${ASKING} clients (wrk) ask for a list of ${LARGE_LIST} containers without a pause, another each time, while a byte goes to and fro through an attach. **parse and write**: JSON.parse and JSON.stringify of it, and nothing else.

The load, the engine, the clients of the tunnel and the program share the processors here: what haproxy and the relay take beside lists that nobody
translates is what the machine takes.`,
    rows: gathered.rows(),
  }
}

const TIMES = 20

/** The least that an object path could cost: milliseconds of processor time. */
function parseAndWrite(text: string): number {
  const bytes = Buffer.from(text)
  const once = (): number => Buffer.from(JSON.stringify(JSON.parse(bytes.toString()))).length
  for (let i = 0; i < TIMES; i++) once() // warm
  const before = process.cpuUsage()
  for (let i = 0; i < TIMES; i++) once()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / TIMES
}
