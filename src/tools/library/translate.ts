import { changes, deviations, readings } from '../../../rules/index.ts'
import { isPodman } from '../../api/engine-facts.ts'
import { ProxyError } from '../../api/errors.ts'
import { isOperationName, operationNamed } from '../../api/operations.ts'
import { readCall } from '../../api/read-call.ts'
import { shapes } from '../../api/shapes/shapes.ts'
import { type ApiVersion, clampVersion, formatVersion, isOlder, LOWEST, parseVersion } from '../../api/version.ts'
import { defined } from '../../config/defined.ts'
import type { Versions } from '../../translate/change.ts'
import { Answer, type StepContext, type TranslationPolicy } from '../../translate/message.ts'
import { Plans } from '../../translate/plans.ts'
import { refuseLoss } from '../../translate/run/loss.ts'
import { emulationsOf } from '../explain/applies.ts'
import { translateRequest, translateResponse } from './messages.ts'
import type { EngineDescription, Message, Translated, TranslateOptions } from './types.ts'

/** Invalid options of `translate`: an unknown operation or an invalid version. */
export class TranslateError extends Error {
  override readonly name = 'TranslateError'
}

/** Plans are compiled once per set of options. */
const compiled = new Map<string, Plans>()

function plansFor(policy: TranslationPolicy): Plans {
  const key = `${policy.newerFields} ${policy.losses} ${policy.profile}`
  let plans = compiled.get(key)
  if (plans === undefined) {
    plans = new Plans({ changes: [...changes, ...deviations], shapes, readings }, policy)
    compiled.set(key, plans)
  }
  return plans
}

/**
 * Translates one message between two API versions, without a bridge and without an engine: synchronous, no I/O.
 * Refusals are returned as `refused`, losses in `losses`; changes that need calls to the engine are listed in
 * `notPossible`. A response that depends on its request needs the request's `path` with its query. Throws
 * TranslateError for invalid options.
 */
export function translate(options: TranslateOptions, message: Message = {}): Translated {
  const { operation, params, path, search: said } = whichOperation(options)
  const { versions, lowest, described } = versionsOf(options)
  const { newerFields = 'drop', losses = 'warn', profile = 'engine', direction } = options
  const policy: TranslationPolicy = { newerFields, losses, profile, announce: undefined }
  const plan = plansFor(policy).get(operation, versions)
  const search = message.query ?? said
  const prefix = `/v${formatVersion(versions.target)}`
  const found: Found = { losses: [], ignored: [] }
  const { method } = operationNamed(operation)
  const unchanged = {
    ...{ operation, target: formatVersion(versions.target), method, path: `${prefix}${path}` },
    ...{ query: search.replace(/^\?/, ''), status: 200, headers: {}, dropped: false },
    ...{ changes: plan.changes, notPossible: emulationsOf(operation, versions, direction), ...found },
  }
  const context: StepContext = {
    ...{ operation, client: versions.client, target: versions.target, policy, memory: new Map() },
    engine: {
      ...{ highest: versions.highest, lowest, product: described.product },
      ...{ release: described.release ?? '', os: described.os ?? 'linux', arch: described.arch ?? 'amd64' },
    },
    call: { params, query: new URLSearchParams(search) },
    ...reportsTo(found, versions, policy),
  }
  try {
    if (direction === 'response') return { ...unchanged, ...translateResponse(plan, message, context) }
    const done = translateRequest(plan, { method, path, search }, message, context)
    return { ...unchanged, ...done, path: `${prefix}${done.path}` }
  } catch (cause) {
    if (!(cause instanceof ProxyError || cause instanceof Answer)) throw cause
    const code = cause instanceof ProxyError ? cause.code : 'answered'
    const { headers, status, body, text } = message
    const refused = { status: cause.status, code, message: cause.message }
    return { ...unchanged, ...defined({ headers, status, body, text }), refused }
  }
}

interface Found {
  readonly losses: { what: string; needs: string; change: string }[]
  readonly ignored: string[]
}

const reportsTo = (
  found: Found,
  versions: Versions,
  { losses }: TranslationPolicy,
): Pick<StepContext, 'lose' | 'ignore'> => ({
  lose: (loss) => {
    refuseLoss(loss, losses, versions)
    const { what, needs, change } = loss
    if (found.losses.some((one) => one.what === what && one.change === change)) return // of an object before
    found.losses.push({ what, needs: formatVersion(needs), change })
  },
  ignore: (what) => void (found.ignored.includes(what) || found.ignored.push(what)),
})

function versionsOf(options: TranslateOptions) {
  const described = typeof options.engine === 'string' ? { highest: options.engine } : options.engine
  const client = version('client', options.client)
  if (isOlder(client, LOWEST))
    throw new TranslateError(`there are rules from ${formatVersion(LOWEST)} on, not for ${options.client}`)
  const highest = version('engine', described.highest)
  const lowest = described.lowest === undefined ? highest : version('engine.lowest', described.lowest)
  const nearest = clampVersion(client, lowest, highest)
  const target = options.target === undefined ? nearest : version('target', options.target)
  const versions: Versions = { client, target, highest, podman: isPodman(described) }
  return { versions, lowest, described: described as EngineDescription }
}

/** `path`: without prefix and query. */
function whichOperation({ operation, method = 'GET', path = '' }: TranslateOptions) {
  const call = path === '' ? undefined : readCall(method.toUpperCase(), path)
  const name = operation ?? call?.match?.operation.name
  if (name === undefined || !isOperationName(name))
    throw new TranslateError(
      operation === undefined ? `no operation is ${method} ${path}` : `no operation is called ${operation}`,
    )
  const { wirePath = operationNamed(name).path, search = '', match } = call ?? {}
  return { operation: name, params: match?.params ?? {}, path: wirePath, search }
}

function version(what: string, text: string): ApiVersion {
  const parsed = parseVersion(text)
  if (parsed === undefined)
    throw new TranslateError(`${what}: ${JSON.stringify(text)} is not an API version, such as 1.44`)
  return parsed
}
