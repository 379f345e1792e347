import { join } from 'node:path'
import { LiveBridge } from '../live/support/bridge.ts'
import { Client as Wire } from '../live/support/client.ts'
import { endEngines, engineScript, startInMemory } from '../live/support/engine-script.ts'
import { replayEngine } from '../replay/engine.ts'
import { loadEngine, type RecordedEngine } from '../replay/exchange.ts'
import type { Client } from './catalogue.ts'
import { ANNOUNCED, type Engine, recordedName } from './engines.ts'
import { type Cell, type EngineFacts, unexplained } from './page.ts'
import type { ClientFacts } from './rows.ts'

const minor = (version: string): number => Number(version.split('.')[1])

/** An engine with two bridges before it. */
interface Stage {
  readonly engine: EngineFacts
  readonly plain: LiveBridge
  readonly announcing: LiveBridge
  readonly socket: string
  end(): Promise<void>
}

async function factsOf(name: string, socket: string): Promise<EngineFacts> {
  const version = await Wire.ofEngine(socket).get('/version')
  const text = (member: string): string => String(version.at(member))
  return { name, release: text('Version'), lowest: text('MinAPIVersion'), highest: text('ApiVersion') }
}

async function stageOf(name: Engine, folder: string): Promise<Stage> {
  const socket = join(folder, `${name}.sock`)
  process.once('exit', () => endEngines((one) => one === socket)) // also when the run is interrupted
  await startInMemory(name, socket)
  const plain = new LiveBridge(join(folder, `${name}-plain.sock`), socket, [])
  const announcing = new LiveBridge(join(folder, `${name}-new.sock`), socket, ['--announce-api', ANNOUNCED])
  await Promise.all([plain.ready(), announcing.ready()])
  const end = async (): Promise<void> => {
    await Promise.all([plain.stop(), announcing.stop()])
    await engineScript('down', socket)
  }
  return { engine: await factsOf(name, socket), plain, announcing, socket, end }
}

/** The clients whose calls were recorded, one after the other, on an engine that replays recordings. */
export async function onRecorded(
  name: RecordedEngine,
  folder: string,
  clients: readonly Client[],
  told: (cell: Cell) => void,
): Promise<void> {
  const playing = clients.filter(({ recorded }) => recorded !== undefined)
  if (playing.length === 0) return
  const recordings = loadEngine(name)
  const engine = await replayEngine(join(folder, `${name}.sock`), recordings)
  const bridge = new LiveBridge(join(folder, `${name}-bridge.sock`), engine.socket, [])
  await bridge.ready()
  const facts = { ...(await factsOf(name, engine.socket)), name: recordedName(name) }
  for (const [i, client] of playing.entries()) {
    const own = `recorded-${name}-${i}`
    const began = Date.now()
    const report = await client.recorded?.({
      socket: bridge.socket,
      engine: engine.socket,
      folder: join(folder, own),
      name: own,
    })
    const seconds = Math.round((Date.now() - began) / 1000)
    if (report !== undefined) told({ client: onlyFacts(client), engine: facts, announced: false, report, seconds })
  }
  await bridge.stop()
  await engine.close()
}

const onlyFacts = ({ product, release, api, note }: Client): ClientFacts => ({ product, release, api, note })

/** The clients, one after the other, on one engine. */
export async function onEngine(
  name: Engine,
  folder: string,
  clients: readonly Client[],
  told: (cell: Cell) => void,
): Promise<void> {
  if (clients.length === 0) return
  const stage = await stageOf(name, folder)
  for (const [i, client] of clients.entries()) {
    const attempt = (which: string): Promise<Cell> => play(stage, client, folder, `${i}${which}`)
    const first = await attempt('a')
    // A machine under load is late: what fails without a known reason is tried once more, and the page says so.
    const firstTry = unexplained([first]).map(({ step, why }) => `${step}: ${why}`)
    told(firstTry.length === 0 ? first : { ...(await attempt('b')), firstTry: firstTry.join('; ') })
  }
  await stage.end()
}

async function play(stage: Stage, client: Client, folder: string, own: string): Promise<Cell> {
  const { engine, plain, announcing } = stage
  const wants = client.api ?? client.wants
  const announced = wants !== undefined && minor(wants) > minor(engine.highest)
  const { socket } = announced ? announcing : plain
  const name = `clients-${engine.name.replaceAll('.', '')}-${own}-${process.pid}`
  const began = Date.now()
  const report = await client.run({ socket, engine: stage.socket, folder: join(folder, name), name })
  const seconds = Math.round((Date.now() - began) / 1000)
  return { client: onlyFacts(client), engine, announced, report, seconds }
}
