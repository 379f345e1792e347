import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { unpacked } from './unpacked.ts'

/**
 * Whether `docker` can be run: the machine's own, else Debian's, which then ends this process's PATH. Where neither can be had,
 * says so.
 */
export async function dockerCommand(): Promise<boolean> {
  const installed = (): boolean => spawnSync('docker', ['--version'], { env: process.env }).status === 0
  if (installed()) return true
  const folder = await unpacked('docker-cli-28.5')
  if (folder === undefined) return false
  process.env['PATH'] = `${process.env['PATH']}:${join(folder, 'bin')}`
  return installed()
}
