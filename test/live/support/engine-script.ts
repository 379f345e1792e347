import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const SCRIPT = join(import.meta.dirname, '..', 'engine')
const run = promisify(execFile)

/** The script test/live/engine; rejects with what it said on stderr. */
export async function engineScript(...args: string[]): Promise<string> {
  const { stdout } = await run(SCRIPT, args, { maxBuffer: 16 << 20 })
  return stdout
}

/** Why engines cannot run here, or undefined. */
export function whyNoEngines(): string | undefined {
  const { status, stderr, error } = spawnSync(SCRIPT, ['check'], { encoding: 'utf8' })
  if (status === 0) return undefined
  return error?.message ?? stderr.trim().replace(/^engine: /, '')
}

export interface Running {
  readonly socket: string
  readonly name: string
}

export async function runningEngines(): Promise<readonly Running[]> {
  const lines = (await engineScript('list')).split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const [socket = '', name = ''] = line.split(' ')
    return { socket, name }
  })
}
