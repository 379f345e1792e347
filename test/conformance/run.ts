import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { callsFor, type Scenario, scenarioOf } from './catalogue.ts'
import type { Heard } from './cells.ts'
import { righted } from './release.ts'
import { clean } from './support/clean.ts'
import { type Played, play } from './support/play.ts'
import { viewOf } from './support/view.ts'
import { warm } from './support/warm.ts'
import { Bridges, type Way, wayName } from './support/ways.ts'

/** The sockets of engines of one kind; as many scenarios run side by side. */
export interface Engines {
  readonly name: string
  readonly sockets: readonly string[]
}

const MOST = 4

/** Engines of each kind: about one for every `each` ways. */
export function enginesFor(ways: readonly Way[], folder: string, each: number): Engines[] {
  return [...Map.groupBy(ways, ({ engine }) => engine)].map(([name, { length }]) => {
    const count = Math.min(MOST, Math.ceil(length / each))
    return { name, sockets: Array.from({ length: count }, (_, i) => join(folder, `${name}-${i}.engine`)) }
  })
}

export interface Options {
  readonly ways: readonly Way[]
  readonly engines: readonly Engines[]
  /** The folder for the sockets of the bridges. */
  readonly folder: string
  /** The folder in which answers are kept; ways whose answers an earlier run has kept are not played again. */
  readonly keep?: string | undefined
  readonly say: (line: string) => void
  /** Aborted when the run is stopped: answers of engines that are shutting down are not kept. */
  readonly stopped?: AbortSignal
}

/** Plays the scenario on every way. Each engine plays one scenario at a time; several engines run side by side. */
export async function hearAll(options: Options): Promise<Heard[]> {
  const heard = options.ways.flatMap((way) => {
    const kept = keptAnswers(options, way)
    return kept === undefined ? [] : [heardOf(way, kept)]
  })
  const waiting = Map.groupBy(toHear(options.keep, options.ways), ({ engine }) => engine)
  const lanes = options.engines.flatMap(({ name, sockets }) =>
    sockets.map((socket, i) => ({ queue: waiting.get(name) ?? [], socket, name: `${name}-${i}` })),
  )
  await Promise.all(
    lanes.map(async ({ queue, socket, name }) => {
      const bridges = new Bridges(socket, options.folder, name)
      const readyFor = new Set<Scenario>()
      for (let way = queue.shift(); way !== undefined; way = queue.shift()) {
        const scenario = scenarioOf(way.client)
        if (!readyFor.has(scenario)) await warm(socket, scenario)
        readyFor.add(scenario)
        if (scenario === 'newest') readyFor.delete('old') // it counts images, so those of the old one were removed
        heard.push(heardOf(way, await hear(options, bridges, socket, way)))
      }
      if (readyFor.size > 0) await clean(socket)
      await bridges.close()
    }),
  )
  return heard
}

/** The answers in the form in which they are compared. */
export function heardOf(way: Way, played: readonly Played[]): Heard {
  const views = new Map(played.map((answer) => [answer.call.name, viewOf(answer)]))
  if (way.target !== 'direct') return { way, views }
  return { way, views, righted: new Map(played.map((answer) => [answer.call.name, righted(way, answer)])) }
}

async function hear(options: Options, bridges: Bridges, socket: string, way: Way): Promise<readonly Played[]> {
  const began = performance.now()
  await clean(socket, scenarioOf(way.client) === 'newest' ? 'nothing' : 'builds')
  const played = await play(await bridges.socketFor(way), way.client, callsFor(way.client))
  options.stopped?.throwIfAborted()
  options.say(`${way.client} on ${wayName(way)}: ${Math.round((performance.now() - began) / 1000)} s`)
  const file = keptFile(options, way)
  if (file !== undefined)
    writeFileSync(file, JSON.stringify(played.map((answer) => ({ ...answer, body: answer.body.toString('latin1') }))))
  return played
}

function keptFile({ keep }: Options, way: Way): string | undefined {
  if (keep === undefined) return undefined
  mkdirSync(keep, { recursive: true })
  return join(keep, fileOf(way))
}

/** The ways of which no earlier run has kept the answers. */
export const toHear = (keep: string | undefined, ways: readonly Way[]): readonly Way[] =>
  keep === undefined ? ways : ways.filter((way) => !existsSync(join(keep, fileOf(way))))

const fileOf = (way: Way): string => `${way.client} ${wayName(way)}.json`

/** The revision that was played: with `keep`, the one that began to fill the folder. */
export function revisionOf(keep: string | undefined): string {
  const file = keep === undefined ? undefined : join(keep, 'revision')
  if (file !== undefined && existsSync(file)) return readFileSync(file, 'utf8').trim()
  const git = (...words: string[]): string => execFileSync('git', words, { cwd: import.meta.dirname, encoding: 'utf8' })
  const changed = git('status', '--porcelain').trim() === '' ? '' : ' with changes'
  const revision = `${git('rev-parse', '--short', 'HEAD').trim()}${changed}`
  if (file !== undefined) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${revision}\n`)
  }
  return revision
}

function keptAnswers(options: Options, way: Way): readonly Played[] | undefined {
  const file = keptFile(options, way)
  if (file === undefined || !existsSync(file)) return undefined
  const kept = JSON.parse(readFileSync(file, 'utf8')) as (Omit<Played, 'body'> & { body: string })[]
  return kept.map((answer): Played => ({ ...answer, body: Buffer.from(answer.body, 'latin1') }))
}
