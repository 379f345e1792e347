/**
 * `npm run clients`: every client on every engine, through the bridge; writes the tables of docs/clients.md.
 *
 *   --engine NAME   only this engine (may be given several times), such as 28.5 or '29, recorded'
 *   --client TEXT   only clients whose title holds this text, such as 'docker-py' or 'docker 28.5' (several times)
 *   --keep DIR      keeps each result in DIR, so that a run in portions gives one page
 *   --missing       runs only what DIR does not have of this revision yet
 *   --page          runs nothing: writes the page from DIR
 *   --all           results of other revisions too; the page says of how many
 *
 * Without --engine and --client it writes the page. Exits with 1 when a red cell has no explanation, with 2 when engines
 * cannot run here.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { whyNoEngines } from '../live/support/engine-script.ts'
import { RECORDED_ENGINES } from '../replay/exchange.ts'
import { type Client, everyClient } from './catalogue.ts'
import { ENGINES, recordedName } from './engines.ts'
import { commitNow, KeptCells, revisionNow } from './kept.ts'
import { type Cell, type RunFacts, reds, runLines, sameClient, titleOf, unexplained, withRun } from './page.ts'
import { onEngine, onRecorded } from './stage.ts'

const DOCS = join(import.meta.dirname, '..', '..', 'docs')
const say = (line: string): void => void process.stderr.write(`${line}\n`)

const { values } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true },
    client: { type: 'string', multiple: true },
    keep: { type: 'string' },
    missing: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  },
})

async function run(folder: string): Promise<number> {
  const skipped: string[] = []
  const clients = await everyClient((line) => {
    skipped.push(line)
    say(`*** NOT RUN: ${line} ***`)
  })
  const commit = commitNow() // before the page is written, which is in the tree itself
  const kept = new KeptCells(values.keep ?? join(folder, 'kept'), revisionNow())
  if (!values.page) {
    const had = values.missing ? kept.read().cells : []
    const wanted = (client: Client): boolean =>
      values.client === undefined || values.client.some((text) => titleOf(client).includes(text))
    const open = (engine: string): Client[] =>
      clients.filter(
        (client) =>
          wanted(client) && !had.some((cell) => cell.engine.name === engine && sameClient(cell.client, client)),
      )
    const chosen = (engine: string): boolean => values.engine?.includes(engine) ?? true
    const told = (cell: Cell): void => tell(kept, cell)
    await Promise.all(ENGINES.filter(chosen).map((engine) => onEngine(engine, folder, open(engine), told)))
    for (const engine of RECORDED_ENGINES.filter((one) => chosen(recordedName(one))))
      await onRecorded(engine, folder, open(recordedName(engine)), told)
  }
  const { cells, stale, revisions } = kept.read(values.all)
  if (stale > 0) say(`${stale} kept results are of another revision and are not used`)
  if (values.page || (values.engine === undefined && values.client === undefined))
    writePage(cells, clients, { skipped, revisions, commit })
  const open = unexplained(cells)
  say(`${cells.length} cells, ${reds(cells).length} red steps, ${open.length} of them not explained`)
  return open.length === 0 ? 0 : 1
}

function tell(kept: KeptCells, cell: Cell): void {
  kept.keep(cell)
  const failed = reds([cell]).map(
    ({ step, why, explained }) => `\n    ${step}: ${why.slice(0, 400)}${explained === undefined ? '' : ' (explained)'}`,
  )
  say(`${cell.engine.name}: ${titleOf(cell.client)} ${cell.seconds} s ${failed.join('') || 'works'}`)
}

function writePage(cells: readonly Cell[], clients: readonly Client[], facts: RunFacts): void {
  const file = join(DOCS, 'clients.md')
  writeFileSync(file, withRun(readFileSync(file, 'utf8'), runLines(cells, clients, facts)))
}

const missing = whyNoEngines()
if (missing !== undefined) {
  say(`no real engine can run here: ${missing}`)
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'eb-clients-'))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
try {
  process.exitCode = await run(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit() // clients may have left connections open
