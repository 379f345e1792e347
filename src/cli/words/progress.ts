import type { Io } from '../command.ts'

/** A shorter wait needs no progress line. */
const FIRST_MS = 2_000
const NEXT_MS = 200

export interface Progress {
  /** One more is done. */
  step(): void
  /** Takes the line away. */
  end(): void
}

/** How far something is, in one line on standard error that takes its own place; only on a terminal, and not at once. */
export function progress(
  { stderr }: Pick<Io, 'stderr'>,
  verb: string,
  { of, unit }: { readonly of?: number; readonly unit: string },
  now: () => number = () => performance.now(),
): Progress {
  let next = now() + FIRST_MS
  let done = 0
  let isShown = false
  return {
    step: () => {
      done++
      if (!stderr.isTTY || now() < next) return
      next = now() + NEXT_MS
      isShown = true
      stderr.write(`\r\u001b[K${verb} ${of === undefined ? done : `${done} of ${of}`} ${unit}`)
    },
    end: () => {
      if (isShown) stderr.write('\r\u001b[K')
    },
  }
}
