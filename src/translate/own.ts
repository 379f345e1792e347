import { isObject } from '../api/json/json.ts'
import type { OperationName } from '../api/operations.ts'
import { apiVersion, formatVersion, LOWEST, offered } from '../api/version.ts'
import type { PlacedStep } from './change.ts'
import type { ResponseMessage, StepContext, TranslationPolicy } from './message.ts'

/**
 * What the bridge says of itself: `/version` names the range that it offers instead of the engine's, and with
 * `--announce-api` the header `Api-Version` agrees. Negotiating clients read either.
 */
export function ownSteps(operation: OperationName, policy: TranslationPolicy): PlacedStep[] {
  const own = (part: 'head' | 'body' | 'error', run: (m: ResponseMessage, c: StepContext) => void): PlacedStep => ({
    operation,
    leg: 'responseDown',
    part,
    kind: 'step',
    run,
  })
  return [
    ...(operation === 'SystemVersion' ? [own('body', ownRange)] : []),
    ...(policy.announce === undefined ? [] : [own('head', ownHeader), own('error', ownHeader)]),
  ]
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
