import { formatVersion, LOWEST, NEWEST } from '../../src/api/version.ts'
import type { Command } from '../../src/cli/command.ts'
import { commands } from '../../src/cli/commands.ts'
import { settingFlag } from '../../src/cli/help.ts'
import { settingGroups } from '../../src/cli/topics.ts'
import type { Flag } from '../../src/config/command-line.ts'
import { environmentName } from '../../src/proxy/settings/environment-names.ts'

/** The manual page, written from the settings and the table of commands (man(7)). */
export const MAN_PAGE = 'docs/enginebridge.1'

/** A backslash, a dash and a point at the beginning of a line mean something to troff. */
const text = (plain: string): string =>
  plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^([.'])/gm, '\\&$1')

const term = (name: string, meaning: string): string[] => ['.TP', `\\fB${text(name)}\\fR`, text(meaning)]

const flag = ({ name, value = '', help }: Flag): string[] => term(`--${name} ${value}`.trimEnd(), help)

export function manPage(): string {
  return [
    '.\\" Written by npm run docs.',
    '.TH ENGINEBRIDGE 1',
    '.SH NAME',
    'enginebridge \\- lets any client of the container Engine API talk to any engine',
    '.SH SYNOPSIS',
    ...commands.flatMap(({ name, usage }) => [`.B enginebridge ${text(name)}`, text(usage), '.br']),
    '.SH DESCRIPTION',
    text(
      `A reverse proxy in front of one container engine (Docker Engine, Moby, Podman). Clients speak API ${formatVersion(LOWEST)} to ${formatVersion(NEWEST)}; the engine speaks the versions it still serves; enginebridge translates the difference in both directions, validates what it forwards, passes hijacked and streamed connections through untouched, and writes an audit record of every call.`,
    ),
    '.SH COMMANDS',
    ...commands.flatMap(aboutCommand),
    '.SH SETTINGS',
    text(
      'Each is a flag of serve; it has the environment variable given, and the same name in the YAML file that --config FILE or ENGINEBRIDGE_CONFIG names. Flag before environment before file before default. ADDR is unix:///path or tcp://host:port.',
    ),
    ...settingGroups.flatMap(({ name, sentence, settings }) => [
      `.SS ${text(name)}: ${text(sentence)}`,
      ...settings.flatMap((one) =>
        flag({ ...settingFlag(one), help: `${settingFlag(one).help} [${environmentName(one)}]` }),
      ),
    ]),
    '.SH ENVIRONMENT',
    ...term('DOCKER_HOST', 'the engine, where --engine does not say'),
    ...term('NO_COLOR', 'no colours, on a terminal either'),
    '.SH EXIT STATUS',
    text(
      '0 when all is well, 2 when the command line or the configuration cannot be used, otherwise as each command says.',
    ),
    '',
  ].join('\n')
}

function aboutCommand({ name, usage, sentence, details = [], flags = [], exits = {} }: Command): string[] {
  const codes = Object.entries(exits).map(([code, meaning]) => `${code}: ${meaning}`)
  return [
    `.SS ${text(`${name} ${usage}`.trimEnd())}`,
    text(`${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.`),
    ...(details.length === 0 ? [] : ['.PP', '.nf', ...details.map(text), '.fi']),
    ...flags.flatMap(flag),
    ...(codes.length === 0 ? [] : ['.PP', text(`Exit status: ${codes.join('; ')}.`)]),
  ]
}
