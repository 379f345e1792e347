import { findOperation } from '../../src/api/operations.ts'
import type { Played } from './play.ts'
import { reasonOf } from './reasons.ts'
import type { Row, Source } from './row.ts'

type Results = ReadonlyMap<string, readonly Played[]>

const asAsserted = (rows: readonly Played[]): number => rows.filter(({ differs }) => differs === undefined).length

export function sayMeasure(rows: readonly Played[]): string {
  const share = rows.length === 0 ? 0 : (100 * asAsserted(rows)) / rows.length
  return `${asAsserted(rows)} of ${rows.length} as asserted (${share.toFixed(1)} %)`
}

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  line(head),
  line(head.map(() => '---')),
  ...rows.map(line),
  '',
]

function notPlayed(sources: readonly Source[], { length }: readonly Played[]): string {
  const all = sources.flatMap(({ rows }) => rows).reduce((sum, { ages }) => sum + ages.length, 0)
  return length === all ? '' : `, ${all - length} not played in this run`
}

/** docs/oracle.md. */
export function pageOf(sources: readonly Source[], played: Results): string {
  const engines = [...played.keys()]
  const counts = (has: (row: Row) => boolean): string[] =>
    engines.map((name) => {
      const some = (played.get(name) ?? []).filter(({ row }) => has(row))
      return `${asAsserted(some)}/${some.length}`
    })
  return [
    '# Oracle',
    '',
    'Written by `npm run oracle -- --page`. What the API tests of the engines’ and clients’ own history assert (an operation, a request,',
    'the status, headers, members and words of its answer), played through the bridge on real engines as a client of each age.',
    'A row is one assertion at one age; the rows are data in `test/oracle`. Tests of 1.10.3 are left out.',
    '',
    ...table(
      ['engine', 'rows'],
      [...played].map(([name, rows]) => [name, `${sayMeasure(rows)}${notPlayed(sources, rows)}`]),
    ),
    ...table(
      ['source', 'ages and tags', ...engines],
      sources.map(({ name, tags, rows }) => [
        name,
        Object.entries(tags)
          .map(([age, tag]) => `${age} \`${tag}\``)
          .join(', '),
        ...counts((row) => rows.includes(row)),
      ]),
    ),
    '## Not as asserted',
    '',
    ...table(
      ['engine', 'rows', 'why', 'tests'],
      engines.flatMap((name) => reasonsOf(name, played.get(name) ?? [])),
    ),
    '## By operation',
    '',
    ...table(
      ['operation', ...engines],
      operationsOf(sources).map((operation) => [operation, ...counts((row) => operationOf(row) === operation)]),
    ),
  ].join('\n')
}

function reasonsOf(engine: string, rows: readonly Played[]): string[][] {
  const differing = rows.filter(({ differs }) => differs !== undefined)
  const byReason = Map.groupBy(differing, (one) => reasonOf(engine, one)?.why ?? 'no reason known')
  return [...byReason].map(([why, some]) => [
    engine,
    String(some.length),
    why,
    [...new Set(some.map(({ row }) => row.test))].join(', '),
  ])
}

function operationOf({ asks }: Row): string {
  const [method = '', path = ''] = asks.split(' ', 2)
  return findOperation(method, path.split('?')[0] ?? '')?.operation.name ?? 'none'
}

const operationsOf = (sources: readonly Source[]): string[] =>
  [...new Set(sources.flatMap(({ rows }) => rows.map(operationOf)))].sort()
