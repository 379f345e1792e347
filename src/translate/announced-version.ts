import { isObject, listOf, memberAt } from '../api/json/json.ts'
import type { OperationName } from '../api/operations.ts'
import { type ApiVersion, apiVersion, formatVersion, LOWEST, offered } from '../api/version.ts'
import type { Part, PlacedStep } from './change.ts'
import type {
  RequestMessage,
  RequestStep,
  ResponseMessage,
  ResponseStep,
  StepContext,
  TranslationPolicy,
} from './message.ts'

/** A step that belongs to no change, as a list; empty if `run` is undefined. */
export const onRequest = (operation: OperationName, part: Part, run: RequestStep | undefined): PlacedStep[] =>
  run === undefined ? [] : [{ operation, leg: 'requestUp', part, run }]

export const onResponse = (operation: OperationName, part: Part, run: ResponseStep | undefined): PlacedStep[] =>
  run === undefined ? [] : [{ operation, leg: 'responseDown', part, run }]

/**
 * Announces the versions that the bridge serves instead of the engine's: in `/version` and, with `--announce-api`, in
 * the header `Api-Version`. Negotiating clients read either.
 */
export function versionSteps(operation: OperationName, policy: TranslationPolicy, highest: ApiVersion): PlacedStep[] {
  const header = policy.announce === undefined ? undefined : setApiVersion
  return [
    ...onResponse(operation, 'body', operation === 'SystemVersion' ? setRange : undefined),
    ...pingSteps(operation, highest),
    ...onResponse(operation, 'head', header),
    ...onResponse(operation, 'error', header),
  ]
}

/** Engines from 19.03 on respond to HEAD (docs/api/version-history.md v1.40); from 1.13 on they send Api-Version. */
const PINGED_BY_HEAD = apiVersion(40)
const NAMES_ITSELF = apiVersion(25)

/**
 * A ping announces the bridge's version for engines that announce none: otherwise command lines from 17.06 on would use
 * 1.24 (client/ping.go, moby), which engines up to 1.11 do not serve. They ping without a version, so no change
 * applies.
 */
function pingSteps(operation: OperationName, highest: ApiVersion): PlacedStep[] {
  const byGet = operation === 'SystemPingHead' && highest < PINGED_BY_HEAD
  const unnamed = operation.startsWith('SystemPing') && highest < NAMES_ITSELF
  return [
    ...onRequest(operation, 'head', byGet ? asGet : undefined),
    ...onResponse(operation, 'head', byGet ? withoutBody : undefined),
    ...onResponse(operation, 'head', unnamed ? nameVersion : undefined),
  ]
}

const asGet = (message: RequestMessage): void => {
  message.method = 'GET'
}

const withoutBody = ({ headers }: ResponseMessage): void => headers.set('Content-Length', '0')

/** The headers in which engines from 1.13 on name themselves (docs/api/version-history.md v1.25). */
export function nameVersion({ headers }: ResponseMessage, { engine, policy }: StepContext): void {
  if (headers.has('Api-Version')) return
  headers.set('Api-Version', formatVersion(offered(policy.announce, engine.highest)))
  headers.set('Docker-Experimental', 'false')
  headers.set('Ostype', engine.os)
}

/** Engines before 1.13 announced no minimum (docs/api/version-history.md v1.25): hidden from clients up to 1.24. */
const SAYS_MINIMUM = apiVersion(25)

function setRange({ body }: ResponseMessage, context: StepContext): void {
  if (!isObject(body)) return
  const highest = formatVersion(offered(context.policy.announce, context.engine.highest))
  const lowest = formatVersion(LOWEST)
  body['ApiVersion'] = highest
  if (context.client >= SAYS_MINIMUM || context.policy.newerFields !== 'drop') body['MinAPIVersion'] = lowest
  else delete body['MinAPIVersion']
  for (const component of listOf(body['Components'])) {
    const details = memberAt(component, 'Details')
    if (!isObject(details) || !('ApiVersion' in details)) continue // Podman's are those of another API
    details['ApiVersion'] = highest
    if ('MinAPIVersion' in details) details['MinAPIVersion'] = lowest
  }
}

function setApiVersion({ headers }: ResponseMessage, context: StepContext): void {
  if (!headers.has('Api-Version')) return
  headers.set('Api-Version', formatVersion(offered(context.policy.announce, context.engine.highest)))
}
