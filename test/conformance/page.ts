import { callsFor, type Scenario, scenarios } from './catalogue.ts'
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

Written by \`npm run conformance\` at revision REVISION, which plays two scenarios on real engines, through the bridge and without it. Every answer is
compared: status, content type, text of errors, shape and values (ids, times and counters are made equal).

- **Clients of 1.18 to 1.22** say OLD calls (test/golden/conformance/catalogue.json: every operation with its parameters and
  bodies, good and bad), through the bridge to engine 20.10 with the target left to the bridge (\`20.10\`) and pinned
  (\`20.10 at 1.24\`), to newer engines, and directly (\`20.10 direct\`). They are measured by what the real engine of the client’s
  version gave to the same call, and by the unpinned way to 20.10. A client says nothing that came after it: what came later is
  passed on as real engines do at every prefix, and no engine of the client’s age could be the measure.
- **Clients from 1.23 on** say LATER calls (catalogue-later.json) to every engine at hand. Where the engine serves the client’s
  version, the bridge is measured by the engine itself, asked without a bridge (\`direct\`), and pins by the way without pin.
  \`28.5-min1.44\` is 28.5 that refuses what is below 1.44: it is measured by 28.5 unpinned. 28.5 is asked by a client of
  every version; the other engines by a selection, with every step from 1.23 to 1.51 between client and target of some way.

What follows from a difference is none of its own: where one side made a container and the other did not, later calls about
it are not compared. From an engine asked directly (\`direct\`) the bridge differs by the \`release\` changes that it puts right:
each is done to the engine’s answer by itself, and explains by its id what it changes there.

\`=\`: all calls of the operation are identical. \`2/9\`: two of its nine calls differ, as explained below. \`wrong\` fails CI, and
so does an explanation that nothing shows any more.`

/** docs/conformance.md: what the last whole run measured. */
export function pageOf(cells: readonly Cell[], explained: readonly Explained[], revision: string): string {
  const clients = [...new Set(cells.map(({ client }) => client))].sort()
  const introduction = INTRODUCTION.replace(
    'OLD',
    `${callsFor('1.18').length} (1.18) to ${callsFor('1.22').length} (1.22)`,
  )
    .replace('LATER', `${scenarios.later.length}`)
    .replace('REVISION', revision)
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

/** How many cells and calls each sentence explains, and how many the release changes, for the end of the run. */
export function sayCounts(cells: readonly Cell[]): string[] {
  const counts = countsOf(cells)
  const sentences = counts.filter((count) => !isId(count))
  const byIds = cells.filter(
    ({ reasons }) => reasons.size > 0 && [...reasons.keys()].every((reason) => isId({ reason })),
  )
  return [
    ...sentences.map(({ reason, cells: inCells, calls }) => `${inCells} cells, ${calls} calls: ${reason}`),
    `${byIds.length} cells: release changes alone, of ${counts.length - sentences.length} ids`,
    `${sentences.length} sentences`,
  ]
}

/** How much each sentence, or id of a release change, explains. */
export interface Count {
  readonly reason: string
  readonly cells: number
  readonly calls: number
}

/** The reasons of all cells, the one of most cells first. */
export function countsOf(cells: readonly Cell[]): readonly Count[] {
  const counts = new Map<string, { cells: number; calls: number }>()
  for (const { reasons } of cells)
    for (const [reason, calls] of reasons) {
      const count = counts.get(reason) ?? { cells: 0, calls: 0 }
      counts.set(reason, { cells: count.cells + 1, calls: count.calls + calls.size })
    }
  return [...counts]
    .map(([reason, count]) => ({ reason, ...count }))
    .sort((a, b) => b.cells - a.cells || b.calls - a.calls)
}

const isId = ({ reason }: Pick<Count, 'reason'>): boolean => /^1\.\d+\//.test(reason)

function reasonsOf(cells: readonly Cell[], explained: readonly Explained[]): string[] {
  const counts = countsOf(cells)
  const known = new Map(explained.map((entry) => [entry.why, entry]))
  return [
    '## Explained differences',
    '',
    'How many cells and calls each sentence explains. A cell may need more than one.',
    '',
    row(['why', 'clients', 'cells', 'calls', 'calls: what']),
    row(['---', '---', '---:', '---:', '---']),
    ...counts.flatMap(({ reason, cells: inCells, calls }) => {
      const entry = known.get(reason)
      if (entry === undefined || isId({ reason })) return []
      return [row([reason, SCENARIO[entry.scenario], `${inCells}`, `${calls}`, entry.at.map(sayPlace).join('; ')])]
    }),
    '',
    '### Release changes',
    '',
    'From the engine’s own answer (`direct`): what the bridge puts right. Each change is done to the engine’s answer by itself, and',
    'explains exactly the members, the status or the text that it changes there ([compatibility.md](compatibility.md) says what',
    'each is).',
    '',
    row(['change', 'cells', 'calls']),
    row(['---', '---:', '---:']),
    ...counts.filter(isId).map(({ reason, cells: inCells, calls }) => row([`\`${reason}\``, `${inCells}`, `${calls}`])),
  ]
}

const SCENARIO = { old: '1.18–1.22', later: '1.23–1.51' } as const satisfies Record<Scenario, string>

function sayPlace({ calls, operations, paths, clients, ways }: Place): string {
  const where = [...(clients === undefined ? [] : [clients.join(' ')]), ...(ways ?? [])].join(', ')
  const what = paths?.map((path) => `\`${path}\``).join(' ') ?? 'everything'
  return `${calls ?? operations?.join(' ') ?? 'all'}: ${what}${where === '' ? '' : ` (${where})`}`
}
