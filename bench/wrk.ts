import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { cpuSeconds, type Program } from './programs.ts'
import { tool } from './tools.ts'

const execute = promisify(execFile)

export interface Load {
  readonly connections: number
  readonly seconds: number
}

export interface Figures {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Processor seconds of the program under load, per 1,000 calls. */
  readonly cpu: number
}

const UNITS = { us: 0.001, ms: 1, s: 1000 } as const

const milliseconds = (text: string, percent: string): number => {
  const found = new RegExp(`${percent}%\\s+([\\d.]+)(us|ms|s)`).exec(text)
  if (found === null) throw new Error(`wrk says no ${percent}%: ${text}`)
  return Number(found[1]) * UNITS[found[2] as keyof typeof UNITS]
}

/** wrk on one thread. Rejects when a call was not answered with 2xx. */
export async function wrk(program: Program, port: number, path: string, load: Load): Promise<Figures> {
  const { path: file, env } = await tool('wrk')
  const before = cpuSeconds(program)
  const { stdout } = await execute(
    file,
    ['-t1', `-c${load.connections}`, `-d${load.seconds}s`, '--latency', `http://127.0.0.1:${port}${path}`],
    { env },
  )
  const used = cpuSeconds(program) - before
  const calls = Number(/(\d+) requests in/.exec(stdout)?.[1] ?? 0)
  if (calls === 0 || stdout.includes('Non-2xx') || stdout.includes('Socket errors'))
    throw new Error(`${program.name} ${path}: ${stdout}`)
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1] ?? 0),
    p50: milliseconds(stdout, '50'),
    p99: milliseconds(stdout, '99'),
    cpu: (used / calls) * 1000,
  }
}
