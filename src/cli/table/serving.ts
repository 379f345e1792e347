import type { Command } from '../command.ts'
import { JSON_FLAG, TAKEOVER_FLAGS } from './flags.ts'

export const serving: readonly Command[] = [
  {
    name: 'serve',
    usage: '[SETTINGS]',
    sentence: 'serve clients of any version on any engine',
    settings: 'every',
    examples: ['serve --listen unix:///run/enginebridge.sock', 'serve --engine tcp://10.0.0.5:2375 --policy read-only'],
    exits: { 1: 'it cannot listen, or failed' },
    load: () => import('../commands/serve.ts'),
  },
  {
    name: 'health',
    usage: '[--listen ADDR] [--json]',
    sentence: 'ask a running bridge whether its engine answers',
    details: ['Writes one line. No audit record is made of the question.'],
    flags: [JSON_FLAG],
    settings: ['listen', 'admin', 'tls-cert'],
    examples: ['health', 'health --listen unix:///run/enginebridge.sock --json'],
    exits: { 1: 'no bridge answers, or its engine does not' },
    load: () => import('../commands/health.ts'),
  },
  {
    name: 'doctor',
    usage: '[ENGINE…] [--json] [SETTINGS]',
    sentence: 'look at engines, settings and listeners, and say what is wrong',
    details: [
      'ENGINE is an address; without one, it is the engine of the settings.',
      'Says what the engine is, what clients of each version can expect of it, and',
      'whether sockets, permissions, certificates and files are right. It asks the',
      'engine for /version and /_ping only, and changes nothing.',
    ],
    flags: [JSON_FLAG],
    settings: 'named',
    examples: ['doctor', 'doctor unix:///var/run/docker.sock --json'],
    exits: { 1: 'there are warnings', 2: 'something is broken, or the command line cannot be used' },
    load: () => import('../commands/doctor.ts'),
  },
  {
    name: 'record',
    usage: 'FILE [SETTINGS]',
    sentence: 'serve as a bridge and write down what clients call',
    details: [
      'FILE must not exist. One JSON line a call: what the client asked and was given,',
      'without secrets, bodies up to 256 KiB. Audit records go nowhere unless',
      '--audit-log says where. docs/recordings.md describes the lines.',
    ],
    settings: 'named',
    completes: 'file',
    examples: [
      'record calls.jsonl --listen unix:///tmp/record.sock',
      'record calls.jsonl --engine tcp://127.0.0.1:2375',
    ],
    exits: { 1: 'the engine does not answer, or FILE cannot be written' },
    load: () => import('../recording/record.ts'),
  },
  {
    name: 'takeover',
    usage: '[undo] [--yes] [--unit NAME] [--root DIR] [SETTINGS]',
    sentence: "put the bridge at the path of the engine's socket, with systemd",
    details: [
      'Shows what it would do, and how that is undone, and asks. The engine goes on',
      'running; its socket is renamed. The bridge is started with SETTINGS. With undo,',
      'every file and socket is as before.',
    ],
    flags: TAKEOVER_FLAGS,
    settings: 'named',
    examples: ['takeover --yes --announce-api 1.44', 'takeover undo --yes'],
    exits: { 1: 'nothing was done' },
    load: () => import('../takeover/takeover.ts'),
  },
]
