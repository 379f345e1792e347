import { z } from 'zod'
import { changes, deviations } from '../../../rules/index.ts'
import { untranslated } from '../../../rules/untranslated.ts'
import { formatVersion } from '../../api/version.ts'
import { auditNote, auditRecord } from '../../audit/record/record.ts'
import { presets } from '../../policy/file/presets.ts'
import { sectionNames } from '../../policy/file/sections.ts'
import { environmentName } from '../../proxy/settings/environment-names.ts'
import { settingNames, settings } from '../../proxy/settings/settings.ts'
import type { BoundChange, Leg, Op } from '../../translate/change.ts'
import type { BoundDeviation } from '../../translate/deviation.ts'
import { commandsPage } from './commands-page.ts'
import { MAN_PAGE, manPage } from './man.ts'
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

/** The presets of the access policy with their operations. */
function presetsTable(): string {
  const rows = Object.entries(presets).map(([name, { sentence, allows, bodies }]) =>
    row(`\`${name}\``, sentence, name === 'all' ? 'all' : [...allows].join(', '), bodies),
  )
  const heads = [row('preset', 'for', 'operations', 'bodies'), '|---|---|---|---|']
  return [...heads, ...rows, '', `Sections: ${sectionNames.map((name) => `\`${name}\``).join(', ')}.`].join('\n')
}

export function flagsTable(): string {
  const rows = settingNames.map((name) => {
    const { value, help, default: fallback } = settings[name]
    return row(
      `\`${`--${name} ${value}`.trimEnd()}\``,
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

const OUTCOMES = { refuse: 'refused', warn: 'dropped, with a warning', ignore: 'dropped' } as const

/** What happens to what the other version cannot express, as the ops have it: `refused: A, B; dropped: C`. */
function lossOf(ops: readonly Op[]): string {
  const losses = ops.flatMap(({ loss }) => (loss === undefined ? [] : [loss]))
  const groups = Map.groupBy(losses, ({ onLoss }) => onLoss.map((outcome) => OUTCOMES[outcome]).join(' or '))
  return [...groups]
    .map(([outcome, group]) => `${outcome}: ${[...new Set(group.map(({ what }) => what))].join(', ')}`)
    .join('; ')
}

const HEADING = ['change', 'gate', 'what differs', 'what is done', 'legs', 'on loss', 'source'] as const

function changeRow(bound: BoundChange): string {
  const { id, gate, from, summary, see, ops } = bound.change
  const done = [...new Set(ops.map(({ words }) => words))].join('; ')
  return row(
    `\`${id}\``,
    from === undefined ? gate : `${gate}, ${from}`,
    summary,
    done,
    legsOf(ops, bound),
    lossOf(ops),
    see,
  )
}

function deviationRow(bound: BoundDeviation): string {
  const { id, summary, see } = bound.change
  const first = formatVersion(bound.version)
  const clients = bound.version === bound.last ? first : `${first} to ${formatVersion(bound.last)}`
  return row(`\`${id}\``, clients, summary, see)
}

function compatibility(): string {
  const versions = Map.groupBy(changes, ({ version }) => version)
  const rule = `|${'---|'.repeat(HEADING.length)}`
  const sections = [...versions].map(([version, ofVersion]) =>
    [`## ${formatVersion(version)}`, '', row(...HEADING), rule, ...ofVersion.map(changeRow)].join('\n'),
  )
  const profile = [
    '## Where the specification differs from every engine',
    '',
    'Done with `--profile spec` only, for clients of these versions; some changes above have parts for it as well.',
    '',
    row('deviation', 'clients', 'what the specification says', 'source'),
    '|---|---|---|---|',
    ...deviations.map(deviationRow),
  ].join('\n')
  const rest = [
    '## Differences for which nothing is done',
    '',
    row('difference', 'reason'),
    '|---|---|',
    ...untranslated.map(({ id, reason }) => row(`\`${id}\``, reason)),
  ].join('\n')
  return [...preface(), [...sections, profile, rest].join('\n\n'), ''].join('\n')
}

/** What `request: 'keep'` keeps, as the ops have it. */
const kept = (): string[] => [
  ...new Set(
    changes.flatMap(({ change }) => change.ops.flatMap(({ keeps }) => (keeps === undefined ? [] : [`\`${keeps}\``]))),
  ),
]

const preface = (): string[] => [
  '# Compatibility',
  '',
  'Written from the rules by `npm run docs`; a test fails when it differs. Legs: `requestUp` and `responseDown` serve a client',
  'older than the change, `requestDown` and `responseUp` a newer one. Gate: `prefix` looks at the version asked for, `release`',
  'at the age of the engine; a version behind it is the one whose engines really have the change.',
  '',
  'On loss says what happens to a value that the other version cannot express: *refused*, the call gets 400 (501 for an',
  'endpoint) with a sentence that names the value and the version it needs; *dropped, with a warning*, the call goes on, and',
  'audit record, `Enginebridge-Loss` and the `Warnings` of create and update say so (`--validation strict` refuses it);',
  '*dropped*, as an engine of that version ignores it.',
  '',
  'What a request says that is newer than its client’s version is taken out of it, unless `--newer-fields pass`. Kept all the',
  'same is what makes a container, a command or a build more confined: engines that serve several versions heed it whatever',
  `the prefix, so without it there would be less protection. These are ${kept().join(', ')}.`,
  '',
  `${changes.length} changes are translated, ${untranslated.length} need nothing; ${deviations.length} more things are done for \`--profile spec\`.`,
  '',
]

/** The audit record's JSON Schema, for those who read records with other programs. */
function recordSchema(): string {
  const schema = z.toJSONSchema(z.union([auditRecord, auditNote]), { target: 'draft-2020-12' })
  return `${JSON.stringify({ title: 'Audit record of enginebridge', ...schema }, null, 2)}\n`
}

interface Described {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Described>>
  readonly items?: Described
}

/** `name`, `peer.address`, `losses[].what`: each member with what it means. */
function memberRows(name: string, member: Described): string[] {
  const inner = member.properties ?? member.items?.properties
  const own =
    member.description === undefined && inner !== undefined ? [] : [row(`\`${name}\``, member.description ?? '')]
  const below = Object.entries(inner ?? {}).flatMap(([one, of]) =>
    memberRows(`${name}${member.items === undefined ? '' : '[]'}.${one}`, of),
  )
  return [...own, ...below]
}

function recordTable(): string {
  const { properties = {} } = z.toJSONSchema(auditRecord) as Described
  const rows = Object.entries(properties).flatMap(([name, member]) => memberRows(name, member))
  return [row('member', 'meaning'), '|---|---|', ...rows].join('\n')
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
  { file: 'docs/cli.md', write: commandsPage },
  { file: MAN_PAGE, write: manPage },
  { file: 'docs/audit.md', write: (current) => between('record', recordTable())(current) },
  { file: 'docs/audit-record.schema.json', write: recordSchema },
  { file: 'docs/policy.md', write: (current) => between('policy', presetsTable())(current) },
]
