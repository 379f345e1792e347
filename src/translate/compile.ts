import { type OperationName, operationNamed } from '../api/operations.ts'
import type { Shape } from '../api/shapes/shape.ts'
import { type BoundChange, direction, type Exchange, type Leg, type PlacedStep, sideOf, stepsOf } from './change.ts'
import { type BoundDeviation, deviationSteps, holdsFor } from './deviation.ts'
import type { RequestEmulation, RequestStep, ResponseEmulation, ResponseStep, TranslationPolicy } from './message.ts'
import { ownSteps } from './own.ts'
import { type ReplacedSteps, replacedSteps } from './replaced/steps.ts'
import { canonicalMembers, type RespellBody, respellBody } from './run/canonical.ts'
import { type Rest, restOf } from './run/rest.ts'
import { SOCKET_STEPS } from './run/socket-mounts.ts'

/** The translation of one operation between two versions, compiled once; the only input of the lanes. */
export interface Plan extends Exchange {
  readonly operation: OperationName
  /** Ids of the changes with a step in this plan. */
  readonly changes: readonly string[]
  readonly request: {
    readonly steps: readonly RequestStep[]
    readonly emulations: readonly RequestEmulation[]
    /** The body must be read and parsed. */
    readonly needsBody: boolean
    /** How bytes after the JSON value are treated. */
    readonly rest: Rest
    /** Applies the engine's canonical spelling to a body that is checked but not translated; steps do it themselves. */
    readonly respell?: RespellBody
  }
  readonly response: {
    /** Run when the head of a successful response has arrived. */
    readonly head: readonly ResponseStep[]
    /** Run on the whole body, or on each record. */
    readonly body: readonly ResponseStep[]
    readonly errors: readonly ResponseStep[]
    /** Run on the whole body, or on each record. */
    readonly emulations: readonly ResponseEmulation[]
    /** The head is sent when the body has arrived, also before records. */
    readonly holdsHead: boolean
    readonly errorEmulations: readonly ResponseEmulation[]
    readonly needsBody: boolean
    /** Lists can be translated element by element. */
    readonly elementwise: boolean
    /** Runs on records that pass untouched until the first container is replaced; undefined if none is needed. */
    readonly recordsOnceReplaced: ResponseStep | undefined
  }
  /** No steps on either side: bytes pass through unchanged. */
  readonly empty: boolean
}

type Picked = { step: PlacedStep; change: BoundChange }

/**
 * The steps of one leg in execution order. Requests go up (or down) from the client's version to the engine's,
 * responses the same way back. If both directions occur (a target below the client on an engine above it), a request
 * first goes down by its prefix, then up by the engine's release; its response the other way round.
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
      if (step.operation !== operation || sideOf(step.leg) !== side) continue
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

export interface Rules {
  /** Ascending by version, within a version in file order. */
  readonly changes: readonly BoundChange[]
  readonly shapes: readonly Shape[]
  /** Reads a request before any change sees it. */
  readonly readings?: Partial<Record<OperationName, RequestStep>>
  /** Differences between the specification and all engines; apply with the profile `spec`. */
  readonly deviations?: readonly BoundDeviation[]
}

/** The specification's deviations: they run first on requests and last on responses. */
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
    .filter(({ step }) => step.operation === operation && sideOf(step.leg) === side)
}

/** The change that a step belongs to; the bridge's own steps and those for replaced containers have none. */
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

function requestPlan(
  rules: Rules,
  operation: OperationName,
  exchange: Exchange,
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
  // Last, so that the policy judges, and the bridge sends, the paths that the engine will mount.
  const socketStep = policy.socketMounts === undefined ? undefined : SOCKET_STEPS[operation]
  if (socketStep !== undefined) {
    steps.push(socketStep)
    needsBody = true
  }
  const json = operationNamed(operation).request === 'json'
  needsBody &&= json
  if (!json) return { steps, emulations, needsBody, rest: 'passed' }
  const rest = restOf(operation, exchange.client, exchange.highest)
  const respell = respellBody(rules.shapes, rules.changes, operation)
  const reading = rules.readings?.[operation]
  if (needsBody) steps.unshift(...canonicalMembers(operation, respell), ...(reading === undefined ? [] : [reading]))
  return { steps, emulations, needsBody, rest, respell }
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
  let holdsHead = false
  let alone = 0
  for (const { step } of picked) {
    if (step.leg !== 'responseDown' && step.leg !== 'responseUp') continue
    if (step.part === 'body') needsBody = true
    if (step.holdsHead === true) holdsHead = true
    if (step.kind === 'emulation') (step.part === 'error' ? errorEmulations : emulations).push(step.run)
    else if (step.part === 'head') head.push(step.run)
    else if (step.part === 'body') body.push(step.run)
    else errors.push(step.run)
    if (step.kind === 'step' && step.part === 'body' && step.elementwise) alone++
  }
  // An event stream may outlast the first replacement of a container.
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
  return { head, body, errors, emulations, holdsHead, errorEmulations, needsBody, elementwise, recordsOnceReplaced }
}
