import { formatVersion, LOWEST, NEWEST } from '../api/version.ts'
import { didYouMean } from '../config/nearest.ts'
import { environmentName } from '../proxy/settings/environment-names.ts'
import { type SettingName, settingNames, settings } from '../proxy/settings/settings.ts'
import { readArguments } from './arguments.ts'
import { type Command, type Flag, type Run, UsageError } from './command.ts'
import { commandNamed, commands } from './commands.ts'
import { type SettingGroup, settingGroups } from './docs/topics.ts'
import { definitions, fill } from './words/text.ts'

/** Help is written for a screen of so many columns and lines (a test measures it; `serve` alone may be longer). */
const COLUMNS = 80

/** `enginebridge help [COMMAND | TOPIC]`: an overview, one command, or one group of settings. */
export const run: Run = async (args, io) => {
  const { has, words } = readArguments(args, commandNamed('help'))
  const text = helpText(words.join(' '))
  io.stdout.write(has('json') ? `${JSON.stringify(everything(), null, 2)}\n` : text)
  return 0
}

/** The text for a topic; the overview for ''. Throws UsageError for an unknown topic. */
export function helpText(topic: string): string {
  if (topic === '') return written(overview())
  const command = commands.find(({ name }) => name === topic)
  if (command !== undefined) return written(aboutCommand(command))
  const groups = settingGroups()
  const group =
    groups.find(({ name }) => name === topic) ?? groups.find((one) => one.settings.some((name) => name === topic))
  if (group !== undefined) return written(aboutSettings(group))
  const within = commands.filter(({ name }) => name.startsWith(`${topic} `))
  if (within.length > 0) return written(definitions(within.map(commandRow), COLUMNS))
  const topics = helpTopics()
  throw new UsageError(
    `there is no help on "${topic}"${didYouMean(topic, topics, `; there is on ${topics.join(', ')}`)}`,
  )
}

/** A name may be both, as `audit` is: the settings are shown, and the commands of that name under them. */
export function helpTopics(): readonly string[] {
  return [...new Set([...commands.map(({ name }) => name), ...settingGroups().map(({ name }) => name)])]
}

const written = (lines: readonly string[]): string => `${lines.join('\n')}\n`

const commandRow = ({ name, sentence }: Command): readonly [string, string] => [name, sentence]

function overview(): string[] {
  const versions = `${formatVersion(LOWEST)} to ${formatVersion(NEWEST)}`
  return [
    'enginebridge COMMAND [FLAGS]',
    ...fill(`Lets clients of the container Engine API ${versions} talk to any engine.`, COLUMNS),
    '',
    'Commands:',
    ...definitions(commands.map(commandRow), COLUMNS),
    '',
    ...fill(`Settings of serve, by topic: ${topicNames()}.`, COLUMNS),
    ...fill('See enginebridge COMMAND --help, enginebridge help TOPIC; -v is the version.', COLUMNS),
  ]
}

function aboutCommand(command: Command): string[] {
  const { name, usage, sentence, details = [], flags = [], examples, exits } = command
  const codes = Object.entries({ 0: 'all is well', ...exits, 2: exits?.[2] ?? 'the command line cannot be used' })
  return [
    `enginebridge ${name} ${usage}`.trimEnd(),
    `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.`,
    ...(details.length === 0 ? [] : ['', ...details]),
    ...(flags.length === 0 ? [] : ['', 'Flags:', ...definitions(flags.map(flagRow), COLUMNS)]),
    ...settingsOf(command),
    '',
    'Examples:',
    ...examples.map((example) => `  enginebridge ${example}`),
    '',
    ...fill(`Exit code: ${codes.map(([code, meaning]) => `${code} ${meaning}`).join('; ')}.`, COLUMNS),
  ]
}

const topicNames = (): string =>
  settingGroups()
    .map(({ name }) => name)
    .join(', ')

const flagRow = ({ name, value, help }: Flag): readonly [string, string] => [
  value === undefined ? `--${name}` : `--${name} ${value}`,
  help,
]

/** The settings that a command reads, in their groups: explained, or their names alone. */
function settingsOf({ settings: which }: Command): string[] {
  if (which === undefined) return []
  if (which === 'every')
    return [
      ...settingGroups().flatMap(({ name, sentence, settings: names }) => [
        '',
        `Flags, ${name} (${sentence}):`,
        ...definitions(names.map(settingRow), COLUMNS),
      ]),
      '',
      ...fill(ORIGINS, COLUMNS),
    ]
  if (which === 'named')
    return ['', ...fill(`Flags of serve: ${topicNames()}. enginebridge serve --help explains them.`, COLUMNS)]
  return ['', 'Flags of serve:', ...definitions(which.map(settingRow), COLUMNS)]
}

const ORIGINS =
  'Every setting has an environment variable (ENGINEBRIDGE_LISTEN for --listen), and a YAML file given with --config FILE takes the same names. Flag before environment before file before default. ADDR is unix:///path or tcp://host:port.'

function aboutSettings({ name, sentence, settings: names }: SettingGroup): string[] {
  const within = commands.filter((command) => command.name === name || command.name.startsWith(`${name} `))
  return [
    ...fill(`Settings of enginebridge serve: ${sentence}.`, COLUMNS),
    '',
    ...definitions(names.map(settingRow), COLUMNS),
    '',
    ...(names.some((setting) => settings[setting].value === 'ADDR')
      ? ['ADDR is unix:///path or tcp://host:port.']
      : []),
    ...fill('Also in a YAML file (--config FILE), or as ENGINEBRIDGE_LISTEN for --listen.', COLUMNS),
    ...(within.length === 0 ? [] : ['', 'Commands:', ...definitions(within.map(commandRow), COLUMNS)]),
  ]
}

function settingRow(name: SettingName): readonly [string, string] {
  const { value, help, default: fallback } = settings[name]
  return [`--${name} ${value}`.trimEnd(), (fallback ?? '') === '' ? help : `${help} (default ${fallback})`]
}

/** All of the help for programs: completion of other shells, pages. */
const everything = (): object => ({
  commands: commands.map(({ name, usage, sentence, flags = [], examples, exits = {} }) => ({
    ...{ name, usage, sentence, flags, exits },
    examples: examples.map((example) => `enginebridge ${example}`),
  })),
  settings: settingNames.map((name) => {
    const { value, help, default: fallback } = settings[name]
    return { flag: `--${name}`, environment: environmentName(name), value, default: fallback ?? null, help }
  }),
})
