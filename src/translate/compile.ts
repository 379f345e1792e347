import { type OperationName, operationNamed, shownBefore } from '../api/operations.ts'
import { onRequest, versionSteps } from './announced-version.ts'
import {
  direction,
  type Leg,
  type Part,
  type PlacedStep,
  type RequestLeg,
  type ResponseLeg,
  sideOf,
  type Versions,
  type Way,
  wayOf,
} from './change.ts'
import type { PlannedStep, RequestMessage, ResponseMessage, ResponseStep, TranslationPolicy } from './message.ts'
import { type ChangeStep, type OperationRules, operationRules, type Rules } from './operation-rules.ts'
import { recordFirst, replacedSteps } from './replaced/steps.ts'
import type { RespellBody } from './run/canonical.ts'
import { type Rest, restOf } from './run/rest.ts'
import { SOCKET_STEPS } from './run/socket-mounts.ts'

/** The translation of one operation between two versions, compiled once; the only input of the lanes. */
export interface Plan extends Versions {
  readonly operation: OperationName
  /** Ids of the changes with a step in this plan. */
  readonly changes: readonly string[]
  readonly request: {
    readonly steps: readonly PlannedStep<RequestMessage>[]
    /** One of the steps calls the engine. */
    readonly callsEngine: boolean
    /** The body must be read and parsed. */
    readonly needsBody: boolean
    /** How bytes after the JSON value are treated. */
    readonly rest: Rest
    /** Applies the engine's canonical spelling to a body that is checked but not translated; steps do it themselves. */
    readonly respell?: RespellBody
  }
  readonly response: {
    /** Run when the head of a successful response has arrived. */
    readonly head: readonly PlannedStep<ResponseMessage>[]
    /** Run on the whole body, or on each record. */
    readonly body: readonly PlannedStep<ResponseMessage>[]
    readonly errors: readonly PlannedStep<ResponseMessage>[]
    /** A step of the body calls the engine. */
    readonly callsEngine: boolean
    /** The head is sent only when the whole body has arrived; records are not streamed either. */
    readonly holdsHead: boolean
    readonly needsBody: boolean
    /** Lists can be translated element by element. */
    readonly elementwise: boolean
    /** Runs on records that pass untouched until the first container is replaced; undefined if none is needed. */
    readonly recordsOnceReplaced: PlannedStep<ResponseMessage> | undefined
  }
}

/**
 * The steps of one leg in execution order. Requests go up (or down) from the client's version to the engine's,
 * responses the same way back. If both directions occur (a target below the client on an engine above it), a request
 * first goes down by its prefix, then up by the engine's release; its response the other way round. The specification's
 * deviations run first on requests and last on responses; Podman's the other way round.
 */
function pick(
  steps: readonly ChangeStep[],
  versions: Versions,
  side: 'request' | 'response',
  { profile }: TranslationPolicy,
): ChangeStep[] {
  const isDeviation = ({ change }: ChangeStep): boolean => change.last !== undefined
  const picked = steps.filter(
    (one) =>
      sideOf(one.step.leg) === side &&
      (profile === 'spec' || !isDeviation(one)) &&
      direction({ ...one.change, ...one.step.inForce }, versions) === wayOf(one.step.leg),
  )
  const spec = picked.filter(isDeviation)
  const podman = picked.filter(({ change }) => change.podman)
  const on = (way: Way) =>
    picked.filter((one) => !isDeviation(one) && !one.change.podman && wayOf(one.step.leg) === way)
  return side === 'request'
    ? [...spec, ...on('down').reverse(), ...on('up'), ...podman]
    : [...podman, ...on('up').reverse(), ...on('down'), ...spec]
}

function wanted(one: ChangeStep, { newerFields, profile }: TranslationPolicy): boolean {
  const passes = newerFields === 'pass' || (newerFields === 'obeyed' && !readsPrefix(one))
  return !(one.step.stripsNewer && passes) && (one.step.profile === undefined || one.step.profile === profile)
}

/** Engines that serve both versions look at the prefix. An update writes what they have shown at every version. */
const readsPrefix = ({ step, change }: ChangeStep): boolean =>
  shownBefore[step.operation] === undefined && (step.inForce?.gate ?? change.gate) === 'prefix'

/** `mapsIds`: the engine has replaced containers, whose ids differ from those that clients know (src/engine/replaced). */
export function compile(
  rules: Rules,
  operation: OperationName,
  versions: Versions,
  policy: TranslationPolicy,
  mapsIds = false,
): Plan {
  const own = operationRules(rules, operation)
  const picked = (['request', 'response'] as const)
    .flatMap((side) => pick(own.steps, versions, side, policy))
    .filter((one) => wanted(one, policy))
  const { first, last } = mapsIds ? replacedSteps(operation) : { first: [], last: [] }
  // Last, so that the policy judges, and the bridge sends, the paths that the engine will mount.
  const sockets = policy.socketMounts === undefined ? undefined : SOCKET_STEPS[operation]
  const steps = [
    ...first,
    ...picked.map(({ step, change }) => ({ ...step, change: change.id })),
    ...versionSteps(operation, policy, versions.highest),
    ...onRequest(operation, 'body', sockets),
    ...last,
  ]
  return {
    ...versions,
    operation,
    changes: [...new Set(picked.map(({ change }) => change.id))],
    request: requestPlan(own, operation, versions, steps),
    response: responsePlan(recordFirst(operation), steps, mapsIds, policy.startHostConfig !== 'refuse'),
  }
}

const isOn =
  <L extends Leg>(side: 'request' | 'response') =>
  (step: PlacedStep): step is Extract<PlacedStep, { leg: L }> =>
    sideOf(step.leg) === side

function requestPlan(
  { respell, reading }: OperationRules,
  operation: OperationName,
  versions: Versions,
  all: readonly PlacedStep[],
): Plan['request'] {
  const own = all.filter(isOn<RequestLeg>('request'))
  const callsEngine = own.some((step) => step.callsEngine)
  const steps: PlannedStep<RequestMessage>[] = own.toSorted(callingLast)
  if (operationNamed(operation).request !== 'json') return { steps, callsEngine, needsBody: false, rest: 'passed' }
  const needsBody = own.some(({ part }) => part === 'body')
  const rest = restOf(operation, versions.client, versions.highest)
  const spell = ({ body }: RequestMessage): void => void respell(body)
  // Respelt again, since the reading may have moved members into an object that defines their names.
  const before = reading === undefined ? [spell] : [spell, reading, spell]
  if (needsBody) steps.unshift(...before.map((run) => ({ run })))
  return { steps, callsEngine, needsBody, rest, respell }
}

const callingLast = (a: PlacedStep, b: PlacedStep): number =>
  Number(a.callsEngine ?? false) - Number(b.callsEngine ?? false)

/** `onRecord`: maps ids in an event stream, which may last until after the first replacement of a container. */
export function responsePlan(
  onRecord: ResponseStep | undefined,
  all: readonly PlacedStep[],
  mapsIds = false,
  recreates = false,
): Plan['response'] {
  const own = all.filter(isOn<ResponseLeg>('response')).toSorted((a, b) => callingLast(b, a))
  const on = (part: Part) => own.filter((step) => step.part === part)
  const { further = [], plain = [] } = Object.groupBy(on('body'), (step) => (step.callsEngine ? 'further' : 'plain'))
  const replaced = onRecord && { run: onRecord }
  const first = mapsIds || plain.length > 0 ? replaced : undefined
  const body = [...further, ...(first === undefined ? [] : [first]), ...plain]
  return {
    head: on('head'),
    body,
    errors: on('error'),
    callsEngine: further.length > 0,
    holdsHead: own.some(({ holdsHead }) => holdsHead),
    needsBody: body.length > 0,
    elementwise: plain.length > 0 && body.length === plain.length && plain.every(({ elementwise }) => elementwise),
    recordsOnceReplaced: first === undefined && recreates ? replaced : undefined,
  }
}
