import { ownVersion } from '../../config/process.ts'
import type { Run } from '../command.ts'

/** `enginebridge version`. */
export const run: Run = async ({ has }, io) => {
  const json = { version: ownVersion(), node: process.versions.node }
  io.stdout.write(has('json') ? `${JSON.stringify(json)}\n` : `enginebridge ${json.version} (Node v${json.node})\n`)
  return 0
}
