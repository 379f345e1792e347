import { isObject } from '../api/json/json.ts'
import type { OperationName } from '../api/operations.ts'
import { type ApiVersion, apiVersion, formatVersion, LOWEST, offered } from '../api/version.ts'
import type { PlacedStep } from './change.ts'
import type { RequestMessage, ResponseMessage, StepContext, TranslationPolicy } from './message.ts'

/**
 * What the bridge says of itself: `/version` names the range that it offers instead of the engine's, and with
 * `--announce-api` the header `Api-Version` agrees. Negotiating clients read either.
 */
export function ownSteps(operation: OperationName, policy: TranslationPolicy, highest: ApiVersion): PlacedStep[] {
  const own = (part: 'head' | 'body' | 'error', run: (m: ResponseMessage, c: StepContext) => void): PlacedStep => ({
    operation,
    leg: 'responseDown',
    part,
    kind: 'step',
    run,
  })
  return [
    ...(operation === 'SystemVersion' ? [own('body', ownRange)] : []),
    ...pingSteps(operation, highest),
    ...(policy.announce === undefined ? [] : [own('head', ownHeader), own('error', ownHeader)]),
  ]
}

/** Engines from 19.03 on answer a HEAD (docs/api/version-history.md v1.40), those from 1.13 on name themselves. */
const PINGED_BY_HEAD = apiVersion(40)
const NAMES_ITSELF = apiVersion(25)

/**
 * A ping says what the bridge speaks before an engine that says nothing: command lines from 17.06 on would speak 1.24 to it
 * (client/ping.go, moby), which engines up to 1.11 do not. They ping without a version, so that no change lies in between.
 */
function pingSteps(operation: OperationName, highest: ApiVersion): PlacedStep[] {
  const steps: PlacedStep[] = []
  if (operation === 'SystemPingHead' && highest < PINGED_BY_HEAD) {
    steps.push({ operation, leg: 'requestDown', part: 'head', kind: 'step', run: asGet })
    steps.push({ operation, leg: 'responseUp', part: 'head', kind: 'step', run: withoutBody })
  }
  if (operation.startsWith('SystemPing') && highest < NAMES_ITSELF)
    steps.push({ operation, leg: 'responseUp', part: 'head', kind: 'step', run: nameVersion })
  return steps
}

const asGet = (message: RequestMessage): void => {
  message.method = 'GET'
}

const withoutBody = ({ headers }: ResponseMessage): void => headers.set('Content-Length', '0')

function nameVersion({ headers }: ResponseMessage, { engine, policy }: StepContext): void {
  headers.set('Api-Version', formatVersion(offered(policy.announce, engine.highest)))
  headers.set('Docker-Experimental', 'false')
  headers.set('Ostype', engine.os)
}

/** Engines before 1.13 did not say a minimum (docs/api/version-history.md v1.25): clients up to 1.24 do not see one. */
const SAYS_MINIMUM = apiVersion(25)

function ownRange({ body }: ResponseMessage, context: StepContext): void {
  if (!isObject(body)) return
  const highest = formatVersion(offered(context.policy.announce, context.engine.highest))
  const lowest = formatVersion(LOWEST)
  body['ApiVersion'] = highest
  if (context.client >= SAYS_MINIMUM || context.policy.newerFields === 'pass') body['MinAPIVersion'] = lowest
  else delete body['MinAPIVersion']
  for (const component of Array.isArray(body['Components']) ? body['Components'] : []) {
    const details = isObject(component) ? component['Details'] : undefined
    if (!isObject(details) || !('ApiVersion' in details)) continue // Podman's are those of another API
    details['ApiVersion'] = highest
    if ('MinAPIVersion' in details) details['MinAPIVersion'] = lowest
  }
}

function ownHeader({ headers }: ResponseMessage, context: StepContext): void {
  if (!headers.has('Api-Version')) return
  headers.set('Api-Version', formatVersion(offered(context.policy.announce, context.engine.highest)))
}
