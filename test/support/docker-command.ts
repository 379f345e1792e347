import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { unpacked } from './unpacked.ts'

/** The path of a `docker` program: the machine's own, else Debian's. Where neither can be had, says so and gives undefined. */
export async function dockerCommand(): Promise<string | undefined> {
  const own = spawnSync('sh', ['-c', 'command -v docker'], { encoding: 'utf8' }).stdout.trim()
  if (own !== '') return own
  const folder = await unpacked('docker-cli-28.5')
  return folder === undefined ? undefined : join(folder, 'bin/docker')
}
