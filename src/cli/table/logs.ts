import { type Command, JSON_FLAG } from '../command.ts'

export const logs: readonly Command[] = [
  {
    name: 'audit tail',
    usage: '[FILE] [--lines N] [--all] [--once] [--json]',
    sentence: 'follow an audit log: one readable line a call',
    details: [
      'FILE: an audit log; default: the one that ENGINEBRIDGE_AUDIT_LOG names. Calls',
      'are shown when they end, streams and tunnels also when they open. Follows the',
      'log, also when it is rotated, until Ctrl-C; with --once, shows it and ends.',
    ],
    flags: [
      { name: 'lines', value: 'N', help: 'how many lines of the log to begin with (default 20)' },
      { name: 'all', help: 'show every record' },
      { name: 'once', help: 'show the log and end, instead of following it' },
      { name: 'json', help: 'write the records as they are, one a line' },
    ],
    examples: ['audit tail /var/log/enginebridge/audit.log', 'audit tail audit.log --lines 1000 --once'],
    load: () => import('../audit/tail.ts'),
  },
  {
    name: 'audit summary',
    usage: 'FILE… [--engine ENGINE] [--all] [--json]',
    sentence: 'say who calls what, what was lost, what another engine breaks',
    details: [
      'FILE: audit logs, .gz and .zst too. With --engine, what would happen to',
      'the clients and calls of the log on that engine: 1.44, 28.5, "Docker 29",',
      'podman, or the address of a running one; without the bridge, and with it.',
    ],
    flags: [
      { name: 'engine', value: 'ENGINE', help: 'what would break if this were the engine' },
      { name: 'all', help: 'show every row and each change' },
      JSON_FLAG,
    ],
    examples: ['audit summary audit.log', 'audit summary audit.log.*.gz audit.log --engine "Docker 29"'],
    load: () => import('../audit/summary.ts'),
  },
  {
    name: 'audit verify',
    usage: 'FILE… [--key FILE] [--until HASH] [--json]',
    sentence: 'find changed, moved, removed or inserted audit records',
    details: [
      'FILE: audit logs written with --audit-chain on, .gz and .zst too, the oldest',
      'first or as audit.log*. Each problem is written as FILE:LINE: problem.',
    ],
    flags: [
      { name: 'key', value: 'FILE', help: 'the key of --audit-chain-key' },
      { name: 'until', value: 'HASH', help: 'a hash noted elsewhere, which a line must have' },
      JSON_FLAG,
    ],
    examples: ['audit verify audit.log*', 'audit verify audit.log --key /etc/enginebridge/chain.key'],
    exits: { 1: 'there are problems', 2: 'nothing could be verified' },
    load: () => import('../audit/verify.ts'),
  },
  {
    name: 'policy check',
    usage: 'FILE METHOD PATH [BODY] [--listener ADDR] [--json]',
    sentence: 'say whether a policy allows a request to the engine',
    details: [
      'FILE may be the name of a preset, or env: the variables of another socket proxy.',
      'BODY is text, or @FILE. No engine is needed.',
    ],
    flags: [
      { name: 'listener', value: 'ADDR', help: 'the rules of this listener, where the file has some' },
      { name: 'content-type', value: 'TYPE', help: 'of the body (default application/json)' },
      JSON_FLAG,
    ],
    examples: [
      'policy check read-only GET /containers/json',
      'policy check policy.yaml POST /v1.44/containers/create @body.json',
    ],
    exits: { 1: 'the request is refused' },
    load: () => import('../commands/policy-check.ts'),
  },
]
