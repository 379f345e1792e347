import type { Flag } from '../command.ts'

export const TAKEOVER_FLAGS: readonly Flag[] = [
  { name: 'yes', help: 'do it without asking' },
  { name: 'unit', value: 'NAME', help: "the engine's socket unit (docker.socket)" },
  { name: 'root', value: 'DIR', help: 'a tree laid out like a host instead of /; nothing is started there' },
]

export const JSON_FLAG: Flag = { name: 'json', help: 'write JSON instead of text' }
