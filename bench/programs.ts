import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** A program under measurement, or one that measures. */
export interface Program {
  readonly name: string
  readonly pid: number
  /** Ends it and waits for that. */
  stop(): Promise<void>
}

const START_DEADLINE_MS = 15_000

/** Starts a program; what it says on standard error is told when it ends by itself. */
export function run(
  name: string,
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Program {
  const child = spawn(file, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const said: string[] = []
  child.stderr.on('data', (chunk: Buffer) => {
    said.push(chunk.toString())
    if (said.length > 20) said.shift()
  })
  const state = { stopping: false }
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill) // nothing outlives a bench that fails
  child.once('exit', (code, signal) => {
    process.off('exit', kill)
    if (!state.stopping) console.error(`${name} ended by itself (${code ?? signal}): ${said.join('')}`)
  })
  if (child.pid === undefined) throw new Error(`${name}: cannot start ${file}`)
  return {
    name,
    pid: child.pid,
    stop: () => {
      state.stopping = true
      return ended(child)
    },
  }
}

function ended(child: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (child.exitCode !== null || child.signalCode !== null) resolve()
  child.once('exit', () => resolve())
  child.kill('SIGTERM')
  const hard = setTimeout(() => child.kill('SIGKILL'), 3000)
  return promise.finally(() => clearTimeout(hard))
}

/** Where a program listens. */
export type Where = { readonly socketPath: string } | { readonly host: string; readonly port: number }

/** Resolves when `path` is answered with 200. */
export async function waitForHttp(where: Where, path: string, { name }: Program): Promise<void> {
  const end = performance.now() + START_DEADLINE_MS
  while (performance.now() < end) {
    if ((await statusOf(where, path)) === 200) return
    await sleep(2)
  }
  throw new Error(`${name} did not answer ${path} in time`)
}

function statusOf(where: Where, path: string): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>()
  const req = http.get({ ...where, path, agent: false }, (res) => {
    res.resume()
    res.once('end', () => resolve(res.statusCode))
  })
  req.once('error', () => resolve(undefined))
  return promise
}

const TICKS_PER_SECOND = 100 // sysconf(_SC_CLK_TCK), 100 on every Linux that Node runs on

/** Seconds of processor time that a program has used, its threads and children included: /proc/PID/stat, proc(5). */
export function cpuSeconds({ pid }: Pick<Program, 'pid'>): number {
  return childrenOf(pid).reduce((all, child) => all + cpuSeconds({ pid: child }), ownCpuSeconds({ pid }))
}

/** The same without its children. */
function ownCpuSeconds({ pid }: Pick<Program, 'pid'>): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Its processes: the first, and its workers where it has some. */
export const processes = ({ pid }: Pick<Program, 'pid'>): number[] => [pid, ...childrenOf(pid)]

/** Worker processes, where a program has some (proc_pid_task(5)). */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/**
 * Memory in MB: what it holds now, the most it ever held, and what of the former is its own (VmRSS, VmHWM, RssAnon of
 * /proc/PID/status). The rest are pages of the executable and its libraries: one copy for all Node programs of a machine.
 */
export function memory({ pid }: Program): { readonly now: number; readonly peak: number; readonly own: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM'), own: megabytes('RssAnon') }
}
