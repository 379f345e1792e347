import type { OperationName } from '../api/operations.ts'
import { type ApiVersion, apiVersion, parseVersion } from '../api/version.ts'
import { type Example, type Examples, listed } from './example.ts'
import type { OnLoss, RequestEmulation, RequestStep, ResponseEmulation, ResponseStep } from './message.ts'

export type { Example, ExamplePart, Leg } from './example.ts'
export type RequestLeg = 'requestUp' | 'requestDown'

/**
 * Which part of a message a step touches, and when it runs.
 * `head`: method, path, query, headers, status. `body`: the parsed JSON, or each record of a stream; success only.
 * `error`: status, headers and text of an answer from 400 on.
 */
export type Part = 'head' | 'body' | 'error'

interface Placed {
  readonly operation: OperationName
  readonly part: Part
  /** Made of a shape whose objects stand in the elements of a list: it sees one element at a time (`everywhere`). */
  readonly elementwise?: true
  /** Takes out members that are newer than the reader: left out of the plan with `--newer-fields pass`. */
  readonly stripsNewer?: true
  /** Changes no message: it holds the head back until the body has come, so that an error may still be one. */
  readonly holdsHead?: true
  /** Only with this profile. */
  readonly profile?: 'engine' | 'spec'
  /** Where this part has another gate, or begins with another version, than its change (`gated`). */
  readonly inForce?: { readonly gate?: Gate; readonly from?: ApiVersion }
}

export type PlacedStep =
  | (Placed & { readonly leg: 'requestUp' | 'requestDown'; readonly kind: 'step'; readonly run: RequestStep })
  | (Placed & { readonly leg: 'responseDown' | 'responseUp'; readonly kind: 'step'; readonly run: ResponseStep })
  | (Placed & { readonly leg: 'requestUp' | 'requestDown'; readonly kind: 'emulation'; readonly run: RequestEmulation })
  | (Placed & {
      readonly leg: 'responseDown' | 'responseUp'
      readonly kind: 'emulation'
      readonly run: ResponseEmulation
    })

/** One op of a change: what it does in words, and its steps, placed. `change` arrives when the change is bound. */
export interface Op {
  readonly words: string
  /** Members that this op adds to a shape (their canonical spelling). */
  readonly adds?: { readonly shape: string; readonly member: string }
  /**
   * What becomes of values that the other version cannot express; absent: nothing is lost. The docs show it.
   * `on`: the one leg of the request that loses something, where the op has both and only one does.
   */
  readonly loss?: { readonly what: string; readonly onLoss: readonly OnLoss[]; readonly on?: RequestLeg }
  /** What an older client's request keeps though its version does not have it (`request: 'keep'`). The docs show it. */
  readonly keeps?: string
  steps(change: BoundChange): readonly PlacedStep[]
  /** Examples made of the op's sample, for each leg; `on`: in that operation, otherwise where the shape first stands. */
  examples?(change: BoundChange, on?: OperationName): readonly Example[]
}

/**
 * What switches a change on in real engines. `prefix`: the version asked for. `release`: the engine's age alone.
 */
export type Gate = 'prefix' | 'release'

/** One difference between two neighbouring versions. */
export interface Change {
  /** `1.21/stats-networks`: the version it came with, and the fact. */
  readonly id: string
  readonly gate: Gate
  /** The engine's version from which the code really has it, when documents name another. */
  readonly from?: string
  /** Engines from this highest version on have lost the `prefix` code: there the gate is `release`. */
  readonly prefixCodeGoneFrom?: string
  /** A sentence for people. */
  readonly summary: string
  /** Document and section. */
  readonly see: string
  readonly ops: readonly Op[]
  /** What the samples of the ops cannot show. */
  readonly examples?: Examples
}

/** A change with its versions parsed. */
export interface BoundChange {
  readonly id: string
  readonly gate: Gate
  /** The version of the file it stands in: names the change. */
  readonly version: ApiVersion
  /** The version from which it is in force. */
  readonly from: ApiVersion
  readonly prefixCodeGoneFrom: ApiVersion | undefined
  readonly change: Change
}

function version(text: string, id: string): ApiVersion {
  const parsed = parseVersion(text)
  if (parsed === undefined) throw new Error(`${id}: ${text} is no API version`)
  return parsed
}

export function bindChange(change: Change): BoundChange {
  const own = version(change.id.split('/')[0] ?? '', change.id)
  return {
    id: change.id,
    gate: change.gate,
    version: own,
    from: change.from === undefined ? own : version(change.from, change.id),
    prefixCodeGoneFrom:
      change.prefixCodeGoneFrom === undefined ? undefined : version(change.prefixCodeGoneFrom, change.id),
    change,
  }
}

/** The three versions of an exchange. */
export interface Exchange {
  readonly client: ApiVersion
  readonly target: ApiVersion
  /** The engine's highest. */
  readonly highest: ApiVersion
}

/**
 * Whether a change lies between client and engine, and on which side the client stands:
 * `up` when the client is older than it, `down` when the client is newer than the engine's behaviour.
 */
export function direction(
  change: Pick<BoundChange, 'gate' | 'from' | 'prefixCodeGoneFrom'>,
  { client, target, highest }: Exchange,
): 'up' | 'down' | undefined {
  const { gate, from, prefixCodeGoneFrom } = change
  const byPrefix = gate === 'prefix' && (prefixCodeGoneFrom === undefined || highest < prefixCodeGoneFrom)
  const engine = byPrefix ? target : highest
  if (client < from && from <= engine) return 'up'
  if (engine < from && from <= client) return 'down'
  return undefined
}

/** The version just before. */
export const neighbour = (of: ApiVersion): ApiVersion => apiVersion(of - 1)

const stepCache = new WeakMap<BoundChange, readonly PlacedStep[]>()

/** The steps of all its ops; made once, for the check of the rules and for every plan. */
export function stepsOf(change: BoundChange): readonly PlacedStep[] {
  let steps = stepCache.get(change)
  if (steps === undefined) {
    steps = change.change.ops.flatMap((op) => op.steps(change))
    stepCache.set(change, steps)
  }
  return steps
}

/** The examples made of samples, then those by hand; with `on` those of that operation. */
export function examplesOf(
  change: BoundChange,
  { on, steps = stepsOf(change) }: { readonly on?: OperationName; readonly steps?: readonly PlacedStep[] } = {},
): readonly Example[] {
  const stands = (example: Example, among: readonly PlacedStep[]): boolean =>
    among.some(({ operation, leg }) => operation === example.on && leg === example.leg)
  const made = change.change.ops.flatMap((op) => {
    const own = op.steps(change)
    const examples = op.examples?.(change, on) ?? []
    return examples.filter((one) => stands(one, own) && stands(one, steps)).map((one) => ({ ...one, of: op }))
  })
  const byHand = listed(change.change.examples)
  return [...made, ...byHand.filter((one) => on === undefined || one.on === on)]
}
