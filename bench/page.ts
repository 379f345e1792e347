import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Kept } from './kept.ts'
import { cellOf, type Group, median, type Row, ratio } from './result.ts'
import { targetsTable } from './targets.ts'

const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value >= 1 ? value.toFixed(2) : value.toFixed(3)

/** The figures of one group; next to each its ratio to the yardstick of the same run. */
function table({ rows }: Group, yardsticks: readonly string[]): string {
  const contenders = [...new Set(rows.flatMap(({ cells }) => cells.map(({ contender }) => contender)))]
  const line = (row: Row): string => {
    const yardstick = yardsticks.map((name) => cellOf(row, name)).find((cell) => cell !== undefined)
    const cells = contenders.map((contender) => {
      const cell = cellOf(row, contender)
      if (cell === undefined) return '–'
      const beside = yardstick === undefined || yardstick === cell ? '' : ` (${ratio(cell, yardstick).toFixed(2)}×)`
      return `${number(median(cell.rounds))}${beside}`
    })
    return `| ${row.what} | ${row.unit} | ${cells.join(' | ')} |`
  }
  const head = `| | unit | ${contenders.join(' | ')} |`
  return [head, head.replace(/[^|]+/g, ' --- '), ...rows.map(line)].join('\n')
}

/** The contenders with which figures are compared: the first of them that a row has. */
export const YARDSTICKS = ['direct', 'haproxy', 'relay', '1 worker']

export interface Machine {
  readonly processors: string
  readonly memory: string
  readonly kernel: string
  readonly node: string
  readonly tools: string
}

export const machine = (tools: string): Machine => ({
  processors: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`,
  memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
  kernel: `Linux ${release()}`,
  node: process.version,
  tools,
})

/** Results of profiles (perf and V8's) and of experiments; kept by hand. */
export const LIMITS = readFileSync(join(import.meta.dirname, 'limits.md'), 'utf8')

const SOCKET_PROXY = `
- **socket-proxy**: wollomatic/socket-proxy, a filter in Go that lets every GET through; it runs on as many cores as there are.`

/** docs/performance.md, from the measurements. */
export function page(kept: readonly Kept[], on: Machine): string {
  const groups = kept.map(({ group }) => group)
  const each = (of: (one: Kept) => string | number): string => [...new Set(kept.map(of))].join(', ')
  const sections = groups.map((group) => {
    return `**${group.name}.** ${group.how.replaceAll('\n', ' ')}\n\n${table(group, YARDSTICKS)}\n`
  })
  const has = (name: string): boolean => groups.some(({ rows }) => rows.some((row) => cellOf(row, name)))
  return `# Performance

Written by \`npm run bench\`. Everything in a table was measured in one run, in turn, on one machine, which the load, the engine and the program under test share; a figure is the median of ${each(({ rounds }) => rounds)} rounds, and in brackets stands the median of its ratios, round by round, to the direct connection (or, where there is none, to haproxy, the relay, one worker). Compare the ratios; the figures by themselves say more about the machine.
- **bridge**: this program as it is built and installed, without an audit record; **bridge, audit**: with one (async, to a file).
- **haproxy**: Debian's, on one thread, with the least configuration.${has('socket-proxy') ? SOCKET_PROXY : ''}
- **relay**: a bare Node program that hands each call to undici and the answer back (bench/relay.ts).
- Machine: ${on.processors}, ${on.memory}, ${on.kernel}; Node ${on.node}; ${on.tools}. Measured at revision ${each(({ revision }) => revision)}.

## Targets

${targetsTable(groups)}

## Figures

${sections.join('\n')}
${LIMITS}`
}
