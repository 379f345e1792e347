import type { Flag } from '../command.ts'

export const JSON_FLAG: Flag = { name: 'json', help: 'write JSON instead of text' }
