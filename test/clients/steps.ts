import { setTimeout as sleep } from 'node:timers/promises'

/** The steps of every client through the bridge, in this order. */
export const STEPS = ['create', 'start', 'logs', 'attach', 'exec', 'inspect', 'events', 'build', 'cp', 'rm'] as const
/** Steps that only some clients have, and at some versions; played before `rm`. */
export const EXTRAS = ['recreate', 'system df', 'builder prune', 'stats', 'image ls --tree'] as const
export type Extra = (typeof EXTRAS)[number]
export type Step = (typeof STEPS)[number] | Extra
const ORDER: readonly Step[] = [...STEPS.slice(0, -1), ...EXTRAS, 'rm']

export type Outcome =
  | { readonly kind: 'works' }
  | { readonly kind: 'fails'; readonly why: string }
  /** The client itself has no such command. */
  | { readonly kind: 'none'; readonly why: string }
type OfSteps<T> = Readonly<Record<Exclude<Step, Extra>, T> & Partial<Record<Extra, T>>>
export type Report = OfSteps<Outcome>

/** A client's implementation of the steps; a step rejects if an answer is wrong. */
export type Program = OfSteps<() => Promise<void>>

/** Thrown by a step that the client has no command for. */
export class NoSuchCommand extends Error {
  override readonly name = 'NoSuchCommand'
}

const STEP_LIMIT_MS = 60_000
const PATIENCE_MS = 30_000

/** Runs every step in order, even after a failure. */
export async function perform(program: Program, told?: (step: Step, outcome: Outcome) => void): Promise<Report> {
  const report: Partial<Record<Step, Outcome>> = {}
  for (const step of ORDER) {
    const deed = program[step]
    if (deed === undefined) continue
    const found = await outcome(step, deed)
    report[step] = found
    told?.(step, found)
  }
  return report as Report // a program has every one of STEPS
}

async function outcome(step: Step, deed: () => Promise<void>): Promise<Outcome> {
  const { promise: tooLong, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`${step} took longer than ${STEP_LIMIT_MS / 1000} s`)), STEP_LIMIT_MS)
  try {
    await Promise.race([deed(), tooLong])
    return { kind: 'works' }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    return { kind: cause instanceof NoSuchCommand ? 'none' : 'fails', why: why.trim() }
  } finally {
    clearTimeout(timer)
  }
}

/** Fails with both values when they differ. */
export function same(what: string, got: unknown, wanted: unknown): void {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)]
  if (a !== b) throw new Error(`${what}: got ${a}, wanted ${b}`)
}

/** Fails with the value if it equals the one that it must not have. */
export function differ(what: string, got: unknown, other: unknown): void {
  if (JSON.stringify(got) === JSON.stringify(other)) throw new Error(`${what}: still ${JSON.stringify(got)}`)
}

/** Fails if a text does not contain a part. */
export function holds(what: string, text: string, part: string): void {
  if (!text.includes(part))
    throw new Error(`${what}: ${JSON.stringify(part)} is not in ${JSON.stringify(text.slice(0, 300))}`)
}

/** Fails if a text does not match a pattern. */
export function matches(what: string, text: string, form: RegExp): void {
  if (!form.test(text)) throw new Error(`${what}: ${JSON.stringify(text.slice(0, 300))} is not ${form}`)
}

/** Repeats `look` until its result is enough, or for half a minute; returns the last result. */
export async function eventually<T>(look: () => Promise<T>, enough: (seen: T) => boolean): Promise<T> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const seen = await look()
    if (enough(seen) || performance.now() > end) return seen
    await sleep(100)
  }
}
