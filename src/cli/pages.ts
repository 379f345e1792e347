import { changes } from '../../rules/index.ts'
import { untranslated } from '../../rules/untranslated.ts'
import { environmentName } from '../config.ts'
import { settingNames, settings } from '../settings.ts'
import { type BoundChange, bindChange, type Leg, type Op } from '../translate/change.ts'
import { transcript } from './transcript.ts'

/** A page that is written from the program's own data. `write` gets the page as it stands. */
export interface Page {
  readonly file: string
  write(current: string): string | Promise<string>
}

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`. */
function between(name: string, text: string): (current: string) => string {
  return (current) => {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
    const from = current.indexOf(open)
    const to = current.indexOf(close)
    if (from === -1 || to === -1) throw new Error(`no place for ${name}: the page needs ${open} and ${close}`)
    return `${current.slice(0, from + open.length)}\n${text}\n${current.slice(to)}`
  }
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`

export function flagsTable(): string {
  const rows = settingNames.map((name) => {
    const { value, help, default: fallback } = settings[name]
    return row(
      `\`--${name} ${value}\``,
      `\`${environmentName(name)}\``,
      fallback === undefined ? '' : `\`${fallback}\``,
      help,
    )
  })
  return [row('flag', 'environment', 'default', 'meaning'), '|---|---|---|---|', ...rows].join('\n')
}

const LEGS = ['requestUp', 'responseDown', 'requestDown', 'responseUp'] as const satisfies readonly Leg[]

function legsOf(ops: readonly Op[], change: BoundChange): string {
  const legs = new Set(ops.flatMap((op) => op.steps(change)).map(({ leg }) => leg))
  return LEGS.filter((leg) => legs.has(leg)).join(', ')
}

/** What happens to a value that the target cannot express: read off the change's own examples. */
function lossOf(change: BoundChange): string {
  const ends = change.change.examples.flatMap(({ after, losses }) => [
    ...(typeof after === 'object' && 'refused' in after ? ['refused'] : []),
    ...(losses !== undefined && losses.length > 0 ? ['dropped with a warning'] : []),
  ])
  return [...new Set(ends)].join(', ')
}

function compatibility(): string {
  const versions = Map.groupBy(changes, ({ version }) => version)
  const sections = [...versions].map(([version, ofVersion]) =>
    [
      `## 1.${version}`,
      '',
      row('change', 'gate', 'what differs', 'legs', 'on loss', 'source'),
      '|---|---|---|---|---|---|',
      ...ofVersion.map((bound) => {
        const { id, gate, summary, see, ops } = bound.change
        return row(`\`${id}\``, gate, summary, legsOf(ops, bindChange(bound.change)), lossOf(bound), see)
      }),
    ].join('\n'),
  )
  const rest = [
    '## Differences for which nothing is done',
    '',
    row('difference', 'reason'),
    '|---|---|',
    ...untranslated.map(({ id, reason }) => row(`\`${id}\``, reason)),
  ].join('\n')
  return [
    '# Compatibility',
    '',
    'Written from the rules by `npm run docs`; a test fails when it differs. Legs: `requestUp` and `responseDown` serve a client',
    'older than the change, `requestDown` and `responseUp` a newer one. Gate: `prefix` looks at the version asked for, `release`',
    'at the age of the engine.',
    '',
    `${changes.length} changes are translated, ${untranslated.length} need nothing.`,
    '',
    [...sections, rest].join('\n\n'),
    '',
  ].join('\n')
}

export const pages: readonly Page[] = [
  {
    file: 'README.md',
    write: async (current) => {
      const shown = between('transcript', `\`\`\`console\n${await transcript()}\`\`\``)(current)
      return between('flags', flagsTable())(shown)
    },
  },
  { file: 'docs/compatibility.md', write: compatibility },
]
