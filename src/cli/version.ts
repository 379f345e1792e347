import { readFileSync } from 'node:fs'
import { readArguments } from './arguments.ts'
import type { Run } from './command.ts'
import { commandNamed } from './commands.ts'

/** `enginebridge version`. */
export const run: Run = async (args, io) => {
  const { has } = readArguments(args, commandNamed('version'))
  const json = { version: ownVersion(), node: process.versions.node }
  io.stdout.write(has('json') ? `${JSON.stringify(json)}\n` : `enginebridge ${json.version} (Node v${json.node})\n`)
  return 0
}

/** What package.json says. */
export function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(packageFile(), 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : ''
}

/** In a checkout and beside the bundled program two folders up, in the compiled modules three. */
function packageFile(): URL {
  return new URL(
    import.meta.url.includes('/dist/src/') ? '../../../package.json' : '../../package.json',
    import.meta.url,
  )
}
