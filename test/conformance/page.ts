import { callsFor, scenarios } from './catalogue.ts'
import type { Cell, Verdict } from './cells.ts'
import { type Calls, type ConformanceData, countsOf, isId, VERDICTS } from './data.ts'

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

/** For the end of a run. */
export function sayMeasures(cells: readonly Cell[]): string {
  const say = (of: Measure): string => VERDICTS.map((verdict) => `${of[verdict]} ${verdict}`).join(', ')
  return `cells (operation × pair): ${say(cellsBy(cells))}; calls in them: ${say(callsBy(cells))}`
}

/** How many cells and calls each sentence explains, and how many the release changes, for the end of a run. */
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

/** Ages of clients, each with the engines that had its versions. */
const AGES = [
  { name: '1.18–1.22', engines: '1.6–1.10', from: 18 },
  { name: '1.23–1.30', engines: '1.11–17.06', from: 23 },
  { name: '1.31–1.40', engines: '17.07–19.03', from: 31 },
  { name: '1.41–1.43', engines: '20.10–24.0', from: 41 },
  { name: '1.44–1.51', engines: '25.0–28.5', from: 44 },
  { name: '1.56', engines: '29.8', from: 52 },
] as const

const ageOf = (client: string): string => AGES.findLast(({ from }) => Number(client.split('.')[1]) >= from)?.name ?? ''

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

const introduction = (revision: string): string => `# Conformance

Does an old client get from a newer engine, through the bridge, what its own engine answered? \`npm run conformance\` asks real
engines and compares every answer: status, content type, error text, shape and values (ids, times and counters are made
equal). This page and [conformance.json](conformance.json), which has every client, way and operation, are its output at
revision ${revision}.

- **Clients 1.18 to 1.22** make ${callsFor('1.18').length} to ${callsFor('1.22').length} calls
  (test/golden/conformance/catalogue.json). The measure is what the real engine of the client’s version answered to the same
  call.
- **Clients from 1.23 to 1.51** make ${scenarios.later.length} calls (catalogue-later.json). The measure is the engine itself, asked
  without a bridge; \`release\` changes, which the bridge puts right, are applied to that answer first.
- **Clients of 1.56** make ${scenarios.newest.length} calls: those, and what came with newer versions. The measure is what an engine 29.8 answered to the
  same calls (newest@1.56.json), value by value.

Ways are: the target left to the bridge, pinned to other versions, engines that refuse old versions, and without a bridge.
Calls that follow from an earlier difference (a container that exists on one side only) are not compared. A wrong call fails
the run, and so does an explanation that no answer needs any more.`

/** docs/conformance.md: the data by operation and age, for people. */
export function pageOf(data: ConformanceData): string {
  const operations = [...new Set(flat(data).map(({ operation }) => operation))].sort()
  return [
    introduction(data.revision),
    '',
    ...totals(data),
    '',
    '## By operation and age of the client',
    '',
    'Of all ways: `=` all calls are identical, `9/120` nine of 120 calls differ for a reason below, empty: not called.',
    '',
    row(['operation', ...AGES.map(({ name }) => name)]),
    row(['---', ...AGES.map(() => '---')]),
    ...operations.map((operation) => row([operation, ...AGES.map(({ name }) => signOf(data, operation, name))])),
    '',
    ...reasonsOf(data),
    '',
  ].join('\n')
}

interface Row {
  readonly age: string
  readonly operation: string
  readonly calls: Calls
}

const flat = ({ clients }: ConformanceData): readonly Row[] =>
  Object.entries(clients).flatMap(([client, ways]) =>
    Object.values(ways).flatMap((operations) =>
      Object.entries(operations).map(([operation, calls]) => ({ age: ageOf(client), operation, calls })),
    ),
  )

const sum = (rows: readonly Row[]): Calls =>
  rows.reduce<Calls>(([a, b, c], { calls }) => [a + calls[0], b + calls[1], c + calls[2]], [0, 0, 0])

function totals(data: ConformanceData): string[] {
  const rows = flat(data)
  const line = (name: string, engines: string, of: readonly Row[]): string =>
    row([name, engines, ...sum(of).map((count) => count.toLocaleString('en'))])
  return [
    row(['clients', 'of engines', ...VERDICTS.map((verdict) => `calls ${verdict}`)]),
    row(['---', '---', ...VERDICTS.map(() => '---:')]),
    ...AGES.map(({ name, engines }) =>
      line(
        name,
        engines,
        rows.filter(({ age }) => age === name),
      ),
    ),
    line('all', '', rows),
  ]
}

function signOf(data: ConformanceData, operation: string, age: string): string {
  const rows = flat(data).filter((one) => one.operation === operation && one.age === age)
  if (rows.length === 0) return ''
  const [identical, explained, wrong] = sum(rows)
  const all = identical + explained + wrong
  if (wrong > 0) return `**${wrong}/${all} wrong**`
  return explained === 0 ? '=' : `${explained}/${all}`
}

const isChange = ({ reason }: { readonly reason: string }): boolean => /^[\w.]+\/[\w.-]+$/.test(reason)

function reasonsOf({ explanations, releaseChanges }: ConformanceData): string[] {
  const calls = releaseChanges.reduce((all, count) => all + count.calls, 0)
  return [
    '## Why calls differ',
    '',
    `${releaseChanges.length} \`release\` changes explain ${calls.toLocaleString('en')} differences from an engine asked without a bridge:`,
    'the bridge puts right what newer engines answer to everybody. conformance.json counts each; `enginebridge explain` shows one.',
    'The rest has these reasons:',
    '',
    row(['reason', 'clients', 'calls']),
    row(['---', '---', '---:']),
    ...explanations
      .filter((one) => !isChange(one))
      .map(({ reason, clients, calls }) => row([reason, clients, `${calls}`])),
    '',
    `By a change whose summary says it: ${explanations
      .filter(isChange)
      .map(({ reason, calls }) => `${reason} ${calls}`)
      .join(', ')}.`,
  ]
}
