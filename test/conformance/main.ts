/**
 * `npm run conformance`: plays the catalogue on every way, compares, writes docs/conformance.md and prints the measure.
 *
 *   --quick         a few clients and ways, no page
 *   --client C      only this client version (no page)
 *   --keep DIR      keeps what was heard in DIR, and hears again only what is not there yet
 *
 * Exits with 1 when a cell is wrong or an explanation is used no more, with 2 when engines cannot run here.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { engineScript, startAsRecorded, whyNoEngines } from '../live/support/engine-script.ts'
import { dataOf } from './data.ts'
import { judge } from './judge.ts'
import { pageOf, sayCounts, sayMeasures } from './page.ts'
import { enginesFor, hearAll, revisionOf, toHear } from './run.ts'
import { allWays, quickWays } from './support/ways.ts'

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, client: { type: 'string' }, keep: { type: 'string' } },
})
const missing = whyNoEngines()
if (missing === undefined) process.exitCode = await run()
else {
  say(`no real engine can run here: ${missing}`)
  process.exitCode = 2
}

async function run(): Promise<number> {
  const ways = values.quick
    ? quickWays
    : allWays.filter(({ client }) => values.client === undefined || values.client === client)
  const folder = mkdtempSync(join(tmpdir(), `enginebridge-conformance-`))
  const engines = enginesFor(toHear(values.keep, ways), folder, values.quick === true ? 4 : 12)
  const end = async (): Promise<void> => {
    for (const { sockets } of engines) for (const socket of sockets) await engineScript('down', socket)
    rmSync(folder, { recursive: true, force: true })
  }
  const stopping = new AbortController()
  const stop = (): void => {
    stopping.abort()
    void end().then(() => process.exit(130))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  try {
    const revision = revisionOf(values.keep)
    for (const { name, sockets } of engines) for (const socket of sockets) await startAsRecorded(name, socket)
    const heard = await hearAll({ ways, engines, folder, keep: values.keep, say, stopped: stopping.signal })
    const reach = values.client !== undefined ? 'part' : values.quick === true ? 'selection' : 'whole'
    const { cells, explained, stale, wrong } = judge(heard, reach)
    if (reach === 'whole') {
      const data = dataOf(cells, explained, revision)
      writeFileSync(new URL('../../docs/conformance.json', import.meta.url), `${JSON.stringify(data)}\n`)
      writeFileSync(new URL('../../docs/conformance.md', import.meta.url), pageOf(data))
    }
    for (const line of wrong) say(line)
    for (const line of stale) say(`explained, and no longer so: ${line}`)
    for (const line of sayCounts(cells)) say(line)
    say(sayMeasures(cells))
    return wrong.length + stale.length > 0 ? 1 : 0
  } finally {
    await end()
  }
}
