import type { Cell, Verdict } from './cells.ts'
import type { Explained } from './explain.ts'

const VERDICTS = ['identical', 'explained', 'wrong'] as const satisfies readonly Verdict[]

export type Measure = Readonly<Record<Verdict, number>>

export function measureOf(cells: readonly Cell[]): Measure {
  const count = (verdict: Verdict): number => cells.filter((cell) => cell.verdict === verdict).length
  return { identical: count('identical'), explained: count('explained'), wrong: count('wrong') }
}

export const sayMeasure = (measure: Measure): string =>
  `cells (operation × pair): ${VERDICTS.map((verdict) => `${measure[verdict]} ${verdict}`).join(', ')}`

const SIGN = { identical: '=', explained: 'e', wrong: '**wrong**' } as const satisfies Record<Verdict, string>
const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

/** docs/conformance.md: what the last whole run measured. */
export function pageOf(cells: readonly Cell[], explained: readonly Explained[], calls: number): string {
  const clients = [...new Set(cells.map(({ client }) => client))].sort()
  return [
    '# Conformance',
    '',
    'Written by `npm run conformance`, which plays a scenario of',
    `${calls} calls (test/golden/conformance/catalogue.json: every operation with its parameters and bodies, good and bad) as a`,
    'client of each version: through the bridge to engine 20.10 with the target left to the bridge (`20.10`) and pinned',
    '(`20.10 at 1.24`), to newer engines, and directly (`20.10 direct`). Every answer is compared with what the real engine of the',
    'client’s version gave to the same call (status, content type, text of errors, shape), and with the unpinned way to 20.10',
    '(values too; ids, times and counters are made equal).',
    '',
    '`=` identical, `e` explained below.',
    '',
    `${sayMeasure(measureOf(cells))}.`,
    '',
    ...clients.flatMap((client) => [
      ...tableOf(
        cells.filter((cell) => cell.client === client),
        client,
      ),
      '',
    ]),
    ...reasonsOf(cells, explained),
    '',
  ].join('\n')
}

function tableOf(cells: readonly Cell[], client: string): string[] {
  const ways = [...new Set(cells.map(({ way }) => way))].sort()
  const operations = [...new Set(cells.map(({ operation }) => operation))].sort()
  const verdict = (operation: string, way: string): string => {
    const cell = cells.find((candidate) => candidate.operation === operation && candidate.way === way)
    return cell === undefined ? '' : SIGN[cell.verdict]
  }
  return [
    `## Clients of ${client}`,
    '',
    row(['operation', ...ways]),
    row(['---', ...ways.map(() => '---')]),
    ...operations.map((operation) => row([operation, ...ways.map((way) => verdict(operation, way))])),
  ]
}

function reasonsOf(cells: readonly Cell[], explained: readonly Explained[]): string[] {
  const ids = new Set(cells.flatMap(({ reasons }) => [...reasons].filter((reason) => /^1\.\d+\//.test(reason))))
  return [
    '## Explained differences',
    '',
    'From the engine’s own answer (`20.10 direct`): `release` changes that the bridge puts right, by operation in',
    `[compatibility.md](compatibility.md): ${[...ids]
      .sort()
      .map((id) => `\`${id}\``)
      .join(', ')}.`,
    '',
    row(['calls', 'what', 'measured by', 'clients', 'ways', 'why']),
    row(['---', '---', '---', '---', '---', '---']),
    ...explained.map((entry) =>
      row([
        entry.calls ?? entry.operations?.join(' ') ?? 'all',
        entry.paths?.map((path) => `\`${path}\``).join(' ') ?? 'all',
        entry.against === 'recorded' ? 'the recorded engine' : 'the unpinned way',
        entry.clients?.join(' ') ?? 'all',
        entry.ways?.join(', ') ?? 'all',
        entry.why,
      ]),
    ),
  ]
}
