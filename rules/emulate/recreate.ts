import { ProxyError } from '../../src/api/errors.ts'
import { isObject, type JsonObject, type JsonValue, listOf, memberAt, objectOf } from '../../src/api/json/json.ts'
import type { EmulationContext, EngineAnswer } from '../../src/translate/message.ts'
import { isEnding, REPLACES, setAside } from '../../src/translate/replaced/label.ts'
import { olderWords } from '../by-hand/error-words.ts'
import { compareVolumes } from './anonymous-volumes.ts'
import { createBody, endpointsFor, idOf, madeOtherwise, nameOf } from './recreate-body.ts'

/** First version whose create takes several endpoints (`1.44/multiple-endpoints`). */
const MANY_ENDPOINTS_FROM = 44

/** The container to be made. */
interface Wanted {
  /** The container that is replaced. */
  readonly container: JsonObject
  /** The create body, without endpoints. */
  readonly asked: JsonObject
  readonly endpoints: ReadonlyMap<string, JsonObject>
}

/** An error of the engine; passed on unchanged if everything was reverted. */
class EngineRefusal extends ProxyError {}

/** Reverts a step that may have taken effect; resolves with the problem if it cannot. */
type Undo = () => Promise<string | undefined>

/**
 * Replaces a container with one of the same name and another HostConfig; resolves with the new id. The old container is
 * renamed first and removed last; if a step fails, all are reverted. No call is repeated.
 */
export async function makeAnew(
  context: EmulationContext,
  container: JsonObject,
  merged: JsonObject,
  clientId: string,
): Promise<string> {
  const undo: Undo[] = []
  const name = nameOf(container)
  const wanted: Wanted = {
    container,
    asked: createBody(container, merged, clientId),
    endpoints: endpointsFor(container, merged, clientId),
  }
  permitted(context, wanted)
  try {
    undo.push(() => restoreName(context, idOf(container), name))
    await must(context, 'POST', `/containers/${idOf(container)}/rename`, {
      query: { name: setAside(idOf(container), name) },
    })
    let unkeep: (() => Promise<void>) | undefined
    undo.push(async () => {
      const problem = await removeMade(context, { name, clientId, old: idOf(container) })
      if (problem === undefined) await unkeep?.()
      return problem
    })
    const made = await create(context, wanted)
    const { holdsData, superfluous } = await compareVolumes(context, container, made)
    if (holdsData.length > 0) throw new ProxyError('loss', `files were put into its volumes at ${holdsData.join(', ')}`)
    await expectOurs(context, idOf(container), name, idOf(made))
    unkeep = await context.replacedContainers?.keep(clientId, idOf(made))
    await removeOld(context, idOf(container))
    undo.length = 0
    for (const volume of superfluous) await removeVolume(context, volume)
    return idOf(made)
  } catch (cause) {
    const left = await putBack(undo)
    if (!(cause instanceof ProxyError) || (cause instanceof EngineRefusal && left.length === 0)) throw cause
    const problems = left.length === 0 ? 'it is as it was' : left.join('; ')
    throw new ProxyError(
      cause.code,
      `cannot make container ${name} again with this HostConfig: ${cause.message} (${problems})`,
      { status: cause.status, cause },
    )
  }
}

/** Ignores failures, such as for a volume in use: the replacement is complete by then. */
async function removeVolume(context: EmulationContext, volume: string): Promise<void> {
  try {
    context.permit?.('DELETE', `/volumes/${volume}`)
    await context.engineCall('DELETE', `/volumes/${volume}`)
  } catch (cause) {
    if (!(cause instanceof ProxyError)) throw cause
  }
}

/** Checks the access policy for all calls before the first, so that it can neither stop the work halfway nor the reverting. */
function permitted(context: EmulationContext, { container, asked, endpoints }: Wanted): void {
  const id = idOf(container)
  context.permit?.('POST', `/containers/${id}/rename`)
  context.permit?.('POST', '/containers/create', asked)
  if (endpoints.size > 1) context.permit?.('POST', '/networks/x/connect', { Container: id })
  context.permit?.('DELETE', `/containers/${id}`)
  context.permit?.('GET', `/containers/${id}/archive?path=/`)
}

async function create(context: EmulationContext, { container, asked, endpoints }: Wanted): Promise<JsonObject> {
  const split = context.target >= MANY_ENDPOINTS_FROM ? endpoints.size : 1
  const [atOnce, further] = [[...endpoints].slice(0, split), [...endpoints].slice(split)]
  const networking = { EndpointsConfig: Object.fromEntries(atOnce) }
  const body = { ...asked, ...(atOnce.length === 0 ? {} : { NetworkingConfig: networking }) }
  const query = { name: nameOf(container), ...platformOf(container) }
  const answer = await must(context, 'POST', '/containers/create', { query, body })
  const id = isObject(answer.body) ? String(answer.body['Id']) : ''
  for (const [network, endpoint] of further) {
    const join = { Container: id, EndpointConfig: endpoint }
    await must(context, 'POST', `/networks/${encodeURIComponent(network)}/connect`, { body: join })
  }
  const { body: made } = await must(context, 'GET', `/containers/${id}/json`)
  if (!isObject(made))
    throw new ProxyError('engine-broke-off', 'the engine does not show the container that it has made')
  const otherwise = madeOtherwise(asked, endpoints, container, made)
  if (otherwise.length === 0) return made
  const warnings = listOf(memberAt(answer.body, 'Warnings'))
  throw new ProxyError('loss', [`the engine made it with another ${otherwise.join(', ')}`, ...warnings].join('; '))
}

/** The platform that the container was made for (1.48 on), because one image name can hold several. */
function platformOf(container: JsonObject): Record<string, string> {
  const platform = objectOf(memberAt(container, 'ImageManifestDescriptor', 'platform'))
  const { os, architecture, variant } = platform
  const words = [os, architecture, variant].filter((word) => typeof word === 'string' && word !== '')
  return words.length < 2 ? {} : { platform: words.join('/') }
}

async function must(
  context: EmulationContext,
  method: string,
  path: string,
  options: { query?: Record<string, string>; body?: JsonValue } = {},
): Promise<EngineAnswer> {
  const answer = await context.engineCall(method, path, options)
  if (answer.status < 400) return answer
  const { status, text } = olderWords(answer.status, answer.error, context)
  throw new EngineRefusal('loss', text, { status })
}

/**
 * Another bridge may have assumed that this one died and restored the old container (src/engine/replaced/recovery.ts): then
 * it must not be removed.
 */
async function expectOurs(context: EmulationContext, old: string, name: string, made: string): Promise<void> {
  const [before, after] = await Promise.all(
    [old, made].map((id) => context.engineCall('GET', `/containers/${id}/json`)),
  )
  const isOurs = isObject(before?.body) && nameOf(before.body) === setAside(old, name)
  if (!isOurs || !isObject(after?.body) || nameOf(after.body) !== name)
    throw new ProxyError('conflict', 'another bridge has put it back meanwhile')
}

/** If the answer to the removal is lost, an inspect shows whether it took place. */
async function removeOld(context: EmulationContext, id: string): Promise<void> {
  try {
    const { status, error } = await context.engineCall('DELETE', `/containers/${id}`)
    if (status >= 400 && status !== 404) throw new ProxyError('loss', error, { status })
  } catch (cause) {
    const { status } = await context.engineCall('GET', `/containers/${id}/json`)
    if (status !== 404) throw cause
  }
}

async function putBack(undo: readonly Undo[]): Promise<string[]> {
  const left: string[] = []
  for (const step of undo.toReversed()) {
    const problem = await step().catch((cause: Error) => cause.message)
    if (problem !== undefined) left.push(problem)
  }
  return left
}

async function restoreName(context: EmulationContext, id: string, name: string): Promise<string | undefined> {
  const before = await context.engineCall('GET', `/containers/${id}/json`)
  const now = isObject(before.body) ? nameOf(before.body) : ''
  if (before.status === 404 || now === name) return undefined
  const { status, error } = await context.engineCall('POST', `/containers/${id}/rename`, { query: { name } })
  return status < 400 ? undefined : `container ${id} is called ${now || setAside(id, name)} now: ${error}`
}

interface Made {
  readonly name: string
  readonly clientId: string
  /** The id of the container that it replaces. */
  readonly old: string
}

/** Works even if the answer to the create was lost. The container is renamed first, so that clients do not see its end. */
async function removeMade(context: EmulationContext, { name, clientId, old }: Made): Promise<string | undefined> {
  const { status, body } = await context.engineCall('GET', `/containers/${name}/json`)
  if (status === 404 || !isObject(body)) return undefined
  const config = objectOf(body['Config'])
  const labels = objectOf(config['Labels'])
  if (labels[REPLACES] !== clientId || nameOf(body) !== name) return undefined
  const made = idOf(body)
  if (await isGone(context, old)) {
    context.replacedContainers?.replaced(clientId, made)
    return `container ${old} was removed: the one made in its stead stays`
  }
  await context.engineCall('POST', `/containers/${made}/rename`, { query: { name: setAside(made, name) } })
  const removed = await context.engineCall('DELETE', `/containers/${made}`, { query: { v: '1' } })
  return removed.status < 400 || removed.status === 404 ? undefined : `container ${made} is left over: ${removed.error}`
}

/** The removal may have succeeded although its answer was lost. */
async function isGone(context: EmulationContext, id: string): Promise<boolean> {
  const { status, body } = await context.engineCall('GET', `/containers/${id}/json`)
  return status === 404 || (isObject(body) && isEnding(body))
}
