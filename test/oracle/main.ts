/**
 * `npm run oracle`: plays the requests that tests of each age make through the bridge, and prints failed assertions without a reason.
 *
 *   --engine NAME   only this one
 *   --keep FILE     keeps results, and plays only rows that have none yet
 *   --page          writes docs/oracle.md
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { startBridge } from '../../src/proxy/bridge.ts'
import { readConfig } from '../../src/proxy/settings/config.ts'
import { engineScript, startAsRecorded, whyNoEngines } from '../live/support/engine-script.ts'
import { KeptAnswers } from './kept.ts'
import { pageOf, sayMeasure } from './page.ts'
import { type Played, playRow } from './play.ts'
import { reasonOf } from './reasons.ts'
import { type Assertion, assertions, SOURCES } from './sources.ts'

const ENGINES = ['20.10', '28.5-min1.44', 'podman-5.4']
/** The number of rows played at once. */
const LANES = 4

const { values } = parseArgs({
  options: { engine: { type: 'string' }, keep: { type: 'string' }, page: { type: 'boolean' } },
})
const kept = new KeptAnswers(values.keep)
const missing = whyNoEngines()
if (missing === undefined) await run()
else {
  process.stdout.write(`no real engine can run here: ${missing}\n`)
  process.exitCode = 2
}

async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'enginebridge-oracle-'))
  const engines = ENGINES.filter((one) => values.engine === undefined || values.engine === one)
  try {
    const results = await Promise.all(engines.map(async (name) => [name, await onEngine(name, folder)] as const))
    if (values.page === true)
      writeFileSync(new URL('../../docs/oracle.md', import.meta.url), pageOf(SOURCES, new Map(results)))
    for (const [name, rows] of results) say(name, rows)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Prints the result of an engine; a difference without a reason fails the run. */
function say(name: string, rows: readonly Played[]): void {
  process.stdout.write(`${name}: ${sayMeasure(rows)}\n`)
  const open = rows.filter((one) => one.differs !== undefined && reasonOf(name, one) === undefined)
  for (const { row, age, differs } of open) process.stdout.write(`${name} ${age} ${row.test} ${row.asks}: ${differs}\n`)
  if (open.length > 0) process.exitCode = 1
}

async function onEngine(name: string, folder: string): Promise<Played[]> {
  const all = assertions()
  const played = all.map((one, index) => kept.find(name, index, one))
  const left = [...all.entries()].filter(([index]) => played[index] === undefined)
  if (left.length > 0) await play(name, folder, left, played)
  kept.keep(name, played)
  return played.filter((one) => one !== undefined)
}

async function play(
  name: string,
  folder: string,
  left: [number, Assertion][],
  played: (Played | undefined)[],
): Promise<void> {
  const [engine, socket] = [join(folder, `${name}.sock`), join(folder, `${name}-bridge.sock`)]
  await startAsRecorded(name, engine)
  const flags = ['--listen', `unix://${socket}`, '--engine', `unix://${engine}`, '--state', 'off']
  const sinks = { log: pino({ level: 'silent' }), audit: { write: () => undefined } }
  const bridge = await startBridge(readConfig([...flags, '--grace', '0', '--start-hostconfig', 'recreate'], {}), sinks)
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      played[next[0]] = await playRow(socket, next[1].row, next[1].age)
  }
  try {
    await Promise.all(Array.from({ length: LANES }, lane))
  } finally {
    await bridge.close()
    await engineScript('down', engine)
  }
}
