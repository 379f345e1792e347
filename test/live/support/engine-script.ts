import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

export const ENGINE_SCRIPT = join(import.meta.dirname, '..', 'engine')
const run = promisify(execFile)

/** The script test/live/engine; rejects with what it said on stderr. */
export async function engineScript(...args: string[]): Promise<string> {
  const { stdout } = await run(ENGINE_SCRIPT, args, { maxBuffer: 16 << 20 })
  return stdout
}

/**
 * Starts an engine that keeps everything in memory, and is empty when it starts again. On a disk it waits, and after
 * some hundred containers each new file costs it more (ext4 looks at every inode that was freed in the last minute).
 */
export const startInMemory = (name: string, socket: string): Promise<void> => start(name, socket, {})

/** The same, in the machine's own network, so that what is built there reaches package registries. */
export const startForBuilds = (name: string, socket: string): Promise<void> =>
  start(name, socket, { ENGINE_NET: 'host' })

/** The same, with the storage driver that the recordings were made with: answers name it. */
export const startAsRecorded = (name: string, socket: string): Promise<void> =>
  start(name, socket, { ENGINE_STORAGE: 'vfs' })

async function start(name: string, socket: string, settings: NodeJS.ProcessEnv): Promise<void> {
  await run(ENGINE_SCRIPT, ['up', name, socket], { env: { ...process.env, ENGINE_DATA: 'memory', ...settings } })
}

/** Why engines cannot run here, or undefined. */
export function whyNoEngines(): string | undefined {
  const { status, stderr, error } = spawnSync(ENGINE_SCRIPT, ['check'], { encoding: 'utf8' })
  if (status === 0) return undefined
  return error?.message ?? stderr.trim().replace(/^engine: /, '')
}

/** Ends the running engines whose socket is meant; at once, because a process that is told to end may not wait. */
export function endEngines(meant: (socket: string) => boolean): void {
  const lines = execFileSync(ENGINE_SCRIPT, ['list'], { encoding: 'utf8' }).split('\n')
  for (const socket of lines.map((line) => line.split(' ')[0] ?? ''))
    if (socket !== '' && meant(socket)) execFileSync(ENGINE_SCRIPT, ['down', socket])
}
