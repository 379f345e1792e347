import { join } from 'node:path'
import { eventually } from './client.ts'
import type { Process } from './processes.ts'

/** Node's flags with which a program answers `memoryOf`. */
export const PROBED = ['--expose-gc', '--import', join(import.meta.dirname, 'memory-probe.ts')]

/** Bytes, after all garbage was collected and V8 has given back the memory that it reserves. */
export interface Memory {
  readonly rss: number
  /** `rss` before the collection: it also depends on the rate of calls. */
  readonly atWork: number
  readonly heapUsed: number
  /** Memory outside V8's heap that its objects hold: buffers, mostly. */
  readonly external: number
}

/** Bytes of this thread's heap, and of what its objects hold outside it: other tests share the memory of the process. */
export function ownMemory(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const PATIENCE_MS = 300_000
const ANSWER = /^memory (\{.*\})$/m

export async function memoryOf(program: Process): Promise<Memory> {
  const before = program.err.length
  program.child.kill('SIGUSR2')
  const said = (): string | undefined => ANSWER.exec(program.err.slice(before))?.[1]
  await eventually(() => said() !== undefined || !program.alive, 'the program says what memory it has', PATIENCE_MS)
  return JSON.parse(said() ?? '{}') as Memory
}
