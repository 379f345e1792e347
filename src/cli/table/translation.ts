import { type Command, JSON_FLAG } from '../command.ts'

export const translation: readonly Command[] = [
  {
    name: 'explain',
    usage: 'CLIENT ENGINE [METHOD PATH] [--json]',
    sentence: "say what happens to a client's calls on an engine",
    details: [
      'CLIENT is an API version (1.24) or a release (Docker 20.10). ENGINE is one of',
      'these too, podman, or the address of a running engine. With METHOD and PATH,',
      'each change of that call with an example of before and after. A known program is',
      'named by its User-Agent: explain --client docker-compose/1.29 28.5',
    ],
    flags: [
      {
        name: 'client',
        value: 'AGENT',
        help: 'a known program by its User-Agent, instead of CLIENT',
        instead: 'CLIENT',
      },
      JSON_FLAG,
    ],
    examples: ['explain 1.24 "Docker 29"', 'explain 1.18 28.5 POST /containers/create'],
    load: () => import('../explain/explain.ts'),
  },
  {
    name: 'diff',
    usage: 'FROM TO [METHOD PATH] [--json]',
    sentence: 'list what differs between two API versions, by operation',
    details: [
      'FROM and TO are API versions (1.24) or releases (Docker 20.10). With METHOD',
      'and PATH, for that call only.',
    ],
    flags: [JSON_FLAG],
    examples: ['diff "Docker 20.10" "Docker 29" | less', 'diff 1.18 1.44 POST /containers/create'],
    load: () => import('../explain/diff.ts'),
  },
  {
    name: 'matrix',
    usage: '[CLIENT:ENGINE…] [--json]',
    sentence: 'count changes and losses of every operation between versions',
    flags: [JSON_FLAG],
    examples: ['matrix', 'matrix 1.24:28.5 1.18:1.44'],
    load: () => import('../explain/matrix.ts'),
  },
  {
    name: 'replay',
    usage: 'FILE --engine ENGINE [--all] [--json]',
    sentence: 'say what would happen to recorded calls on another engine',
    details: [
      'ENGINE is an API version, a release, podman, or the address of an engine. At an',
      'address, the GET and HEAD calls are repeated through a bridge, and the responses',
      'compared with the recorded ones by status and shape. --all repeats the others,',
      'too: they create, change and remove things on that engine.',
    ],
    flags: [
      { name: 'engine', value: 'ENGINE', help: 'the version, the release or the address' },
      { name: 'all', help: 'at an address: also repeat calls that change something' },
      JSON_FLAG,
    ],
    examples: ['replay calls.jsonl --engine "Docker 29"', 'replay calls.jsonl --engine unix:///run/test.sock'],
    exits: { 1: 'calls are refused or get other responses' },
    load: () => import('../recording/replay.ts'),
  },
]
