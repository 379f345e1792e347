import { parseVersion } from '../../api/version.ts'
import type { Gate, Leg, Op } from '../change.ts'

export interface GatedOptions {
  readonly gate?: Gate
  /** The version whose engine has this part. */
  readonly from?: string
  /** Only these legs; by default all. */
  readonly legs?: readonly Leg[]
}

/** The legs of answers. */
export const ANSWERS = ['responseDown', 'responseUp'] as const satisfies readonly Leg[]

/**
 * Parts of a change that something else switches on than the change itself: a default that the engine takes from the
 * version asked for, while its answers show the member at every version.
 */
export function gated({ gate, from, legs }: GatedOptions, ...ops: readonly Op[]): Op[] {
  const version = from === undefined ? undefined : parseVersion(from)
  if (from !== undefined && version === undefined) throw new Error(`${from} is no API version`)
  const inForce = { ...(gate === undefined ? {} : { gate }), ...(version === undefined ? {} : { from: version }) }
  return ops.map((op) => ({
    ...op,
    steps: (change) =>
      op.steps(change).map((step) => (legs === undefined || legs.includes(step.leg) ? { ...step, inForce } : step)),
  }))
}
