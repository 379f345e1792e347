import { apiVersion, formatVersion, versionOf } from '../../api/version.ts'
import { type Example, type Gate, type Leg, type Op, type PlacedStep, wayOf } from '../change.ts'

export interface GatedOptions {
  readonly gate?: Gate
  /** The version whose engine has this part. */
  readonly from?: string
  /** The gate holds for these legs; by default for all. */
  readonly legs?: readonly Leg[]
}

/**
 * Parts of a change that have another gate than the change: a default that the engine takes from the requested
 * version, while its responses show the member at every version.
 */
export function gated({ gate, from, legs }: GatedOptions, ...ops: readonly Op[]): Op[] {
  const version = from === undefined ? undefined : versionOf(from)
  const inForce = { ...(gate === undefined ? {} : { gate }), ...(version === undefined ? {} : { from: version }) }
  const held = (leg: Leg): boolean => legs === undefined || legs.includes(leg)
  /** An example is asked between the neighbours of that version. */
  const between = (example: Example): Example => {
    if (version === undefined || !held(example.leg)) return example
    const [older, newer] = [formatVersion(apiVersion(version - 1)), formatVersion(version)]
    const up = wayOf(example.leg) === 'up'
    return { client: up ? older : newer, engine: up ? newer : older, ...example }
  }
  return ops.map((op) =>
    mapped(op, (step) => (held(step.leg) ? { ...step, inForce: { ...step.inForce, ...inForce } } : step), between),
  )
}

/** Members that the engine reads by the requested version, but shows in responses at every version. */
export const shownAtEveryVersion = (...ops: readonly Op[]): Op[] =>
  gated({ gate: 'release', legs: ['responseDown', 'responseUp'] }, ...ops)

/** Parts of a change that not every leg or profile has, by its gate or by another. */
export function only(
  { legs, profile, ...gate }: GatedOptions & { profile?: 'engine' | 'spec' },
  ...ops: readonly Op[]
): Op[] {
  const given = profile === undefined ? {} : { profile }
  const narrowed = <T extends { readonly leg: Leg }>(one: T): T | undefined =>
    legs === undefined || legs.includes(one.leg) ? { ...one, ...given } : undefined
  return gated(gate, ...ops).map(({ loss, ...op }) => ({
    ...mapped(op, narrowed, narrowed),
    ...(loss === undefined || (loss.on !== undefined && legs?.includes(loss.on) === false) ? {} : { loss }),
  }))
}

/** An op with other steps and examples; undefined leaves one out. */
const mapped = (
  op: Op,
  step: (step: PlacedStep) => PlacedStep | undefined,
  example: (example: Example) => Example | undefined,
): Op => ({
  ...op,
  steps: (change) => op.steps(change).flatMap((one) => step(one) ?? []),
  examples: (change, on) => (op.examples?.(change, on) ?? []).flatMap((one) => example(one) ?? []),
})
