import type { Played } from './play.ts'
import type { Row, Source } from './row.ts'

const asAsserted = (rows: readonly Played[]): number => rows.filter(({ differs }) => differs === undefined).length

export function sayMeasure(rows: readonly Played[]): string {
  const share = rows.length === 0 ? 0 : (100 * asAsserted(rows)) / rows.length
  return `${asAsserted(rows)} of ${rows.length} as asserted (${share.toFixed(1)} %)`
}

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`

/** docs/oracle.md. */
export function pageOf(sources: readonly Source[], played: ReadonlyMap<string, readonly Played[]>): string {
  const engines = [...played.keys()]
  return [
    '# Oracle',
    '',
    'Written by `npm run oracle`. What the API tests of the engines’ and clients’ own history assert (an operation, a request,',
    'the status, headers, members and words of its answer), played through the bridge on real engines as a client of each age.',
    'A row is one assertion at one age: the data is in test/oracle. Tests of 1.10.3 are left out.',
    '',
    line(['engine', 'rows']),
    line(['---', '---']),
    ...[...played].map(([name, rows]) => line([name, sayMeasure(rows)])),
    '',
    ...sources.map(
      ({ name, tags }) =>
        `- ${name}: ${Object.entries(tags)
          .map(([age, tag]) => `${age} \`${tag}\``)
          .join(', ')}`,
    ),
    '',
    '## Not as asserted',
    '',
    line(['test', 'request', 'ages', 'engine', 'what differs']),
    line(['---', '---', '---', '---', '---']),
    ...engines.flatMap((name) => differences(name, played.get(name) ?? [])),
    '',
    '## All assertions',
    '',
    line(['test', 'request', 'asserted', 'ages', ...engines]),
    line(['---', '---', '---', '---', ...engines.map(() => '---')]),
    ...sources.flatMap(({ rows }) => rows.map((row) => assertion(row, engines, played))),
    '',
  ].join('\n')
}

function differences(engine: string, rows: readonly Played[]): string[] {
  const differing = rows.filter(({ differs }) => differs !== undefined)
  const byRow = Map.groupBy(differing, ({ row }) => row)
  return [...byRow].map(([row, some]) =>
    line([
      row.test,
      `\`${row.asks}\``,
      some
        .map(({ age }) => age)
        .sort()
        .join(' '),
      engine,
      plain(some[0]?.differs ?? ''),
    ]),
  )
}

/** Without the ids of one run. */
const plain = (text: string): string => text.replaceAll(/\d+-\d+/g, '…').replaceAll(/[0-9a-f]{12,64}/g, '…')

function assertion(row: Row, engines: readonly string[], played: ReadonlyMap<string, readonly Played[]>): string {
  const asserted = [
    String(row.status),
    ...Object.keys(row.members ?? {}),
    ...Object.keys(row.headers ?? {}),
    row.words ?? '',
  ]
  const outcome = engines.map((name) => {
    const some = (played.get(name) ?? []).filter((one) => one.row === row)
    return `${asAsserted(some)}/${some.length}`
  })
  return line([
    row.test,
    `\`${row.asks}\``,
    asserted
      .filter((one) => one !== '')
      .join(', ')
      .trim(),
    row.ages.join(' '),
    ...outcome,
  ])
}
