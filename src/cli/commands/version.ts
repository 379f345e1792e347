import { ownVersion } from '../../config/process.ts'
import { readArguments } from '../arguments.ts'
import type { Run } from '../command.ts'
import { commandNamed } from '../commands.ts'

/** `enginebridge version`. */
export const run: Run = async (args, io) => {
  const { has } = readArguments(args, commandNamed('version'))
  const json = { version: ownVersion(), node: process.versions.node }
  io.stdout.write(has('json') ? `${JSON.stringify(json)}\n` : `enginebridge ${json.version} (Node v${json.node})\n`)
  return 0
}
