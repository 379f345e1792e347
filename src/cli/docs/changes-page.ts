import { changes, deviations } from '../../../rules/index.ts'
import { untranslated } from '../../../rules/untranslated.ts'
import { formatVersion } from '../../api/version.ts'
import type { BoundChange, Leg, Op } from '../../translate/change.ts'
import type { BoundDeviation } from '../../translate/deviation.ts'
import { OUTCOMES } from '../explain/names.ts'

/** Tables in Markdown. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(...head), `|${'---|'.repeat(head.length)}`, ...rows.map((cells) => row(...cells))].join('\n')

const LEGS = ['requestUp', 'responseDown', 'requestDown', 'responseUp'] as const satisfies readonly Leg[]

function legsOf(ops: readonly Op[], change: BoundChange): string {
  const legs = new Set(ops.flatMap((op) => op.steps(change)).map(({ leg }) => leg))
  return LEGS.filter((leg) => legs.has(leg)).join(', ')
}

/** What happens to what the other version cannot express, as the ops have it: `refused: A, B; dropped: C`. */
function lossOf(ops: readonly Op[]): string {
  const losses = ops.flatMap(({ loss }) => (loss === undefined ? [] : [loss]))
  const groups = Map.groupBy(losses, ({ onLoss }) => onLoss.map((outcome) => OUTCOMES[outcome]).join(' or '))
  return [...groups]
    .map(([outcome, group]) => `${outcome}: ${[...new Set(group.map(({ what }) => what))].join(', ')}`)
    .join('; ')
}

const HEADING = ['change', 'gate', 'what differs', 'what is done', 'legs', 'on loss', 'source'] as const

function changeRow(bound: BoundChange): string[] {
  const { id, gate, ops, change } = bound
  const { from, summary, see } = change
  const done = [...new Set(ops.map(({ words }) => words))].join('; ')
  const gated = from === undefined ? gate : `${gate}, ${from}`
  return [`\`${id}\``, gated, summary, done, legsOf(ops, bound), lossOf(ops), see]
}

function deviationRow(bound: BoundDeviation): string[] {
  const { summary, see } = bound.change
  const first = formatVersion(bound.version)
  const clients = bound.version === bound.last ? first : `${first} to ${formatVersion(bound.last)}`
  return [`\`${bound.id}\``, clients, summary, see]
}

/** Every change, by version and by operation: `npm run docs` writes it for searching. */
export function changesPage(): string {
  return [...preface(), [...byVersion(), byOperation(), profile(), nothingDone()].join('\n\n'), ''].join('\n')
}

function byVersion(): string[] {
  const versions = Map.groupBy(changes, ({ version }) => version)
  return [...versions].map(
    ([version, ofVersion]) => `## ${formatVersion(version)}\n\n${table(HEADING, ofVersion.map(changeRow))}`,
  )
}

function byOperation(): string {
  const pairs = changes.flatMap((bound) =>
    bound.ops.flatMap((op) => op.steps(bound)).map(({ operation }) => ({ operation, id: bound.id })),
  )
  const found = [...Map.groupBy(pairs, ({ operation }) => operation)].toSorted(([a], [b]) => a.localeCompare(b, 'en'))
  const rows = found.map(([operation, of]) => [
    `\`${operation}\``,
    [...new Set(of.map(({ id }) => `\`${id}\``))].join(', '),
  ])
  return `## By operation\n\n${table(['operation', 'changes'], rows)}`
}

const profile = (): string =>
  [
    '## Where the specification differs from every engine',
    '',
    'Done with `--profile spec` only, for clients of these versions; some changes above have parts for it as well.',
    '',
    table(['deviation', 'clients', 'what the specification says', 'source'], deviations.map(deviationRow)),
  ].join('\n')

function nothingDone(): string {
  const rows = untranslated.map(({ id, reason }) => [`\`${id}\``, reason])
  return `## Differences for which nothing is done\n\n${table(['difference', 'reason'], rows)}`
}

/** What `request: 'keep'` keeps, as the ops have it. */
const kept = (): string[] => [
  ...new Set(changes.flatMap(({ ops }) => ops.flatMap(({ keeps }) => (keeps === undefined ? [] : [`\`${keeps}\``])))),
]

const preface = (): string[] => [
  '# Changes',
  '',
  'Written from the rules by `npm run docs`. [compatibility.md](compatibility.md) says what legs, gates and losses are.',
  '',
  `Kept whatever the client's version, because the container would be less confined without it: ${kept().join(', ')}.`,
  '',
  `${changes.length} changes are translated, ${untranslated.length} need nothing; ${deviations.length} more things are done for \`--profile spec\`.`,
  '',
]
