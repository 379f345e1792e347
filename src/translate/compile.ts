import { type OperationName, operationNamed } from '../api/operations.ts'
import type { Shape } from '../api/shapes/shape.ts'
import { type ApiVersion, apiVersion, JSON_ERRORS_FROM } from '../api/version.ts'
import { type BoundChange, direction, type Exchange, type Leg, type PlacedStep, stepsOf } from './change.ts'
import { type BoundDeviation, deviationSteps, holdsFor } from './deviation.ts'
import type { RequestEmulation, RequestStep, ResponseEmulation, ResponseStep, TranslationPolicy } from './message.ts'
import { ownSteps } from './own.ts'
import { type ReplacedSteps, replacedSteps } from './replaced/steps.ts'
import { canonicalMembers, type RespellBody, respellBody } from './run/canonical.ts'
import { SOCKET_STEPS } from './run/socket-mounts.ts'

/** What happens to one operation between two versions, compiled once. Lanes read it; nothing else decides. */
export interface Plan extends Exchange {
  readonly operation: OperationName
  /** Ids of the changes that have a step here. */
  readonly changes: readonly string[]
  readonly request: {
    readonly steps: readonly RequestStep[]
    readonly emulations: readonly RequestEmulation[]
    /** Whether the body has to be read and parsed. */
    readonly needsBody: boolean
    /** What stands behind the value of a JSON body is for the engine to refuse, as those of the client's age do. */
    readonly refusesRest: boolean
    /** For a body that is looked at: the spelling that the engine's view of it has. Steps do it themselves. */
    readonly respell?: RespellBody
  }
  readonly response: {
    /** Run when the head of a successful answer has come. */
    readonly head: readonly ResponseStep[]
    /** Run on the whole body, or on each record. */
    readonly body: readonly ResponseStep[]
    readonly errors: readonly ResponseStep[]
    readonly emulations: readonly ResponseEmulation[]
    readonly errorEmulations: readonly ResponseEmulation[]
    readonly needsBody: boolean
    /** Whether a list can be translated element by element. */
    readonly elementwise: boolean
    /** For records that pass untouched until the first container is made anew; undefined: nothing changes then. */
    readonly recordsOnceReplaced: ResponseStep | undefined
  }
  /** Nothing to do on either side: bytes go through as they come. */
  readonly empty: boolean
}

type Picked = { step: PlacedStep; change: BoundChange }

/**
 * The steps of one leg in the order in which they run. Requests climb (or descend) from the client's version to the
 * engine's, responses come back the same way. Where both directions occur (a target below the client on an engine above
 * it) a request first goes down by its prefix, then up by the engine's age; its answer the other way round.
 */
function pick(
  changes: readonly BoundChange[],
  exchange: Exchange,
  operation: OperationName,
  side: 'request' | 'response',
): Picked[] {
  const up: Picked[] = []
  const down: Picked[] = []
  for (const change of changes) {
    for (const step of stepsOf(change)) {
      if (step.operation !== operation || !step.leg.startsWith(side)) continue
      const way = direction({ ...change, ...step.inForce }, exchange)
      if (way !== undefined && step.leg === legOf(side, way)) (way === 'up' ? up : down).push({ step, change })
    }
  }
  return side === 'request' ? [...down.reverse(), ...up] : [...up.reverse(), ...down]
}

const legOf = (side: 'request' | 'response', way: 'up' | 'down'): Leg =>
  side === 'request' ? (way === 'up' ? 'requestUp' : 'requestDown') : way === 'up' ? 'responseDown' : 'responseUp'

const wanted = (step: PlacedStep, policy: TranslationPolicy): boolean =>
  !(step.stripsNewer && policy.newerFields === 'pass') &&
  (step.profile === undefined || step.profile === policy.profile)

interface Rules {
  /** Ascending by version, within a version in the order of its file. */
  readonly changes: readonly BoundChange[]
  readonly shapes: readonly Shape[]
  /** How a request is read before any change looks at it. */
  readonly readings?: Partial<Record<OperationName, RequestStep>>
  /** Where the specification differs from every engine: in force with the profile `spec`. */
  readonly deviations?: readonly BoundDeviation[]
}

/** What the specification asks for beside the changes: its requests are read first, its answers written last. */
function deviating(
  { deviations = [] }: Rules,
  { client }: Exchange,
  operation: OperationName,
  side: 'request' | 'response',
  policy: TranslationPolicy,
): Picked[] {
  if (policy.profile !== 'spec') return []
  return deviations
    .filter((deviation) => holdsFor(deviation, client))
    .flatMap((change) => deviationSteps(change).map((step) => ({ step, change })))
    .filter(({ step }) => step.operation === operation && step.leg.startsWith(side))
}

/** Which change a step belongs to; own steps and those of replaced belong to none. */
const changes = new WeakMap<object, string>()
export const changeOf = (step: object): string | undefined => changes.get(step)

/** `mapsIds`: containers of this engine have other ids than their clients know (src/engine/replaced). */
export function compile(
  rules: Rules,
  operation: OperationName,
  exchange: Exchange,
  policy: TranslationPolicy,
  mapsIds = false,
): Plan {
  const asks = [
    ...deviating(rules, exchange, operation, 'request', policy),
    ...pick(rules.changes, exchange, operation, 'request'),
  ].filter(({ step }) => wanted(step, policy))
  const answers = [
    ...pick(rules.changes, exchange, operation, 'response'),
    ...deviating(rules, exchange, operation, 'response', policy),
  ].filter(({ step }) => wanted(step, policy))
  const replaced = mapsIds ? replacedSteps(operation) : undefined
  const own = ownSteps(operation, policy, exchange.highest).map((step) => ({ step }))
  for (const { step, change } of [...asks, ...answers]) changes.set(step.run, change.id)
  const request = requestPlan(rules, operation, exchange, [...asks, ...own], { replaced, policy })
  const response = responsePlan(operation, [...answers, ...own], replaced, policy.startHostConfig !== 'refuse')
  const ids = [...new Set([...asks, ...answers].map(({ change }) => change.id))]
  const empty =
    request.steps.length + request.emulations.length + response.head.length + response.body.length === 0 &&
    response.errors.length + response.emulations.length + response.errorEmulations.length === 0
  return { ...exchange, operation, changes: ids, request, response, empty }
}

/** Engine 23.0 and later (httputils.ReadJSON): `unexpected content after JSON`. */
const REFUSES_REST_FROM = apiVersion(42)

function requestPlan(
  rules: Rules,
  operation: OperationName,
  { client }: Exchange,
  picked: readonly Pick<Picked, 'step'>[],
  { replaced, policy }: { readonly replaced: ReplacedSteps | undefined; readonly policy: TranslationPolicy },
): Plan['request'] {
  const steps = [replaced?.requestBody, replaced?.request].filter((step) => step !== undefined)
  const emulations: RequestEmulation[] = []
  let needsBody = replaced?.requestBody !== undefined
  for (const { step } of picked) {
    if (step.leg !== 'requestUp' && step.leg !== 'requestDown') continue
    if (step.part === 'body') needsBody = true
    if (step.kind === 'step') steps.push(step.run)
    else emulations.push(step.run)
  }
  // Last: what is judged and sent is what the engine will mount.
  const socketStep = policy.socketMounts === undefined ? undefined : SOCKET_STEPS[operation]
  if (socketStep !== undefined) {
    steps.push(socketStep)
    needsBody = true
  }
  const json = operationNamed(operation).request === 'json'
  needsBody &&= json
  const refusesRest = client >= REFUSES_REST_FROM
  if (!json) return { steps, emulations, needsBody, refusesRest }
  const respell = respellBody(rules.shapes, rules.changes, operation)
  const reading = rules.readings?.[operation]
  if (needsBody) steps.unshift(...canonicalMembers(operation, respell), ...(reading === undefined ? [] : [reading]))
  return { steps, emulations, needsBody, refusesRest, respell }
}

function responsePlan(
  operation: OperationName,
  picked: readonly Pick<Picked, 'step'>[],
  replaced: ReplacedSteps | undefined,
  recreates: boolean,
): Plan['response'] {
  const head: ResponseStep[] = []
  const body: ResponseStep[] = []
  const errors: ResponseStep[] = []
  const emulations: ResponseEmulation[] = []
  const errorEmulations: ResponseEmulation[] = []
  let needsBody = false
  let alone = 0
  for (const { step } of picked) {
    if (step.leg !== 'responseDown' && step.leg !== 'responseUp') continue
    if (step.part === 'body') needsBody = true
    if (step.kind === 'emulation') (step.part === 'error' ? errorEmulations : emulations).push(step.run)
    else if (step.part === 'head') head.push(step.run)
    else if (step.part === 'body') body.push(step.run)
    else errors.push(step.run)
    if (step.kind === 'step' && step.part === 'body' && step.elementwise) alone++
  }
  // A stream of events outlives the first container that is made anew.
  const { recordFirst } = replacedSteps(operation)
  const first = replaced !== undefined || body.length > 0 ? recordFirst : undefined
  const recordsOnceReplaced = first === undefined && recreates ? recordFirst : undefined
  if (first !== undefined) body.unshift(first)
  if (replaced !== undefined) {
    if (replaced.head !== undefined) head.push(replaced.head)
    if (replaced.bodyLast !== undefined) body.push(replaced.bodyLast)
    errors.push(replaced.error)
    needsBody ||= replaced.recordFirst !== undefined || replaced.bodyLast !== undefined
  }
  const elementwise = body.length > 0 && alone === body.length && emulations.length === 0
  return { head, body, errors, emulations, errorEmulations, needsBody, elementwise, recordsOnceReplaced }
}

const LAST_404_IN_WORDS = apiVersion(22)

/** The plan of a known operation, or one that changes nothing. */
export type AnyPlan = Plan | Omit<Plan, 'operation'>

/** A plan that changes nothing but the form and words of errors, for endpoints that no table knows. */
export function untouched(exchange: Exchange): Omit<Plan, 'operation'> {
  const older = exchange.client < JSON_ERRORS_FROM
  const inForm: ResponseStep = (message) => {
    message.form = older ? 'text' : 'json'
    // Recorded up to 1.10.3; 1.12.6 has the newer words.
    if (exchange.client <= LAST_404_IN_WORDS && message.text === 'page not found') message.text = '404 page not found'
  }
  return {
    ...exchange,
    changes: [],
    request: { steps: [], emulations: [], needsBody: false, refusesRest: true },
    response: {
      head: [],
      body: [],
      errors: [inForm],
      emulations: [],
      errorEmulations: [],
      needsBody: false,
      elementwise: false,
      recordsOnceReplaced: undefined,
    },
    empty: true,
  }
}

/** A version is a number below it (api/version.ts): three of them are one key, without a text for each call. */
const MOST_VERSIONS = 1000

/** Compiles each plan once. */
export class Plans {
  readonly #rules: Rules
  readonly #policy: TranslationPolicy
  readonly #compiled = new Map<OperationName, Map<number, Plan>>()
  readonly #mapsIds = new Map<OperationName, Map<number, Plan>>()

  constructor(rules: Rules, policy: TranslationPolicy) {
    this.#rules = rules
    this.#policy = policy
  }

  /** The same rules for clients that are told another highest version. */
  announcing(announce: ApiVersion): Plans {
    return new Plans(this.#rules, { ...this.#policy, announce })
  }

  get(
    operation: OperationName,
    client: ApiVersion,
    target: ApiVersion,
    highest: ApiVersion,
    { mapsIds = false }: { readonly mapsIds?: boolean } = {},
  ): Plan {
    const key = (client * MOST_VERSIONS + target) * MOST_VERSIONS + highest
    const compiled = mapsIds ? this.#mapsIds : this.#compiled
    const known = compiled.get(operation)?.get(key)
    if (known !== undefined) return known
    const plan = compile(this.#rules, operation, { client, target, highest }, this.#policy, mapsIds)
    compiled.set(operation, (compiled.get(operation) ?? new Map<number, Plan>()).set(key, plan))
    return plan
  }
}
