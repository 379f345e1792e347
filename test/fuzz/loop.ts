import type { Coverage } from './coverage.ts'
import { mutate, random } from './mutate.ts'

export interface Target {
  readonly name: string
  /** The target whose corpus it shares; by default it has its own. */
  readonly corpus?: string
  /** Inputs to begin with, beside the corpus. */
  readonly seeds: readonly string[]
  /** Replaces the usual mutator. */
  readonly mutate?: (input: Buffer, other: Buffer, pick: (below: number) => number) => Buffer
  /** Throws when the input breaks a promise. */
  readonly run: (input: Buffer) => void | Promise<void>
  /** A peer may send mebibytes of such input: some inputs are repeated up to `STRETCHED` bytes, and must be quick. */
  readonly stretched?: boolean
}

export interface Outcome {
  readonly tried: number
  /** Inputs that reached something new. */
  readonly found: readonly Buffer[]
  readonly failures: readonly { readonly input: Buffer; readonly cause: unknown }[]
}

const BATCH = 200
/** Processor time, so that other load does not count. No input of 4 KiB takes as long unless the work is worse than linear. */
const PATIENCE_MS = 2_000
const MAX_FAILURES = 5
/** One input in so many is repeated up to so many bytes. Linear work takes a twentieth of the time, quadratic work takes seconds. */
const STRETCH_EVERY = 16
const STRETCHED = 64 * 1024
const STRETCHED_MS = 500

async function runWithin(target: Target, input: Buffer, ms: number): Promise<void> {
  const started = process.cpuUsage()
  await target.run(input)
  const { user, system } = process.cpuUsage(started)
  const took = (user + system) / 1000
  if (took > ms) throw new Error(`took ${Math.round(took)} ms for ${input.length} bytes`)
}

/** Runs a target on changed inputs for `ms`; those that reach new code are changed further, unless no coverage is taken. */
export async function fuzz(
  target: Target,
  corpus: readonly Buffer[],
  coverage: Coverage | undefined,
  { ms, seed }: { readonly ms: number; readonly seed: number },
): Promise<Outcome> {
  const pick = random(seed)
  const pool = [...corpus, ...target.seeds.map((text) => Buffer.from(text))]
  const found: Buffer[] = []
  const failures: { input: Buffer; cause: unknown }[] = []
  const change = target.mutate ?? mutate
  let attempts = 0
  const attempt = async (input: Buffer): Promise<void> => {
    try {
      await runWithin(target, input, PATIENCE_MS)
      if (target.stretched === true && input.length > 0 && attempts++ % STRETCH_EVERY === 0)
        await runWithin(target, Buffer.alloc(STRETCHED, input), STRETCHED_MS)
    } catch (cause) {
      failures.push({ input, cause })
    }
  }
  /** Finds the inputs of a batch that reached new code, by halving. */
  const locate = async (batch: readonly Buffer[], coverage: Coverage): Promise<void> => {
    for (const input of batch) await attempt(input)
    const [only] = batch
    if ((await coverage.fresh(batch.length === 1)) === 0 || only === undefined) return
    if (batch.length === 1) {
      pool.push(only)
      found.push(only)
      return
    }
    const half = batch.length >> 1
    await locate(batch.slice(0, half), coverage)
    await locate(batch.slice(half), coverage)
  }
  for (const input of pool) await attempt(input)
  let tried = pool.length
  await coverage?.fresh(true)
  const end = performance.now() + ms
  do {
    const one = (): Buffer => pool[pick(pool.length)] ?? Buffer.alloc(0)
    const batch = Array.from({ length: BATCH }, () => change(one(), one(), pick))
    for (const input of batch) await attempt(input)
    tried += batch.length
    if (coverage !== undefined && (await coverage.fresh(false)) > 0) await locate(batch, coverage)
  } while (performance.now() < end && failures.length < MAX_FAILURES)
  return { tried, found, failures }
}
