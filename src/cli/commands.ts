import { type Command, type Flag, type Io, UsageError } from './command.ts'

const JSON_FLAG: Flag = { name: 'json', help: 'write JSON instead of text' }

/**
 * Every subcommand, in the order of the help. A new one is a row here and a module with `run(args, io)`; help, man page,
 * shell completion and docs/cli.md follow.
 */
export const commands: readonly Command[] = [
  {
    name: 'serve',
    usage: '[SETTINGS]',
    sentence: 'serve clients of any version on any engine; the default command',
    settings: true,
    load: () => import('./serve.ts'),
  },
  {
    name: 'health',
    usage: '[--listen ADDR]',
    sentence: 'ask a running bridge whether its engine answers',
    settings: true,
    exits: { 1: 'no answer, or the engine does not answer' },
    load: () => import('./health.ts'),
  },
  {
    name: 'doctor',
    usage: '[ENGINE…] [--json] [SETTINGS]',
    sentence: 'look at engines, settings and listeners, and say what is wrong',
    details: [
      'ENGINE is an address; without one, --engine, DOCKER_HOST or the default socket.',
      'Says what the engine is, what clients of each version can expect of it, and',
      'whether sockets, permissions, certificates and files are right. It asks the',
      'engine for /version and /_ping only, and changes nothing. Of what it asks a',
      'bridge on --listen no audit record is made.',
    ],
    flags: [JSON_FLAG],
    settings: true,
    exits: { 1: 'there are warnings', 2: 'something is broken, or the command line cannot be used' },
    load: () => import('./doctor.ts'),
  },
  {
    name: 'explain',
    usage: 'CLIENT ENGINE [METHOD PATH] [--json]',
    sentence: "say what happens to a client's calls on an engine",
    details: [
      'CLIENT is an API version (1.24) or a release (Docker 20.10). ENGINE is one of',
      'these too, podman, or the address of a running engine. With METHOD and PATH,',
      'each change of that call with an example of before and after.',
      '',
      '  enginebridge explain 1.24 "Docker 29"',
      '  enginebridge explain 1.18 28.5 POST /containers/create',
    ],
    flags: [JSON_FLAG],
    load: () => import('./explain/explain.ts'),
  },
  {
    name: 'diff',
    usage: 'FROM TO [METHOD PATH] [--json]',
    sentence: 'list what differs between two API versions, by operation',
    details: [
      'With METHOD and PATH, what differs for that call.',
      '',
      '  enginebridge diff "Docker 20.10" "Docker 29" | less',
      '  enginebridge diff 1.18 1.44 POST /containers/create',
    ],
    flags: [JSON_FLAG],
    load: () => import('./explain/diff.ts'),
  },
  {
    name: 'matrix',
    usage: '[CLIENT:ENGINE…] [--json]',
    sentence: 'count changes and losses of every operation between versions',
    details: ['  enginebridge matrix 1.24:28.5 1.18:1.44'],
    flags: [JSON_FLAG],
    load: () => import('./explain/matrix.ts'),
  },
  {
    name: 'audit tail',
    usage: '[FILE] [--lines N] [--all] [--once]',
    sentence: 'watch an audit log: one readable line a call',
    details: [
      'FILE: an audit log; without it the one that ENGINEBRIDGE_AUDIT_LOG names. Calls',
      'are shown when they end, streams and tunnels also when they open. Goes on in',
      'the new file when the log is rotated.',
    ],
    flags: [
      { name: 'lines', value: 'N', help: 'how many lines of the log to begin with (default 20)' },
      { name: 'all', help: 'show every record' },
      { name: 'once', help: 'end at the end of the file' },
    ],
    words: 'file',
    load: () => import('./audit/tail.ts'),
  },
  {
    name: 'audit summary',
    usage: 'FILE… [--engine ENGINE] [--all] [--json]',
    sentence: 'say who calls what, what was lost, what another engine breaks',
    details: [
      'FILE: audit logs; .gz and .zst as they are. With --engine, what would happen to',
      'the clients and calls of the log on that engine: 1.44, 28.5, "Docker 29",',
      'podman, or the address of a running one; without the bridge, and with it.',
      '',
      '  enginebridge audit summary audit.log --engine "Docker 29"',
    ],
    flags: [
      { name: 'engine', value: 'ENGINE', help: 'what would break if this were the engine' },
      { name: 'all', help: 'every row, and each change' },
      JSON_FLAG,
    ],
    words: 'file',
    load: () => import('./audit/summary.ts'),
  },
  {
    name: 'audit verify',
    usage: 'FILE… [--key FILE] [--until HASH] [--json]',
    sentence: 'find audit records that were changed, moved, cut or put in',
    details: [
      'FILE: audit logs written with --audit-chain on, the oldest first; .gz and .zst',
      'as they are. Each problem is said as FILE:LINE: what it is.',
      '',
      '  enginebridge audit verify audit.log.* audit.log',
    ],
    flags: [
      { name: 'key', value: 'FILE', help: 'the key of --audit-chain-key' },
      { name: 'until', value: 'HASH', help: 'the hash of a line, noted elsewhere, that must be there' },
      JSON_FLAG,
    ],
    words: 'file',
    exits: { 1: 'lines are not as they were written', 2: 'nothing could be verified' },
    load: () => import('./audit/verify.ts'),
  },
  {
    name: 'record',
    usage: 'FILE [SETTINGS]',
    sentence: 'serve as a bridge and write down what clients call',
    details: [
      'FILE must not exist. One JSON line a call: what the client asked and was given,',
      'without secrets, bodies up to 256 KiB. Audit records go nowhere unless',
      '--audit-log says where. docs/recordings.md describes the lines.',
      '',
      '  enginebridge record calls.jsonl --listen unix:///tmp/record.sock',
      '  DOCKER_HOST=unix:///tmp/record.sock docker ps',
    ],
    settings: true,
    words: 'file',
    exits: { 1: 'the engine does not answer, or FILE cannot be written' },
    load: () => import('./recording/record.ts'),
  },
  {
    name: 'replay',
    usage: 'FILE --engine ENGINE [--all] [--json]',
    sentence: 'tell from a recording what would happen on another engine',
    details: [
      'ENGINE is an API version, a release, podman, or the address of an engine. At an',
      'address, the GET and HEAD calls are made again through a bridge, and the answers',
      'compared with the recorded ones by status and shape. --all makes the others too:',
      'they create, change and remove things on that engine.',
      '',
      '  enginebridge replay calls.jsonl --engine "Docker 29"',
      '  enginebridge replay calls.jsonl --engine unix:///run/test.sock',
    ],
    flags: [
      { name: 'engine', value: 'ENGINE', help: 'the version, the release or the address' },
      { name: 'all', help: 'at an address: make state-changing calls as well' },
      JSON_FLAG,
    ],
    words: 'file',
    exits: { 1: 'calls are refused or answered otherwise' },
    load: () => import('./recording/replay.ts'),
  },
  {
    name: 'policy check',
    usage: 'FILE METHOD PATH [BODY]',
    sentence: 'what a policy says about a request, as the engine would see it',
    details: [
      'FILE may be the name of a preset, or env: the variables of another socket proxy.',
      'BODY is text, or @FILE. No engine is asked.',
      'enginebridge policy check policy.yaml POST /v1.44/containers/create @body.json',
    ],
    words: 'file',
    flags: [
      { name: 'listener', value: 'ADDR', help: 'the rules of this listener, where the file has some' },
      { name: 'content-type', value: 'TYPE', help: 'of the body; application/json by itself' },
    ],
    exits: { 1: 'the request is refused' },
    load: () => import('./policy-check.ts'),
  },
  {
    name: 'completion',
    usage: 'bash|zsh|fish',
    sentence: 'print a script that completes commands, flags and values in a shell',
    details: [
      '  source <(enginebridge completion bash)      # or zsh, after compinit',
      '  enginebridge completion fish | source',
    ],
    words: ['bash', 'zsh', 'fish'],
    load: () => import('./completion.ts'),
  },
  {
    name: 'version',
    usage: '',
    sentence: 'print the version of enginebridge and of Node',
    load: () => import('./version.ts'),
  },
  {
    name: 'help',
    usage: '[COMMAND | TOPIC]',
    sentence: 'explain a command or a group of settings',
    load: () => import('./help.ts'),
  },
]

/** The command that a command line names, and what follows its name. Flags alone are those of `serve`. */
function find(args: readonly string[]): { command: string; rest: readonly string[] } {
  const [first, second] = args
  if (first === undefined || first.startsWith('-')) return { command: 'serve', rest: args }
  const names = commands.map(({ name }) => name)
  const pair = `${first} ${second}`
  if (names.includes(pair)) return { command: pair, rest: args.slice(2) }
  if (names.includes(first)) return { command: first, rest: args.slice(1) }
  const group = names.filter((name) => name.startsWith(`${first} `))
  if (group.length > 0)
    throw new UsageError(`${first} is followed by ${group.map((name) => name.split(' ')[1]).join(', ')}`)
  throw new UsageError(`there is no command "${first}"`)
}

/** Runs what a command line says. `--help` and `--version` are heard wherever they stand. */
export async function dispatch(args: readonly string[], io: Io): Promise<number> {
  const named = commands.find(({ name }) => name === args[0] || name === `${args[0]} ${args[1]}`)
  if (args.includes('--help') || args.includes('-h'))
    return (await import('./help.ts')).run(named === undefined ? [] : [named.name], io)
  if (args.includes('--version')) return (await import('./version.ts')).run([], io)
  const { command, rest } = find(args)
  const { run } = await commandNamed(command).load()
  return run(rest, io)
}

export function commandNamed(name: string): Command {
  const found = commands.find((command) => command.name === name)
  if (found === undefined) throw new Error(`no command is called ${name}`)
  return found
}
