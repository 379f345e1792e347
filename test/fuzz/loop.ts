import type { Coverage } from './coverage.ts'
import { mutate, random } from './mutate.ts'

export interface Target {
  readonly name: string
  /** Inputs to begin with, beside the corpus. */
  readonly seeds: readonly string[]
  /** Throws when the input breaks a promise. */
  readonly run: (input: Buffer) => void
}

export interface Outcome {
  readonly tried: number
  /** Inputs that reached something new. */
  readonly found: readonly Buffer[]
  readonly failures: readonly { readonly input: Buffer; readonly cause: unknown }[]
}

const BATCH = 200
/** Of processor time, whatever else the machine does: no input of 4 KiB takes as long, longer is worse than linear. */
const PATIENCE_MS = 2_000
const MOST_FAILURES = 5

/** Runs a target on changed inputs for `ms`; those that reach new code are changed further. */
export async function fuzz(
  target: Target,
  corpus: readonly Buffer[],
  coverage: Coverage,
  { ms, seed }: { readonly ms: number; readonly seed: number },
): Promise<Outcome> {
  const pick = random(seed)
  const pool = [...corpus, ...target.seeds.map((text) => Buffer.from(text))]
  const found: Buffer[] = []
  const failures: { input: Buffer; cause: unknown }[] = []
  const attempt = (input: Buffer): void => {
    const started = process.cpuUsage()
    try {
      target.run(input)
      const { user, system } = process.cpuUsage(started)
      const took = (user + system) / 1000
      if (took > PATIENCE_MS) throw new Error(`took ${Math.round(took)} ms`)
    } catch (cause) {
      failures.push({ input, cause })
    }
  }
  /** Which of a batch reached what is new, by halves. */
  const locate = async (batch: readonly Buffer[]): Promise<void> => {
    for (const input of batch) attempt(input)
    const [only] = batch
    if ((await coverage.fresh(batch.length === 1)) === 0 || only === undefined) return
    if (batch.length === 1) {
      pool.push(only)
      found.push(only)
      return
    }
    const half = batch.length >> 1
    await locate(batch.slice(0, half))
    await locate(batch.slice(half))
  }
  for (const input of pool) attempt(input)
  let tried = pool.length
  await coverage.fresh(true)
  const end = performance.now() + ms
  while (performance.now() < end && failures.length < MOST_FAILURES) {
    const one = (): Buffer => pool[pick(pool.length)] ?? Buffer.alloc(0)
    const batch = Array.from({ length: BATCH }, () => mutate(one(), one(), pick))
    for (const input of batch) attempt(input)
    tried += batch.length
    if ((await coverage.fresh(false)) > 0) await locate(batch)
  }
  return { tried, found, failures }
}
