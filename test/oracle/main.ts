/**
 * `npm run oracle`: plays what the tests of each age assert through the bridge, and writes docs/oracle.md.
 *
 *   --engine NAME   only this one, and no page
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { startBridge } from '../../src/proxy/bridge.ts'
import { readConfig } from '../../src/proxy/settings/config.ts'
import { engineScript, startInMemory, whyNoEngines } from '../live/support/engine-script.ts'
import { pageOf, sayMeasure } from './page.ts'
import { type Played, playRow } from './play.ts'
import { assertions, SOURCES } from './sources.ts'

const ENGINES = ['20.10', '28.5-min1.44', 'podman-5.4']
/** Rows under way at once. */
const LANES = 4

const { values } = parseArgs({ options: { engine: { type: 'string' } } })
const missing = whyNoEngines()
if (missing === undefined) await run()
else {
  process.stdout.write(`no real engine can run here: ${missing}\n`)
  process.exitCode = 2
}

async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'enginebridge-oracle-'))
  const played = new Map<string, Played[]>()
  try {
    const engines = ENGINES.filter((one) => values.engine === undefined || values.engine === one)
    const results = await Promise.all(engines.map((name) => onEngine(name, folder)))
    for (const [i, name] of engines.entries()) {
      played.set(name, results[i] ?? [])
      process.stdout.write(`${name}: ${sayMeasure(results[i] ?? [])}\n`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  if (values.engine === undefined)
    writeFileSync(new URL('../../docs/oracle.md', import.meta.url), pageOf(SOURCES, played))
  for (const [name, rows] of played)
    for (const { row, age, differs } of rows)
      if (differs !== undefined) process.stdout.write(`${name} ${age} ${row.test} ${row.asks}: ${differs}\n`)
}

async function onEngine(name: string, folder: string): Promise<Played[]> {
  const [engine, socket] = [join(folder, `${name}.sock`), join(folder, `${name}-bridge.sock`)]
  await startInMemory(name, engine)
  const flags = ['--listen', `unix://${socket}`, '--engine', `unix://${engine}`, '--state', 'off']
  const sinks = { log: pino({ level: 'silent' }), audit: { write: () => undefined } }
  const bridge = await startBridge(readConfig([...flags, '--grace', '0', '--start-hostconfig', 'recreate'], {}), sinks)
  const left = assertions()
  const played: Played[] = []
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      played.push(await playRow(socket, next.row, next.age))
  }
  try {
    await Promise.all(Array.from({ length: LANES }, lane))
  } finally {
    await bridge.close()
    await engineScript('down', engine)
  }
  return played
}
