import { type ChildProcess, spawn } from 'node:child_process'
import http from 'node:http'
import { eventually } from '../support/client.ts'
import { PROGRAM } from '../support/program.ts'

/** A loaded machine takes its time to start a program. */
const START_MS = 30_000

/** The program as users run it, in a process of its own. */
export class RunningBridge {
  readonly process: ChildProcess
  readonly ended: Promise<number | null>
  err = ''

  constructor(flags: readonly string[]) {
    this.process = spawn(PROGRAM[0], [...PROGRAM.slice(1), ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.process.stderr?.on('data', (chunk) => {
      this.err += chunk
    })
    this.ended = new Promise((resolve) => this.process.on('close', (code) => resolve(code)))
  }

  async listening(): Promise<this> {
    const here = (): boolean => this.err.includes('the engine speaks') || this.process.exitCode !== null
    await eventually(here, 'it listens and knows the engine', START_MS)
    if (this.process.exitCode !== null) throw new Error(this.err)
    return this
  }
}

export interface Load {
  /** Calls that were answered, by status. */
  readonly answered: Map<number, number>
  stop(): Promise<void>
}

/** Clients that start one container after another, each with a name of its own, until they are stopped or cut. */
export function load(socket: string, clients: number): Load {
  const agent = new http.Agent({ keepAlive: true, maxSockets: clients })
  const answered = new Map<number, number>()
  let stopped = false
  let next = 0
  const one = (): Promise<number> => {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const path = `/v1.44/containers/c${next++}/start`
    const req = http.request({ socketPath: socket, path, method: 'POST', agent }, (res) => {
      res.resume()
      res.on('end', () => resolve(res.statusCode ?? 0))
      res.on('error', reject)
    })
    req.on('error', reject)
    req.end()
    return promise
  }
  const client = async (): Promise<void> => {
    while (!stopped) {
      const status = await one()
      answered.set(status, (answered.get(status) ?? 0) + 1)
    }
  }
  // The bridge is killed under them: that ends a client, and is no failure.
  const running = Promise.allSettled(Array.from({ length: clients }, client))
  return {
    answered,
    stop: async () => {
      stopped = true
      await running
      agent.destroy()
    },
  }
}

/** The names of the containers whose start the engine was asked for. */
export const started = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => /^POST \S*\/containers\/(c\d+)\/start$/.exec(line)?.[1] ?? [])
