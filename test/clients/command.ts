import { spawn } from 'node:child_process'

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Asked {
  readonly input?: string
  /** Ends it with SIGINT as soon as its output holds this text. */
  readonly until?: string
  /** Called with what it has written so far, each time there is more. */
  readonly heard?: (stdout: string) => void
  readonly cwd?: string
  /** A program that goes through all steps needs longer than one that does a single thing. */
  readonly limitMs?: number
}

/** Runs a program to its end. */
export function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv, asked: Asked = {}): Promise<Ended> {
  const { promise, resolve, reject } = Promise.withResolvers<Ended>()
  const child = spawn(file, args, { env, stdio: 'pipe', cwd: asked.cwd, timeout: asked.limitMs ?? 55_000 })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    said.stdout += chunk.toString('latin1')
    asked.heard?.(said.stdout)
    if (asked.until !== undefined && said.stdout.includes(asked.until)) child.kill('SIGINT')
  })
  child.stderr.on('data', (chunk: Buffer) => {
    said.stderr += chunk.toString()
  })
  child.on('error', reject)
  child.on('close', (code) => resolve({ code, ...said }))
  child.stdin.on('error', reject)
  child.stdin.end(asked.input)
  return promise
}

/** The same, and it must end with 0, or be interrupted because what it waited for was there. */
export async function succeed(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  asked: Asked = {},
): Promise<string> {
  const { code, stdout, stderr } = await run(file, args, env, asked)
  const seen = asked.until !== undefined && stdout.includes(asked.until) // interrupted, each program ends in its own way
  if (code === 0 || seen) return stdout
  throw new Error(`${args.join(' ').slice(0, 120)}: ended with ${code}: ${(stderr || stdout).trim().slice(-600)}`)
}
