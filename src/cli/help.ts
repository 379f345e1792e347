import { formatVersion, LOWEST, NEWEST } from '../api/version.ts'
import type { Flag } from '../config/command-line.ts'
import { didYouMean } from '../config/nearest.ts'
import { environmentName } from '../proxy/settings/environment-names.ts'
import { type SettingName, settingNames, settings } from '../proxy/settings/settings.ts'
import { type Command, type Run, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { type SettingGroup, settingGroups } from './topics.ts'
import { fill } from './words/text.ts'

/** Help is written for a screen of so many columns and lines (a test measures it; `serve` alone may be longer). */
const COLUMNS = 80

/** `enginebridge help [COMMAND | TOPIC]`: an overview, one command, or one group of settings. */
export const run: Run = async ({ has, words }, io) => {
  const text = helpText(words.join(' '))
  io.stdout.write(has('json') ? `${JSON.stringify(everything(), null, 2)}\n` : text)
  return 0
}

/** The text for a topic; the overview for ''. Throws UsageError for an unknown topic. */
export function helpText(topic: string): string {
  const lines = linesFor(topic)
  if (lines.length > 0) return `${lines.join('\n')}\n`
  const topics = helpTopics()
  throw new UsageError(
    `there is no help on "${topic}"${didYouMean(topic, topics, `; there is on ${topics.join(', ')}`)}`,
  )
}

function linesFor(topic: string): readonly string[] {
  if (topic === '') return overview()
  const command = commands.find(({ name }) => name === topic)
  if (command !== undefined) return aboutCommand(command)
  const group =
    settingGroups.find(({ name }) => name === topic) ??
    settingGroups.find(({ settings: names }) => names.some((name) => name === topic))
  return group === undefined ? within(topic) : aboutSettings(group)
}

/** A name may be both, as `audit` is: the settings are shown, and the commands of that name under them. */
export function helpTopics(): readonly string[] {
  return [...new Set([...commands.map(({ name }) => name), ...settingGroups.map(({ name }) => name)])]
}

/** Commands that begin with a word. */
const within = (first: string): string[] => commandList(commands.filter(({ name }) => name.startsWith(`${first} `)))

const commandList = (some: readonly Command[]): string[] =>
  definitions(some.map(({ name, sentence }) => [name, sentence]))

const overview = (): string[] => [
  'enginebridge COMMAND [FLAGS]',
  ...fill(
    `Lets clients of the container Engine API ${formatVersion(LOWEST)} to ${formatVersion(NEWEST)} talk to any engine.`,
    COLUMNS,
  ),
  '',
  'Commands:',
  ...commandList(commands),
  '',
  ...fill(`Settings of serve, by topic: ${TOPIC_NAMES}.`, COLUMNS),
  ...fill('See enginebridge COMMAND --help, enginebridge help TOPIC; -v is the version.', COLUMNS),
]

function aboutCommand(command: Command): string[] {
  const { name, usage, sentence, details = [], flags = [], examples, exits } = command
  const codes = Object.entries({ 0: 'all is well', ...exits, 2: exits?.[2] ?? 'the command line cannot be used' })
  return [
    `enginebridge ${name} ${usage}`.trimEnd(),
    `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.`,
    ...(details.length === 0 ? [] : ['', ...details]),
    ...(flags.length === 0 ? [] : ['', 'Flags:', ...flagList(flags)]),
    ...settingsOf(command),
    '',
    'Examples:',
    ...examples.map((example) => `  enginebridge ${example}`),
    '',
    ...fill(`Exit code: ${codes.map(([code, meaning]) => `${code} ${meaning}`).join('; ')}.`, COLUMNS),
  ]
}

const TOPIC_NAMES = settingGroups.map(({ name }) => name).join(', ')

const flagList = (flags: readonly Flag[]): string[] =>
  definitions(flags.map(({ name, value = '', help }) => [`--${name} ${value}`.trimEnd(), help]))

/** Terms and what they mean, the meanings in a column of their own; below a term that is too wide for its column. */
function definitions(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(30, Math.max(0, ...rows.map(([term]) => term.length)) + 4)
  return rows.flatMap(([term, meaning]) => {
    const start = `  ${term}`
    const isWide = start.length + 2 > width
    const lines = fill(meaning, COLUMNS, ' '.repeat(width), isWide ? undefined : start.padEnd(width))
    return isWide ? [start, ...lines] : lines
  })
}

/** A setting as a flag, its default in the words. */
export function settingFlag(name: SettingName): Flag {
  const { value, help, default: fallback = '' } = settings[name]
  return { name, value, help: fallback === '' ? help : `${help} (default ${fallback})` }
}

const settingList = (names: readonly SettingName[]): string[] => flagList(names.map(settingFlag))

/** The settings that a command reads, in their groups: explained, or their names alone. */
function settingsOf({ settings: which }: Command): string[] {
  if (which === undefined) return []
  if (which === 'named')
    return ['', ...fill(`Flags of serve: ${TOPIC_NAMES}. enginebridge serve --help explains them.`, COLUMNS)]
  if (which !== 'every') return ['', 'Flags of serve:', ...settingList(which)]
  return [
    ...settingGroups.flatMap(({ name, sentence, settings: names }) => [
      '',
      `Flags, ${name} (${sentence}):`,
      ...settingList(names),
    ]),
    '',
    ...fill(ORIGINS, COLUMNS),
  ]
}

const ORIGINS =
  'Every setting has an environment variable (ENGINEBRIDGE_LISTEN for --listen), and a YAML file given with --config FILE takes the same names. Flag before environment before file before default. ADDR is unix:///path or tcp://host:port.'

function aboutSettings({ name, sentence, settings: names }: SettingGroup): string[] {
  const same = commands.filter((command) => command.name === name)
  const list = [...commandList(same), ...within(name)]
  const addresses = names.some((setting) => settings[setting].value === 'ADDR')
  return [
    ...fill(`Settings of enginebridge serve: ${sentence}.`, COLUMNS),
    '',
    ...settingList(names),
    '',
    ...(addresses ? ['ADDR is unix:///path or tcp://host:port.'] : []),
    ...fill('Also in a YAML file (--config FILE), or as ENGINEBRIDGE_LISTEN for --listen.', COLUMNS),
    ...(list.length === 0 ? [] : ['', 'Commands:', ...list]),
  ]
}

/** All of the help for programs. */
const everything = (): object => ({
  commands: commands.map(({ name, usage, sentence, flags = [], examples, exits = {} }) => ({
    ...{ name, usage, sentence, flags, exits },
    examples: examples.map((example) => `enginebridge ${example}`),
  })),
  settings: settingNames.map((name) => {
    const { value, help, default: fallback = null } = settings[name]
    return { flag: `--${name}`, environment: environmentName(name), value, default: fallback, help }
  }),
})
