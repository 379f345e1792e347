import type { Flag } from '../../config/command-line.ts'
import { didYouMean } from '../../config/nearest.ts'
import { presets } from '../../policy/file/presets.ts'
import { settingFlags } from '../../proxy/settings/settings.ts'
import { type Io, type Run, UsageError } from '../command.ts'
import { commands } from '../commands.ts'
import { commandOf } from '../dispatch.ts'
import { helpTopics } from '../help.ts'

/** They ask the program at each Tab, and offer files where it offers nothing. */
export const SCRIPTS = {
  bash: `# bash completion for enginebridge: source <(enginebridge completion bash)
_enginebridge() {
  local IFS=$'\\n'
  COMPREPLY=($(enginebridge __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
  [ \${#COMPREPLY[@]} -gt 0 ] && return
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _enginebridge enginebridge
`,
  zsh: `#compdef enginebridge
# zsh completion for enginebridge: source <(enginebridge completion zsh), after compinit
_enginebridge() {
  local -a offered
  offered=(\${(f)"$(enginebridge __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  (( $#offered )) || { _files; return }
  offered=("\${(@)offered//:/\\\\:}")
  offered=("\${(@)offered/$'\\t'/:}")
  _describe enginebridge offered
}
compdef _enginebridge enginebridge
`,
  fish: `# fish completion for enginebridge: enginebridge completion fish | source
function __enginebridge
  set -l offered (enginebridge __complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if set -q offered[1]
    printf '%s\\n' $offered
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c enginebridge -f -a '(__enginebridge)'
`,
}

/** `enginebridge completion bash|zsh|fish`: a script for the shell. */
export const run: Run = async ({ words: [shell = ''] }, io) => {
  const shells = Object.keys(SCRIPTS)
  const script = Object.entries(SCRIPTS).find(([name]) => name === shell)?.[1]
  if (script === undefined)
    throw new UsageError(
      `unknown shell "${shell}"${didYouMean(shell, shells, `; there is completion for ${shells.join(', ')}`)}`,
    )
  io.stdout.write(script)
  return 0
}

type Offer = readonly [word: string, meaning?: string]

/** `enginebridge __complete WORD…`: what may stand for the last word, a line each, with its meaning behind a tab. */
export function complete(words: readonly string[], { stdout }: Pick<Io, 'stdout'>): number {
  const last = words.at(-1) ?? ''
  const offered = offers(words.slice(0, -1), last).filter(([word]) => word.startsWith(last))
  stdout.write(offered.map((offer) => `${offer.join('\t')}\n`).join(''))
  return 0
}

function offers(before: readonly string[], word: string): readonly Offer[] {
  const [first] = before
  // Flags alone are those of `serve`.
  const command = commandOf(first === undefined ? ['--'] : before)
  const flags: readonly Flag[] = [
    ...(command?.flags ?? []),
    ...(command?.settings === undefined ? [] : settingFlags),
    { name: 'help', help: 'explain the command' },
  ]
  const [inline = ''] = word.match(/^--[^=]+=/) ?? []
  const value = flags.find(({ name }) => `--${name}` === (inline.slice(0, -1) || before.at(-1)))?.value
  if (value) return valuesOf(value).map((one) => [`${inline}${one}`])
  if (word.startsWith('-')) return flags.map(({ name, help }) => [`--${name}`, help])
  if (first === undefined) return firstWords()
  if (before.length > 1) return []
  if (first === 'help') return helpTopics().map((topic) => [topic])
  const seconds = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (seconds.length > 0) return seconds.map(({ name, sentence }) => [name.slice(first.length + 1), sentence])
  return (command?.completes ?? []).map((one) => [one])
}

/** Words to choose from; one in capitals stands for others. */
function valuesOf(value: string): readonly string[] {
  const words = value.split('|').flatMap((word) => (word === 'PRESET' ? Object.keys(presets) : word))
  return words.filter((word) => /[a-z]/.test(word))
}

function firstWords(): readonly Offer[] {
  const groups = Map.groupBy(commands, ({ name }) => name.split(' ')[0] ?? '')
  return [...groups].map(([first, group]) => [
    first,
    group.map(({ name, sentence }) => (name === first ? sentence : name.slice(first.length + 1))).join(', '),
  ])
}
