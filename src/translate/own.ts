import { isObject, listOf, memberAt } from '../api/json/json.ts'
import type { OperationName } from '../api/operations.ts'
import { type ApiVersion, apiVersion, formatVersion, LOWEST, offered } from '../api/version.ts'
import type { PlacedStep } from './change.ts'
import type { RequestMessage, ResponseMessage, StepContext, TranslationPolicy } from './message.ts'

/**
 * The bridge's own version information: `/version` names the range that the bridge offers instead of the engine's, and
 * with `--announce-api` the header `Api-Version` agrees. Negotiating clients read either.
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

/**
 * Engines from 19.03 on respond to HEAD (docs/api/version-history.md v1.40); those from 1.13 on send Api-Version
 * themselves.
 */
const PINGED_BY_HEAD = apiVersion(40)
const NAMES_ITSELF = apiVersion(25)

/**
 * A ping announces the bridge's version for engines that announce none: otherwise command lines from 17.06 on would use
 * 1.24 (client/ping.go, moby), which engines up to 1.11 do not serve. They ping without a version, so no change
 * applies.
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

/**
 * Engines before 1.13 did not announce a minimum (docs/api/version-history.md v1.25): hidden from clients up to 1.24.
 */
const SAYS_MINIMUM = apiVersion(25)

function ownRange({ body }: ResponseMessage, context: StepContext): void {
  if (!isObject(body)) return
  const highest = formatVersion(offered(context.policy.announce, context.engine.highest))
  const lowest = formatVersion(LOWEST)
  body['ApiVersion'] = highest
  if (context.client >= SAYS_MINIMUM || context.policy.newerFields === 'pass') body['MinAPIVersion'] = lowest
  else delete body['MinAPIVersion']
  for (const component of listOf(body['Components'])) {
    const details = memberAt(component, 'Details')
    if (!isObject(details) || !('ApiVersion' in details)) continue // Podman's are those of another API
    details['ApiVersion'] = highest
    if ('MinAPIVersion' in details) details['MinAPIVersion'] = lowest
  }
}

function ownHeader({ headers }: ResponseMessage, context: StepContext): void {
  if (!headers.has('Api-Version')) return
  headers.set('Api-Version', formatVersion(offered(context.policy.announce, context.engine.highest)))
}
