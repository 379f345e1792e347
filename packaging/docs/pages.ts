import { z } from 'zod'
import { auditNote, auditRecord } from '../../src/audit/record/record.ts'
import { presets } from '../../src/policy/file/presets.ts'
import { sectionNames } from '../../src/policy/file/sections.ts'
import { environmentName } from '../../src/proxy/settings/environment-names.ts'
import { settingNames, settings } from '../../src/proxy/settings/settings.ts'
import { API_REPORT, apiReport } from './api-report.ts'
import { changesPage } from './changes-page.ts'
import { commandsPage } from './commands-page.ts'
import { MAN_PAGE, manPage } from './man.ts'
import { table } from './table.ts'
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

/** The presets of the access policy with their operations. */
function presetsTable(): string {
  const rows = Object.entries(presets).map(([name, { sentence, allows, bodies }]) => [
    `\`${name}\``,
    sentence,
    name === 'all' ? 'all' : [...allows].join(', '),
    bodies ?? 'none',
  ])
  const sections = sectionNames.map((name) => `\`${name}\``).join(', ')
  return `${table(['preset', 'for', 'operations', 'bodies'], rows)}\n\nSections: ${sections}.`
}

function flagsTable(): string {
  const rows = settingNames.map((name) => {
    const { value, help, default: fallback } = settings[name]
    const flag = `--${name} ${value}`.trimEnd()
    return [`\`${flag}\``, `\`${environmentName(name)}\``, fallback === undefined ? '' : `\`${fallback}\``, help]
  })
  return table(['flag', 'environment', 'default', 'meaning'], rows)
}

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
function memberRows(name: string, member: Described): string[][] {
  const inner = member.properties ?? member.items?.properties
  const own = member.description === undefined && inner !== undefined ? [] : [[`\`${name}\``, member.description ?? '']]
  const below = Object.entries(inner ?? {}).flatMap(([one, of]) =>
    memberRows(`${name}${member.items === undefined ? '' : '[]'}.${one}`, of),
  )
  return [...own, ...below]
}

function recordTable(): string {
  const { properties = {} } = z.toJSONSchema(auditRecord) as Described
  const rows = Object.entries(properties).flatMap(([name, member]) => memberRows(name, member))
  return table(['member', 'meaning'], rows)
}

export const pages: readonly Page[] = [
  {
    file: 'README.md',
    write: async (current) => between('transcript', `\`\`\`console\n${await transcript()}\`\`\``)(current),
  },
  { file: 'docs/settings.md', write: between('flags', flagsTable()) },
  { file: 'docs/cli.md', write: commandsPage },
  { file: MAN_PAGE, write: manPage },
  { file: 'docs/audit.md', write: between('record', recordTable()) },
  { file: 'docs/audit-record.schema.json', write: recordSchema },
  { file: 'docs/policy.md', write: between('policy', presetsTable()) },
  { file: API_REPORT, write: apiReport },
]

/** Only repeats the rules: written beside the others, but not committed. */
export const unkept: Page = { file: 'docs/changes.md', write: changesPage }
