import { cpus, release, totalmem } from 'node:os'
import { cellOf, type Group, median, type Row, ratio } from './result.ts'

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

/** docs/performance.md, from what was measured. */
export function page(groups: readonly Group[], on: Machine, rounds: number): string {
  const sections = groups.map((group) => {
    const yardsticks = group.rows.some((row) => cellOf(row, 'relay'))
      ? ['relay']
      : ['direct', 'off', '1 worker', 'parse and write']
    return `## ${group.name}\n\n${group.how}\n\n${table(group, yardsticks)}\n`
  })
  return `# Performance

Written by \`npm run bench\`. Everything in a table was measured in one run, in turn, on one machine, which the load, the engine
and the program under test share; a figure is the median of ${rounds} rounds, and in brackets stands the median of its ratios, round by
round, to the relay (or to the direct connection, the audit off, one worker, where there is no relay). Compare the ratios; the figures
by themselves say more about the machine.

- **relay**: a bare Node program that hands each call to undici and the answer back (bench/relay.ts): what Node costs by itself.
- **bridge**: this program, with its audit record off unless the row says otherwise.
- **haproxy**, **nginx**: Debian's, with the least configuration.

Machine: ${on.processors}, ${on.memory}, ${on.kernel}; Node ${on.node}; ${on.tools}.

${sections.join('\n')}`
}
