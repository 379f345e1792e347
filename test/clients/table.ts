import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LiveBridge } from '../live/support/bridge.ts'
import { Client as Wire } from '../live/support/client.ts'
import { engineScript, whyNoEngines } from '../live/support/engine-script.ts'
import { DOCKER_ENGINES, type EngineName, PODMAN } from '../live/support/suites.ts'
import {
  type Client,
  cliClients,
  compose1Clients,
  compose2Clients,
  dockerodeClients,
  pythonClients,
  testcontainersClients,
} from './catalogue.ts'
import { type Cell, type EngineFacts, page, reds, unexplained } from './page.ts'
import { podmanPage } from './podman-page.ts'

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'clients.md')
const PODMAN_PAGE = join(import.meta.dirname, '..', '..', 'docs', 'podman.md')
const ANNOUNCED = '1.52'
const minor = (version: string): number => Number(version.split('.')[1])
const say = (line: string): void => void process.stderr.write(`${line}\n`)

async function everyClient(skipped: string[]): Promise<Client[]> {
  const groups: [string, () => Promise<Client[]> | Client[]][] = [
    ['dockerode', dockerodeClients],
    ['docker 20.10', () => cliClients('20.10')],
    ['docker 26.1', () => cliClients('26.1')],
    ['docker 28.5', () => cliClients('28.5')],
    ['docker-py 5', () => pythonClients('python-bookworm')],
    ['docker-py 7', () => pythonClients('python-docker-7.1')],
    ['Compose 1', compose1Clients],
    ['Compose 2 (trixie)', () => compose2Clients('26.1')],
    ['Compose 2 (sid)', () => compose2Clients('28.5')],
    ['testcontainers', testcontainersClients],
  ]
  const clients: Client[] = []
  for (const [name, find] of groups) {
    try {
      clients.push(...(await find()))
    } catch (cause) {
      skipped.push(`${name}: ${cause instanceof Error ? cause.message.split('\n')[0] : String(cause)}`)
      say(`*** NOT RUN: ${skipped.at(-1)} ***`)
    }
  }
  return clients
}

async function factsOf(name: string, socket: string): Promise<EngineFacts> {
  const version = await Wire.ofEngine(socket).get('/version')
  const text = (member: string): string => String(version.at(member))
  return { name, release: text('Version'), lowest: text('MinAPIVersion'), highest: text('ApiVersion') }
}

interface Stage {
  readonly name: EngineName
  readonly engine: EngineFacts
  readonly plain: LiveBridge
  readonly announcing: LiveBridge
}

/** An engine with two bridges before it. */
async function stageOf(name: EngineName, folder: string): Promise<Stage> {
  const socket = join(folder, `${name}.sock`)
  await engineScript('up', name, socket)
  const engine = await factsOf(name, socket)
  const plain = new LiveBridge(join(folder, `${name}-plain.sock`), socket, [])
  await plain.ready()
  const announcing = new LiveBridge(join(folder, `${name}-new.sock`), socket, ['--announce-api', ANNOUNCED])
  await announcing.ready()
  return { name, engine, plain, announcing }
}

/** All clients, one after the other, on one engine. */
async function onEngine(stage: Stage, folder: string, clients: readonly Client[]): Promise<Cell[]> {
  const { name, engine, plain, announcing } = stage
  const cells: Cell[] = []
  for (const [i, client] of clients.entries()) {
    const announced = client.api !== undefined && minor(client.api) > minor(engine.highest)
    const { socket } = announced ? announcing : plain
    const attempt = async (which: string): Promise<Cell> => {
      const own = `clients-${name.replaceAll('.', '')}-${i}${which}-${process.pid}`
      const report = await client.run({ socket, folder: join(folder, own), name: own })
      return { client, engine, announced, report }
    }
    const first = await attempt('a')
    // A machine under load is late: what fails without a known reason is tried once more, and the page says so.
    const cell = unexplained([first]).length === 0 ? first : await attempt('b')
    cells.push(cell)
    const failed = reds([cell]).map(({ step, why }) => `\n    ${step}: ${why.slice(0, 300)}`)
    say(`${name}: ${client.product} ${client.release} ${client.api ?? ''} ${failed.join('') || 'works'}`)
  }
  await Promise.all([plain.stop(), announcing.stop()])
  return cells
}

const missing = whyNoEngines()
if (missing !== undefined) throw new Error(`no real engine can run here: ${missing}`)
const folder = mkdtempSync(join(tmpdir(), 'eb-clients-'))
const engineNames: readonly EngineName[] = [...DOCKER_ENGINES, PODMAN]
try {
  const skipped: string[] = []
  const clients = await everyClient(skipped)
  const stages: Stage[] = []
  for (const name of engineNames) stages.push(await stageOf(name, folder))
  const found = await Promise.all(stages.map((stage) => onEngine(stage, folder, clients)))
  const cells = found.flat()
  const engines = [...new Set(cells.map(({ engine }) => engine))]
  writeFileSync(PAGE, page(cells, engines, skipped))
  writeFileSync(PODMAN_PAGE, podmanPage(cells.filter(({ engine }) => engine.name === PODMAN)))
  const open = unexplained(cells).length
  say(`${cells.length} cells, ${reds(cells).length} red steps, ${open} of them not explained: ${PAGE}`)
  process.exitCode = open === 0 ? 0 : 1
} finally {
  for (const name of engineNames) await engineScript('down', join(folder, `${name}.sock`))
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
