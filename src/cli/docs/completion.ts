import { didYouMean } from '../../config/nearest.ts'
import { presets } from '../../policy/file/presets.ts'
import { type SettingName, settingNames, settings } from '../../proxy/settings/settings.ts'
import { readArguments } from '../arguments.ts'
import { type Command, type Run, UsageError } from '../command.ts'
import { commandNamed, commands } from '../commands.ts'
import { helpTopics } from '../help.ts'

/** `enginebridge completion bash|zsh|fish`: a script for the shell, written from the settings and the table of commands. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

export const run: Run = async (args, io) => {
  const [wanted = ''] = readArguments(args, commandNamed('completion')).words
  const shell = SHELLS.find((name) => name === wanted)
  if (shell === undefined)
    throw new UsageError(`completion is there for ${SHELLS.join(', ')}, not for ${wanted}${didYouMean(wanted, SHELLS)}`)
  io.stdout.write(completion(shell))
  return 0
}

/** What may be typed behind a flag: words to choose from, a file, or anything. */
interface Choice {
  readonly flag: string
  readonly help: string
  readonly values: readonly string[] | 'file' | 'none' | 'any'
}

function valuesOf(value: string | undefined): Choice['values'] {
  if (value === undefined || value === '') return 'none'
  if (/^[A-Za-z]+(\|[A-Za-z]+)+$/.test(value)) return value.split('|').flatMap(wordsFor)
  return /^(?:FILE|DIR)\b/.test(value) ? 'file' : 'any'
}

/** A word in capitals stands for others; a file is completed by who types it. */
function wordsFor(word: string): readonly string[] {
  if (word === 'PRESET') return Object.keys(presets)
  return word === word.toUpperCase() ? [] : [word]
}

const settingChoice = (name: SettingName): Choice => ({
  flag: `--${name}`,
  help: settings[name].help,
  values: valuesOf(settings[name].value),
})

const CONFIG: Choice = { flag: '--config', help: 'YAML with the same names', values: 'file' }

/** Everything that begins with dashes and may follow a command. */
function choicesOf({ flags = [], settings: takes }: Command): readonly Choice[] {
  const own = flags.map(({ name, value, help }): Choice => ({ flag: `--${name}`, help, values: valuesOf(value) }))
  return takes === undefined ? own : [...own, ...settingNames.map(settingChoice), CONFIG]
}

/** Words that may follow a command; of a group its second words. */
function wordsAfter(first: string): readonly string[] | 'file' {
  if (first === 'help') return helpTopics().filter((topic) => !topic.includes(' '))
  const seconds = commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []))
  return seconds.length > 0 ? seconds : (commands.find(({ name }) => name === first)?.completes ?? [])
}

const firstWords = (): readonly string[] => [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]

const sentenceOf = (first: string): string =>
  commands.find(({ name }) => name === first)?.sentence ?? `${(wordsAfter(first) as readonly string[]).join(', ')}`

/** The command that flags belong to when a line begins with this word: of a group all its commands. */
const groupOf = (first: string): readonly Command[] =>
  commands.filter(({ name }) => name === first || name.startsWith(`${first} `))

/** Whether files follow the second word of a group: `audit tail FILE`. */
const filesFollow = (first: string): boolean =>
  groupOf(first).some(({ name, completes: follow }) => name !== first && follow === 'file')

const groupChoices = (first: string): readonly Choice[] => unique(groupOf(first).flatMap(choicesOf))

export const completion = (shell: Shell): string => ({ bash, zsh, fish })[shell]()

const unique = (choices: readonly Choice[]): readonly Choice[] =>
  choices.filter(({ flag }, i) => choices.findIndex((other) => other.flag === flag) === i)

/** Choices of values are the same whatever command a flag stands behind. */
const everyChoice = (): readonly Choice[] => unique(firstWords().flatMap(groupChoices))

function bash(): string {
  const values = everyChoice().flatMap(({ flag, values: of }) =>
    of === 'none'
      ? []
      : [
          `    ${flag}) ${of === 'file' ? 'COMPREPLY=($(compgen -f -- "$word"))' : words(of === 'any' ? [] : of)}; return ;;`,
        ],
  )
  const perCommand = firstWords().map((first) => {
    const after = wordsAfter(first)
    const flags = groupChoices(first).map(({ flag }) => flag)
    const files = 'COMPREPLY=($(compgen -f -- "$word"))'
    const second = (seconds: readonly string[]): string =>
      filesFollow(first) ? `if (( COMP_CWORD == 2 )); then ${words(seconds)}; else ${files}; fi` : words(seconds)
    const rest = after === 'file' ? files : second(after)
    return `    ${first}) if [[ $word == -* ]]; then ${words(flags)}; else ${rest}; fi ;;`
  })
  const serve = groupChoices('serve').map(({ flag }) => flag)
  return [
    '# bash completion for enginebridge: source <(enginebridge completion bash)',
    '_enginebridge() {',
    `  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}`,
    '  COMPREPLY=()',
    '  case $before in',
    ...values,
    '  esac',
    '  if [[ $COMP_CWORD == 1 ]]; then',
    `    if [[ $word == -* ]]; then ${words([...serve, '--help', '--version'])}; else ${words(firstWords())}; fi`,
    '    return',
    '  fi',
    '  case $command in',
    ...perCommand,
    `    -*) ${words(serve)} ;;`,
    '  esac',
    '}',
    'complete -F _enginebridge enginebridge',
    '',
  ].join('\n')
}

const words = (list: readonly string[]): string => `COMPREPLY=($(compgen -W "${list.join(' ')}" -- "$word"))`

/** Text between single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function zsh(): string {
  const specification = ({ flag, help, values }: Choice): string => {
    const said = help.replaceAll(/[[\]:]/g, '\\$&')
    const argument =
      values === 'none'
        ? ''
        : values === 'file'
          ? ':file:_files'
          : values === 'any'
            ? ':value:'
            : `:value:(${values.join(' ')})`
    return quoted(values === 'none' ? `${flag}[${said}]` : `*${flag}=[${said}]${argument}`)
  }
  const perCommand = firstWords().map((first) => {
    const after = wordsAfter(first)
    const files = quoted('*:file:_files')
    const second = (seconds: string): string =>
      filesFollow(first) ? `${quoted(`1:word:(${seconds})`)} ${files}` : quoted(`*:word:(${seconds})`)
    const rest = after === 'file' ? files : second(after.join(' '))
    return `    ${first}) _arguments ${[...groupChoices(first).map(specification), rest].join(' ')} ;;`
  })
  const list = firstWords().map((first) => quoted(`${first}:${sentenceOf(first).replaceAll(':', '\\:')}`))
  return [
    '#compdef enginebridge',
    '# zsh completion for enginebridge: source <(enginebridge completion zsh), after compinit',
    '_enginebridge() {',
    '  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then',
    `    local -a list; list=(${list.join(' ')})`,
    '    _describe command list; return',
    '  fi',
    '  local command=$words[2]',
    '  [[ $command == -* ]] && command=serve || { shift words; (( CURRENT-- )) }',
    '  case $command in',
    ...perCommand,
    '  esac',
    '}',
    'compdef _enginebridge enginebridge',
    '',
  ].join('\n')
}

/** For fish: what may follow a command, and when. */
function afterwards(first: string, condition: string): (readonly [when: string, what: string])[] {
  const after = wordsAfter(first)
  if (after === 'file') return [[condition, '-F']]
  if (after.length === 0) return []
  const list = after.join(' ')
  if (!filesFollow(first)) return [[condition, `-a ${quoted(list)}`]]
  const said = `__fish_seen_subcommand_from ${list}`
  return [
    [`${condition}; and not ${said}`, `-a ${quoted(list)}`],
    [`${condition}; and ${said}`, '-F'],
  ]
}

function fish(): string {
  const line = (...parts: readonly string[]): string => `complete -c enginebridge ${parts.join(' ')}`
  const value = (values: Choice['values']): string =>
    values === 'none' ? '' : values === 'file' ? '-rF' : values === 'any' ? '-x' : `-xa ${quoted(values.join(' '))}`
  const flags = (condition: string, choices: readonly Choice[]): string[] =>
    choices.map(({ flag, help, values }) =>
      line(`-n ${quoted(condition)}`, `-l ${flag.slice(2)}`, value(values), `-d ${quoted(help)}`),
    )
  const perCommand = firstWords().flatMap((first) => {
    const condition = `__fish_seen_subcommand_from ${first}`
    return [
      ...afterwards(first, condition).map(([when, what]) => line(`-n ${quoted(when)}`, what)),
      ...flags(condition, groupChoices(first)),
    ]
  })
  return [
    '# fish completion for enginebridge: enginebridge completion fish | source',
    line('-f'),
    ...firstWords().map((first) =>
      line("-n '__fish_use_subcommand'", `-a ${first}`, `-d ${quoted(sentenceOf(first))}`),
    ),
    ...flags('__fish_use_subcommand', groupChoices('serve')),
    ...perCommand,
    '',
  ].join('\n')
}
