import { commands } from '../../src/cli/commands.ts'
import { helpText } from '../../src/cli/help.ts'
import { table } from './table.ts'

/** docs/cli.md: every command with its help. Output of `explain`, `diff` and `matrix` is left out, because it changes with each rule. */
export function commandsPage(): string {
  const sections = commands.map(({ name }) => [`## ${name}`, '', '```', helpText(name).trimEnd(), '```'].join('\n'))
  const rows = commands.map(({ name, sentence }) => [`[\`${name}\`](#${name.replaceAll(' ', '-')})`, sentence])
  const contents = table(['command', 'what it does'], rows)
  return [...PREFACE, contents, '', sections.join('\n\n'), '', ...JSON_SHAPES, ''].join('\n')
}

const PREFACE = [
  '# Commands',
  '',
  'Written by `npm run docs` from the table of commands. Text is at most 80 columns wide in a pipe and has',
  'colours on a terminal only (`NO_COLOR` switches them off). `man ./docs/enginebridge.1` shows the manual page;',
  '`source <(enginebridge completion bash)` (or `zsh`), `enginebridge completion fish | source` completes commands, flags and values.',
  '',
]

const JSON_SHAPES = [
  '## What --json writes',
  '',
  '- `doctor`: `{ exitCode, engines: [{ address, engine, findings, clients }], bridge: findings }`. `engine` is what `GET /version` said, or',
  '  null. A finding is `{ level: "ok"|"note"|"warning"|"broken", about, says, advice? }`. A client is `{ client, target, withoutBridge: {',
  '  served, refusal, changes }, withBridge: { note, changes, losses } }`.',
  '- `explain`: `{ client, engine, target, withoutBridge, withBridge, operations: [{ operation, method, path, changes }], program }`; `program`',
  '  is `{ name, understands, told }` with --client, else null. A change is `{ id, gate, way: "up"|"down", legs, summary, emulated, losses }`,',
  '  with METHOD and PATH also `done`, `see` and `examples: [{ on, leg, before, after }]`. A loss is `{ what, change, outcome: "refuse"|"warn"|"ignore" }`.',
  '- `diff`: `{ from, to, groups: [{ operation, call, changes: [{ id, summary, gate, legs, losses }] }] }`; `operation` is null for what',
  '  nearly all operations have.',
  '- `matrix`: `{ pairs: [{ client, engine, target, highest }], operations: [{ operation, call, cells: [{ changes, refused, warned }] }] }`,',
  '  the cells in the order of the pairs.',
  '- `replay`: `{ recorded, engine, calls: [{ method, path, client, operation, withoutBridge, refused, changes, losses, ignored, note,',
  '  announce, asked? }] }`; `asked` is `{ kind: "same"|"differs"|"absent"|"skipped", how?, why? }`.',
]
