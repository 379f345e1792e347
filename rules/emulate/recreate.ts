import { isPodman } from '../../src/api/engine-facts.ts'
import { ProxyError, unlessFailed } from '../../src/api/errors.ts'
import { isObject, type JsonObject, type JsonValue, listOf, memberAt, objectOf } from '../../src/api/json/json.ts'
import type { EmulationContext, EngineAnswer } from '../../src/translate/message.ts'
import { idOf, isEnding, nameOf, nameSetAside, setAside } from '../../src/translate/replaced/label.ts'
import { undo } from '../../src/translate/replaced/undo.ts'
import { olderWords } from '../by-hand/error-words.ts'
import { asKept, called } from './as-kept.ts'
import { hostConfigOf } from './merged-host-config.ts'
import { createBody, endpointsFor, type Modes, madeOtherwise } from './recreate-body.ts'
import { compareVolumes, withoutLent } from './recreate-safe.ts'

/** The container to be made. */
interface Wanted {
  /** The container that is replaced. */
  readonly container: JsonObject
  /** The create body, without endpoints. */
  readonly asked: JsonObject
  readonly endpoints: ReadonlyMap<string, JsonObject>
}

/** Another bridge is replacing the container. This one must not undo anything. */
class AnotherBridge extends ProxyError {
  constructor(name: string) {
    super('conflict', `container ${name} is being recreated by a start through another bridge; try again`)
  }
}

/** An error of the engine; passed on unchanged if everything was reverted. */
class EngineRefusal extends ProxyError {}

/**
 * Replaces a container with one of the same name and another HostConfig; resolves with the new id. The old container is
 * renamed first and removed last; if a step fails, all are undone. No call is repeated.
 */
export async function makeAnew(
  context: EmulationContext,
  container: JsonObject,
  merged: JsonObject,
  modes: Modes,
  clientId: string,
): Promise<string> {
  const [old, name] = [idOf(container), nameOf(container)]
  const originally = nameSetAside(old, name)
  if (originally !== undefined) {
    context.replacedContainers?.noteUnknownId(clientId, context.engine) // that bridge may have ended
    throw new AnotherBridge(originally)
  }
  const asked = createBody(container, merged, clientId)
  const wanted: Wanted = { container, asked, endpoints: endpointsFor(container, modes, clientId) }
  permitted(context, wanted)
  let madeId: string | undefined
  try {
    await setOldAside(context, old, name)
    const made = await create(context, wanted)
    madeId = idOf(made)
    const { holdsData, unclear, superfluous } = await compareVolumes(context, container, made)
    if (holdsData.length > 0) throw new ProxyError('loss', `files were put into its volumes at ${holdsData.join(', ')}`)
    if (unclear.length > 0)
      throw new ProxyError(
        'loss',
        `files may be in its volumes at ${unclear.join(', ')}, which are larger than 16 MiB, or the engine does not show them`,
      )
    await expectOurs(context, old, name, madeId)
    await context.replacedContainers?.keep(clientId, madeId)
    await removeOld(context, old)
    for (const volume of superfluous) await removeVolume(context, volume)
    return madeId
  } catch (cause) {
    if (cause instanceof AnotherBridge) throw cause
    const problem = await undone(context, { old, name, client: clientId, madeId }).catch((err: Error) => err.message)
    if (!(cause instanceof ProxyError) || (cause instanceof EngineRefusal && problem === undefined)) throw cause
    throw new ProxyError(
      cause.code,
      `cannot make container ${name} again with this HostConfig: ${cause.message} (${problem ?? 'it is as it was'})`,
      { status: cause.status, cause },
    )
  }
}

/**
 * The rename is a lock between bridges: engines refuse to give a container the name that it already has. The loser must
 * not undo anything, or it would remove the winner's new container while the winner removes the old one.
 */
async function setOldAside(context: EmulationContext, old: string, name: string): Promise<void> {
  const aside = setAside(old, name)
  try {
    await must(context, 'POST', `/containers/${old}/rename`, { query: { name: aside } })
  } catch (cause) {
    if (!(cause instanceof EngineRefusal)) throw cause
    const now = await called(context, old)
    throw now !== undefined && nameOf(now) === aside ? new AnotherBridge(name) : cause
  }
}

interface Begun {
  readonly old: string
  readonly name: string
  readonly client: string
  /** The new container, if the engine has said that it was made. */
  readonly madeId: string | undefined
}

/**
 * Looks at what there is, because the answer to any step can be lost. Resolves with what could not be undone. Every client can
 * set the label and take the name: only what this start has made gets the client's id.
 */
async function undone(context: EmulationContext, { old, name, client, madeId }: Begun): Promise<string | undefined> {
  const original = await called(context, old)
  const other = await called(context, name)
  const made = other === undefined || idOf(other) === old ? [] : [other]
  if (original !== undefined && !isEnding(original))
    return undo((method, path) => context.engineCall(method, path), { name, client, original, made })
  if (other === undefined || idOf(other) !== madeId) return `container ${old} was removed by another client`
  context.replacedContainers?.replaced(client, idOf(other))
  return `container ${old} was removed: the one made in its stead stays`
}

/** Ignores failures, such as for a volume in use: the replacement is complete by then. */
async function removeVolume(context: EmulationContext, volume: string): Promise<void> {
  const path = `/volumes/${volume}`
  if (context.allows('DELETE', path)) await unlessFailed(context.engineCall('DELETE', path))
}

/** Checks the access policy for all calls before the first, so that it can neither stop the work halfway nor the reverting. */
function permitted(context: EmulationContext, { container, asked, endpoints }: Wanted): void {
  const id = idOf(container)
  context.permit('POST', `/containers/${id}/rename`)
  context.permit('POST', '/containers/create', asked)
  if (endpoints.size > 1 && context.target < 44) context.permit('POST', '/networks/x/connect', { Container: id })
  context.permit('DELETE', `/containers/${id}`)
  context.permit('GET', `/containers/${id}/archive?path=/`)
}

async function create(context: EmulationContext, { container, asked, endpoints }: Wanted): Promise<JsonObject> {
  // 1.44/multiple-endpoints
  const split = context.target >= 44 ? endpoints.size : 1
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
  made['HostConfig'] = await withoutLent(context, hostConfigOf(made))
  const HostConfig = await asKept(context, objectOf(asked['HostConfig']), hostConfigOf(made))
  const otherwise = madeOtherwise({ ...asked, HostConfig }, endpoints, container, made, isPodman(context.engine))
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

/** A call that must succeed: an error is told in the words of the client's version. */
export async function must(
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

/** Another bridge may have assumed that this one died, and restored the old container: then it must not be removed. */
async function expectOurs(context: EmulationContext, old: string, name: string, made: string): Promise<void> {
  const [before, after] = await Promise.all([called(context, old), called(context, made)])
  if (before === undefined || nameOf(before) !== setAside(old, name) || after === undefined || nameOf(after) !== name)
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
