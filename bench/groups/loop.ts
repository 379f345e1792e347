import { on } from 'node:events'
import { existsSync, readFileSync, rmSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { haproxy, nginx, watchedBridge, watchedRelay } from '../contenders.ts'
import { memory, type Program } from '../programs.ts'
import { Gathered, type Group } from '../result.ts'
import { withContenders } from '../stage.ts'
import { ALL_OTHER, LARGE_LIST, SMALL_LIST, startUpstream } from '../upstream.ts'
import { wrk } from '../wrk.ts'

const ASKED = [
  ['ping, nothing to translate', '/v1.41/_ping', 200],
  ['inspect, nothing to translate', '/v1.41/containers/one/json', 32],
  ['inspect, translated, another each time', '/v1.22/containers/one/json?size=0', 32],
  [`list of ${SMALL_LIST}, translated, every container changed`, `/v1.22/containers/json?limit=${ALL_OTHER}`, 32],
  [`list of ${LARGE_LIST}, nothing to translate`, `/v1.41/containers/json?limit=${LARGE_LIST}`, 2],
  [`list of ${LARGE_LIST}, translated, the same again`, `/v1.22/containers/json?limit=${LARGE_LIST}`, 2],
] as const

/** How late a loop was, in milliseconds. */
interface Late {
  readonly p50: number
  readonly p99: number
  readonly most: number
}

/** How late the event loops are under load, and the most memory that each contender took in all of it. */
export async function loop(rounds: number, seconds: number): Promise<Group> {
  const gathered = new Gathered()
  await withContenders([haproxy, nginx, watchedRelay, watchedBridge], startUpstream, async (running, { socket }) => {
    const fileOf = (name: string): string => join(dirname(socket), `${name}.delay`)
    const isWatched = (name: string): boolean => name === watchedRelay.name || name === watchedBridge.name
    for (const [what, path, connections] of ASKED)
      for (let round = 0; round < rounds; round++)
        for (const { name, port, program } of running) {
          if (isWatched(name)) await lateSince(program, fileOf(name)) // what came before is another row’s
          await wrk(program, port, path, { connections, seconds })
          if (!isWatched(name)) continue
          const { p99, most } = await lateSince(program, fileOf(name))
          gathered.add(`${what}, ${connections} connections, p99 of the loop’s delay`, 'ms', false, name, p99)
          gathered.add(`${what}, ${connections} connections, longest`, 'ms', false, name, most)
        }
    for (const { name, program } of running)
      gathered.add('most memory in all of it', 'MB', false, name, memory(program).peak)
  })
  return {
    name: 'Event loop and memory',
    how: 'wrk before nginx with static bodies, as above. How late the event loop came round is measured inside both Node programs.',
    rows: gathered.rows(),
  }
}

async function lateSince({ pid }: Program, file: string): Promise<Late> {
  rmSync(file, { force: true })
  const watcher = watch(dirname(file))
  try {
    const changes = on(watcher, 'change')
    process.kill(pid, 'SIGUSR2')
    for await (const _change of changes) {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
      if (text.endsWith('}')) return JSON.parse(text) as Late
    }
    throw new Error(`${file} was never written`)
  } finally {
    watcher.close()
  }
}
