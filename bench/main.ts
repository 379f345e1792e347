import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { build } from './contenders.ts'
import { tar, tunnel } from './groups/carried.ts'
import { real } from './groups/real.ts'
import { small } from './groups/small.ts'
import { start } from './groups/start.ts'
import { workers } from './groups/workers.ts'
import { keep, readKept, revision } from './kept.ts'
import { machine, page, YARDSTICKS } from './page.ts'
import { cellOf, type Group, median, ratio } from './result.ts'
import { tool } from './tools.ts'

/**
 * `npm run bench -- [--rounds N] [--seconds S] [--page] [GROUP…]`: measures, prints, and with --page writes the page.
 * `npm run bench -- --page-only` writes it from what each group gave when it was measured last.
 */
const ROOT = join(import.meta.dirname, '..')
const PAGE = join(ROOT, 'docs', 'performance.md')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    page: { type: 'boolean', default: false },
    'page-only': { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)

const GROUPS: Readonly<Record<string, () => Promise<Group>>> = {
  small: () => small(rounds, seconds),
  tar: () => tar(rounds),
  tunnel: () => tunnel(rounds),
  workers: () => workers(rounds, seconds),
  start: () => start(rounds),
  real: () => real(rounds),
}

function tell(group: Group): void {
  console.log(`\n${group.name}`)
  for (const row of group.rows) {
    const yardstick = YARDSTICKS.map((name) => cellOf(row, name)).find((cell) => cell !== undefined)
    const cells = row.cells.map((cell) => {
      const beside = yardstick === undefined ? '' : ` (${ratio(cell, yardstick).toFixed(2)}×)`
      return `${cell.contender} ${median(cell.rounds).toPrecision(3)}${beside}`
    })
    console.log(`  ${row.what} [${row.unit}]: ${cells.join(', ')}`)
  }
}

async function versions(): Promise<string> {
  const said = async (name: 'haproxy' | 'nginx'): Promise<string> => {
    const { path, env } = await tool(name)
    const { stdout, stderr } = await promisify(execFile)(path, ['-v'], { env })
    return /\d+\.\d+\.\d+/.exec(stdout + stderr)?.[0] ?? '?'
  }
  return `haproxy ${await said('haproxy')}, nginx ${await said('nginx')}`
}

// So that what is to be undone at exit is undone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

const all = Object.keys(GROUPS)
const names = values['page-only'] ? [] : positionals.length > 0 ? positionals : all
const measured = await revision()
if (names.length > 0) await build()
for (const name of names) {
  const measure = GROUPS[name]
  if (measure === undefined) throw new Error(`there is no group ${name}; there are ${all.join(', ')}`)
  const group = await measure()
  tell(group)
  await keep(name, { group, revision: measured, rounds })
}
if (values.page || values['page-only']) await writeFile(PAGE, page(await readKept(all), machine(await versions())))
process.exit()
