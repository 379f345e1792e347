import { type Scenario, scenarios } from './catalogue.ts'
import type { Cell, Verdict } from './cells.ts'
import type { Explained, Place } from './explain.ts'

const VERDICTS = ['identical', 'explained', 'wrong'] as const satisfies readonly Verdict[]

export type Measure = Readonly<Record<Verdict, number>>

const measure = (count: (verdict: Verdict) => number): Measure => ({
  identical: count('identical'),
  explained: count('explained'),
  wrong: count('wrong'),
})

/** An operation on one way is a cell; a cell with one call that differs differs. */
export const cellsBy = (cells: readonly Cell[]): Measure =>
  measure((verdict) => cells.filter((cell) => cell.verdict === verdict).length)

export const callsBy = (cells: readonly Cell[]): Measure =>
  measure((verdict) => cells.reduce((sum, { calls }) => sum + calls[verdict], 0))

export function sayMeasures(cells: readonly Cell[]): string {
  const say = (of: Measure): string => VERDICTS.map((verdict) => `${of[verdict]} ${verdict}`).join(', ')
  return `cells (operation × pair): ${say(cellsBy(cells))}; calls in them: ${say(callsBy(cells))}`
}

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

const INTRODUCTION = `# Conformance

Written by \`npm run conformance\`, which plays two scenarios on real engines, through the bridge and without it. Every answer is
compared: status, content type, text of errors, shape and values (ids, times and counters are made equal).

- **Clients of 1.18 to 1.22** say OLD calls (test/golden/conformance/catalogue.json: every operation with its parameters and
  bodies, good and bad), through the bridge to engine 20.10 with the target left to the bridge (\`20.10\`) and pinned
  (\`20.10 at 1.24\`), to newer engines, and directly (\`20.10 direct\`). They are measured by what the real engine of the client’s
  version gave to the same call, and by the unpinned way to 20.10.
- **Clients from 1.23 on** say LATER calls (catalogue-later.json) to every engine at hand. Where the engine serves the client’s
  version, the bridge is measured by the engine itself, asked without a bridge (\`direct\`), and pins by the way without pin.
  \`28.5-min1.44\` is 28.5 that refuses what is below 1.44: it is measured by 28.5 unpinned. 28.5 is asked by a client of
  every version; the other engines by a selection, with every step from 1.23 to 1.51 between client and target of some way.

\`=\`: all calls of the operation are identical. \`2/9\`: two of its nine calls differ, as explained below. \`wrong\` fails CI, and
so does an explanation that nothing shows any more.`

/** docs/conformance.md: what the last whole run measured. */
export function pageOf(cells: readonly Cell[], explained: readonly Explained[]): string {
  const clients = [...new Set(cells.map(({ client }) => client))].sort()
  const introduction = INTRODUCTION.replace('OLD', `${scenarios.old.length}`).replace(
    'LATER',
    `${scenarios.later.length}`,
  )
  return [
    introduction,
    '',
    ...totals(cells, clients),
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

function totals(cells: readonly Cell[], clients: readonly string[]): string[] {
  const line = (name: string, of: readonly Cell[]): string => {
    const [inCells, inCalls] = [cellsBy(of), callsBy(of)]
    return row([
      name,
      ...VERDICTS.map((verdict) => `${inCells[verdict]}`),
      ...VERDICTS.map((verdict) => `${inCalls[verdict]}`),
    ])
  }
  return [
    'A cell is an operation on one way; one call that differs makes the whole cell differ.',
    '',
    row([
      'clients of',
      ...VERDICTS.map((verdict) => `cells ${verdict}`),
      ...VERDICTS.map((verdict) => `calls ${verdict}`),
    ]),
    row(['---', ...VERDICTS.map(() => '---:'), ...VERDICTS.map(() => '---:')]),
    ...clients.map((client) =>
      line(
        client,
        cells.filter((cell) => cell.client === client),
      ),
    ),
    line('all', cells),
  ]
}

function tableOf(cells: readonly Cell[], client: string): string[] {
  const ways = [...new Set(cells.map(({ way }) => way))].sort()
  const operations = [...new Set(cells.map(({ operation }) => operation))].sort()
  const verdict = (operation: string, way: string): string => {
    const cell = cells.find((candidate) => candidate.operation === operation && candidate.way === way)
    return cell === undefined ? '' : signOf(cell)
  }
  return [
    `## Clients of ${client}`,
    '',
    row(['operation', ...ways]),
    row(['---', ...ways.map(() => '---')]),
    ...operations.map((operation) => row([operation, ...ways.map((way) => verdict(operation, way))])),
  ]
}

function signOf({ verdict, calls }: Cell): string {
  const all = calls.identical + calls.explained + calls.wrong
  switch (verdict) {
    case 'identical':
      return '='
    case 'explained':
      return `${calls.explained}/${all}`
    case 'wrong':
      return `**${calls.wrong}/${all} wrong**`
    default:
      return verdict satisfies never
  }
}

function reasonsOf(cells: readonly Cell[], explained: readonly Explained[]): string[] {
  const ids = new Set(cells.flatMap(({ reasons }) => [...reasons].filter((reason) => /^1\.\d+\//.test(reason))))
  return [
    '## Explained differences',
    '',
    'From the engine’s own answer (`direct`): `release` changes that the bridge puts right, by operation in',
    `[compatibility.md](compatibility.md): ${[...ids]
      .sort()
      .map((id) => `\`${id}\``)
      .join(', ')}.`,
    '',
    row(['why', 'clients', 'calls: what']),
    row(['---', '---', '---']),
    ...explained.map(({ why, scenario, at }) => row([why, SCENARIO[scenario], at.map(sayPlace).join('; ')])),
  ]
}

const SCENARIO = { old: '1.18–1.22', later: '1.23–1.51' } as const satisfies Record<Scenario, string>

function sayPlace({ calls, operations, paths, clients, ways }: Place): string {
  const where = [...(clients === undefined ? [] : [clients.join(' ')]), ...(ways ?? [])].join(', ')
  const what = paths?.map((path) => `\`${path}\``).join(' ') ?? 'everything'
  return `${calls ?? operations?.join(' ') ?? 'all'}: ${what}${where === '' ? '' : ` (${where})`}`
}
