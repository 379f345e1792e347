import type { OperationName } from '../api/operations.ts'
import { type ApiVersion, apiVersion, formatVersion, PODMAN_VERSION, versionOf } from '../api/version.ts'
import { type Example, type ExampleTable, type Leg, listed } from './example.ts'
import type { OnLoss, RequestStep, ResponseStep } from './message.ts'

export type { Example, ExamplePart, Leg } from './example.ts'
export type RequestLeg = 'requestUp' | 'requestDown'
export type ResponseLeg = Exclude<Leg, RequestLeg>

export const LEGS = ['requestUp', 'responseDown', 'requestDown', 'responseUp'] as const satisfies readonly Leg[]

/** A value for some of the legs. */
export type ByLeg<T> = { readonly [L in Leg]?: T | undefined }

export const sideOf = (leg: Leg): 'request' | 'response' =>
  leg === 'requestUp' || leg === 'requestDown' ? 'request' : 'response'

/** `up`: the client is older than the change. `down`: the engine is. */
export type Way = 'up' | 'down'
export const wayOf = (leg: Leg): Way => (leg === 'requestUp' || leg === 'responseDown' ? 'up' : 'down')

/**
 * The part of a message that a step touches, and when the step runs.
 * `head`: method, path, query, headers, status. `body`: the parsed JSON, or each record of a stream; success only.
 * `error`: status, headers and text of a response from 400 on.
 */
export type Part = 'head' | 'body' | 'error'

interface Placed {
  readonly operation: OperationName
  readonly part: Part
  /** The step calls the engine: it runs after all others of a request, but before those of a response, to see it untranslated. */
  readonly callsEngine?: true
  /** The step handles list elements one at a time (set by `everywhere`). */
  readonly elementwise?: true
  /** Removes members newer than the recipient's version; skipped with `--newer-fields pass`. */
  readonly stripsNewer?: true
  /** Changes no message, but delays the head until the body has arrived: the status can still become an error. */
  readonly holdsHead?: true
  /** Only with this profile. */
  readonly profile?: 'engine' | 'spec'
  /** Set if this part has another gate or first version than its change (`gated`). */
  readonly inForce?: { readonly gate?: Gate; readonly from?: ApiVersion }
}

export type PlacedStep = Placed &
  ({ readonly leg: RequestLeg; readonly run: RequestStep } | { readonly leg: ResponseLeg; readonly run: ResponseStep })

/** One op of a change: its description and its steps. `change` is passed when the change is bound. */
export interface Op {
  readonly description: string
  /** Members that this op adds to a shape, in canonical spelling. */
  readonly adds?: { readonly shape: string; readonly member: string }
  /**
   * Handling of values that the other version cannot express; absent: nothing is lost. Shown in the docs.
   * `on`: the only request leg with a loss, if the op has both legs.
   */
  readonly loss?: { readonly what: string; readonly onLoss: readonly OnLoss[]; readonly on?: RequestLeg }
  /** Members kept in an older client's request though its version lacks them (`request: 'keep'`). Shown in the docs. */
  readonly keeps?: string
  steps(change: BoundChange): readonly PlacedStep[]
  /** Examples from the op's sample, for each leg; `on`: for that operation, otherwise for the shape's first place. */
  examples?(change: BoundChange, on?: OperationName): readonly Example[]
}

/** Selects the changes that apply. `prefix`: by the requested version. `release`: by the engine's release. */
export type Gate = 'prefix' | 'release'

/** One difference between two adjacent versions. */
export interface Change {
  /** Absent: `release`. */
  readonly gate?: Gate
  /** The first version whose code has the change, if it differs from the documented one. */
  readonly from?: string
  /**
   * Set for a difference between the specification and all real engines: the first and the last client version that it
   * applies to, with `--profile spec`. Its `requestUp` steps run before all other changes (the client follows the
   * specification), its `responseDown` steps after them.
   */
  readonly clients?: readonly [first: string, last: string]
  /** Engines from this highest version on no longer have the code for `prefix`; for them the gate is `release`. */
  readonly prefixCodeGoneFrom?: string
  /** Also for calls that request no version, on engines that have the change: their programs may be older. */
  readonly unversioned?: true
  /** One sentence for users. */
  readonly summary: string
  /** Document and section; default: the version history, at the change's version. */
  readonly see?: string
  readonly ops: Op | readonly Op[]
  /** Examples for cases that the ops' samples do not cover. */
  readonly examples?: ExampleTable
}

/** Changes by id, `1.21/stats-networks`: the version that introduced it, and a name. */
export type Changes = Readonly<Record<`1.${number}/${string}`, Change>>

/** Differences between the specification and all real engines, by id. */
export type Deviations = Readonly<Record<`spec/${string}`, Change & Required<Pick<Change, 'clients'>>>>

/** Differences between Podman and Docker at every version, by id. */
export type PodmanChanges = Readonly<Record<`podman/${string}`, Change>>

/** A change with parsed versions. */
export interface BoundChange {
  readonly id: string
  readonly gate: Gate
  /** The version of its file, used in the change's name. */
  readonly version: ApiVersion
  /** The first version that has the change. */
  readonly from: ApiVersion
  readonly prefixCodeGoneFrom: ApiVersion | undefined
  /** Set for a deviation of the specification: the last client version; `from` is the first. */
  readonly last: ApiVersion | undefined
  /**
   * A difference between Podman and Docker, for all clients: its `requestUp` steps run after all other changes, its
   * `responseDown` steps before them.
   */
  readonly podman: boolean
  readonly unversioned: boolean
  readonly see: string
  readonly ops: readonly Op[]
  readonly change: Change
}

export function bindChange(id: string, change: Change): BoundChange {
  const { gate = 'release', from, prefixCodeGoneFrom: gone, clients, unversioned = false } = change
  const podman = id.startsWith('podman/')
  const version = podman ? PODMAN_VERSION : versionOf(clients?.[0] ?? id.split('/')[0] ?? '')
  return {
    ...{ id, gate, version, podman, unversioned, change },
    ops: [change.ops].flat(),
    from: from === undefined ? version : versionOf(from),
    prefixCodeGoneFrom: gone === undefined ? undefined : versionOf(gone),
    last: clients && versionOf(clients[1]),
    see: change.see ?? `docs/api/version-history.md v${formatVersion(version)}`,
  }
}

/** Binds the rules in their order. */
export const bindRules = (files: readonly (Changes | Deviations | PodmanChanges)[]): readonly BoundChange[] =>
  files.flatMap((file) => Object.entries<Change>(file).map(([id, change]) => bindChange(id, change)))

/** What a translation depends on. */
export interface Versions {
  readonly client: ApiVersion
  readonly target: ApiVersion
  /** The engine's highest version. */
  readonly highest: ApiVersion
  /** Absent: Docker or Moby. */
  readonly podman?: boolean
  /** The call requests no version: `client` is the engine's highest. */
  readonly unversioned?: boolean
}

/** The direction in which a change applies between client and engine, if at all. */
export function direction(
  change: Pick<BoundChange, 'gate' | 'from' | 'last' | 'prefixCodeGoneFrom' | 'podman' | 'unversioned'>,
  { client, target, highest, podman = false, unversioned = false }: Versions,
): Way | undefined {
  const { gate, from, last, prefixCodeGoneFrom } = change
  if (change.podman) return podman ? 'up' : undefined
  if (last !== undefined) return from <= client && client <= last ? 'up' : undefined
  const byPrefix = gate === 'prefix' && (prefixCodeGoneFrom === undefined || highest < prefixCodeGoneFrom)
  const engine = byPrefix ? target : highest
  if ((client < from || (unversioned && change.unversioned)) && from <= engine) return 'up'
  if (engine < from && from <= client) return 'down'
  return undefined
}

export const neighbour = (of: ApiVersion): ApiVersion => apiVersion(of - 1)

const stepCache = new WeakMap<BoundChange, readonly PlacedStep[]>()

/** The steps of all ops of a change; cached for all plans. */
export function stepsOf(change: BoundChange): readonly PlacedStep[] {
  let steps = stepCache.get(change)
  if (steps === undefined) {
    steps = change.ops.flatMap((op) => stepsFrom(op, change))
    stepCache.set(change, steps)
  }
  return steps
}

/** A deviation from the specification, or of Podman, is the same at each version: it has no other way. */
const stepsFrom = (op: Op, change: BoundChange): PlacedStep[] =>
  op.steps(change).filter(({ leg }) => (change.last === undefined && !change.podman) || wayOf(leg) === 'up')

/** The examples generated from samples, then the handwritten ones; `on` selects those of one operation. */
export function examplesOf(change: BoundChange, { on }: { readonly on?: OperationName } = {}): readonly Example[] {
  const made = change.ops.flatMap((op) => {
    const steps = stepsFrom(op, change)
    const examples = op.examples?.(change, on) ?? []
    return examples
      .filter((example) => steps.some(({ operation, leg }) => operation === example.on && leg === example.leg))
      .map((one) => ({ ...one, of: op }))
  })
  const byHand = listed(change.change.examples)
  return [...made, ...byHand.filter((one) => on === undefined || one.on === on)]
}
