import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from './client.ts'
import { finishedLines } from './lines.ts'
import { NODE_FLAGS } from './node-flags.ts'
import { MAIN } from './program.ts'

const PATIENCE_MS = 300_000

/** A child process with its output; `kill` ends it by its own id. */
export class Process {
  readonly child: ChildProcess
  out = ''
  err = ''
  readonly ended: Promise<number | null>

  constructor(command: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    const [file = '', ...args] = command
    this.child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
    this.child.stdout?.on('data', (chunk) => {
      this.out += chunk
    })
    this.child.stderr?.on('data', (chunk) => {
      this.err += chunk
    })
    this.ended = new Promise((resolve) => this.child.on('close', resolve))
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  get alive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.alive) this.child.kill(signal)
    await this.ended
  }

  /** The targets of its open descriptors, such as `socket:[123]`. */
  descriptors(): string[] {
    const folder = `/proc/${this.pid}/fd`
    return readdirSync(folder).flatMap((fd) => {
      try {
        return [readlinkSync(join(folder, fd))]
      } catch {
        return [] // closed while we looked
      }
    })
  }

  get sockets(): number {
    return this.descriptors().filter((what) => what.startsWith('socket:')).length
  }
}

const ROOT = join(import.meta.dirname, '../..')

/** The engine of ledger-engine.ts, listening. */
export async function engineProcess(socket: string, ledger: string, api = '1.51'): Promise<Process> {
  rmSync(socket, { force: true })
  const script = join(ROOT, 'test/support/ledger-engine.ts')
  const engine = new Process([process.execPath, script, '--socket', socket, '--api', api, '--ledger', ledger])
  await eventually(() => engine.out.includes('ready') || !engine.alive, 'the engine listens', PATIENCE_MS)
  return engine
}

/** The program, listening. `limit`: its limit of open descriptors; `node`: flags of its runtime. */
export async function bridgeProcess(
  listen: string,
  engine: string,
  flags: readonly string[] = [],
  limit?: number,
  node: readonly string[] = [],
): Promise<Process> {
  const main = [process.execPath, ...node, ...NODE_FLAGS, MAIN]
  const args = [
    '--listen',
    `unix://${listen}`,
    '--engine',
    `unix://${engine}`,
    '--grace',
    '0',
    '--state',
    `${listen}.state`,
    ...flags,
  ]
  const command = [...main, ...args]
  const bridge = new Process(limit === undefined ? command : ['prlimit', `--nofile=${limit}`, ...command])
  await eventually(() => bridge.err.includes('listening on') || !bridge.alive, 'the bridge listens', PATIENCE_MS)
  if (!bridge.alive) throw new Error(bridge.err)
  return bridge
}

/** The requests that reached the engines, without the bridge's own. */
export function ledgerOf(file: string): string[] {
  if (!existsSync(file)) return []
  const own = [' /version', 'enginebridge.replaces', 'enginebridge-set-aside-']
  return finishedLines(readFileSync(file, 'utf8')).filter((line) => !own.some((part) => line.includes(part)))
}
