import { isPodman } from '../../src/api/engine-facts.ts'
import { ProxyError } from '../../src/api/errors.ts'
import { isObject, type JsonObject, memberAt } from '../../src/api/json/json.ts'
import { UNREAD_AT_START } from '../../src/api/validation/finding.ts'
import type { EmulationContext, RequestMessage, StepContext } from '../../src/translate/message.ts'
import { rememberBody } from '../../src/translate/ops/calls/error-texts.ts'
import { idOf, nameOf } from '../../src/translate/replaced/label.ts'
import { sharedByDefault } from '../by-hand/cgroup-namespace.ts'
import { badBody, requireJson } from '../by-hand/json-body.ts'
import { linksAsHosts } from '../podman/links.ts'
import { asKept, networkNamed } from './as-kept.ts'
import { differences, updateBody } from './host-config-difference.ts'
import { askedInVain, hostConfigOf, mergedHostConfig } from './merged-host-config.ts'
import { makeAnew, must } from './recreate.ts'
import { whyUnsafe, withoutLent } from './recreate-safe.ts'

/** The engines' own words (17.x on; container_routes.go:postContainersStart). */
const REMOVED = 'starting container with non-empty request body was deprecated since API v1.22 and removed in v1.24'

/** A container that a start would have to make again. */
interface Unfit {
  readonly container: JsonObject
  readonly merged: JsonObject
  /** The members that need another container. */
  readonly fields: string
}

/**
 * Start with a HostConfig. Settings of the body are applied before the start, all others stay as created (mergedHostConfig
 * describes how engines up to 25 differ). The engine never gets the body. What an update cannot change takes another
 * container, or is refused (`--start-hostconfig`).
 */
export async function startWithBody(message: RequestMessage, context: EmulationContext): Promise<void> {
  const wanted = takeBody(message)
  if (wanted === undefined) return
  context.permit('POST', message.path) // before anything is changed
  rememberBody({ ...message, body: wanted }, context)
  const podman = isPodman(context.engine)
  for (const member of askedInVain(wanted, podman)) context.ignore(`HostConfig.${member}`, '1.24/start-body-rejected')
  if (podman) await linksAsHosts({ body: { HostConfig: wanted } }, context)
  const unfit = await applied(context, message.path.replace(/\/start$/, ''), wanted)
  if (unfit === undefined) return
  if (context.policy.startHostConfig !== 'recreate')
    throw new ProxyError(
      'loss',
      `${REMOVED}: this engine cannot change ${unfit.fields} of a created container, set it when creating the container`,
    )
  await recreate(message, context, wanted, unfit.container)
}

/** Applies what an update can; resolves with the container if that is not enough, before anything has been changed. */
async function applied(context: EmulationContext, base: string, wanted: JsonObject): Promise<Unfit | undefined> {
  const { status, body: container, error } = await context.engineCall('GET', `${base}/json`)
  if (status === 404) return undefined // the start will report it
  // Starting the container anyway would silently lose the requested settings.
  if (status !== 200 || !isObject(container) || !isObject(container['HostConfig']))
    throw new ProxyError('engine-broke-off', `the engine does not show the container before its start: ${error}`, {
      status: status >= 400 ? status : 502,
    })
  if (memberAt(container, 'State', 'Running') === true) return undefined // 304, whatever the body
  const current = await withoutLent(context, hostConfigOf(container), wanted['VolumesFrom'])
  container['HostConfig'] = current
  const podman = isPodman(context.engine)
  const merged = await asKept(context, mergedHostConfig(wanted, current, podman), current)
  const found = differences(merged, current, podman)
  const lasting = found.filter(({ updatable }) => !updatable)
  if (lasting.length > 0)
    return { container, merged, fields: lasting.map(({ member }) => `HostConfig.${member}`).join(', ') }
  // podman/update: a policy that is not named is reset.
  const kept = podman ? { RestartPolicy: merged['RestartPolicy'] ?? null } : {}
  const body = { ...kept, ...updateBody(found, merged) }
  if (found.length > 0) await must(context, 'POST', `${base}/update`, { body })
  return undefined
}

/** Replaces the container under its name; the client keeps using its id (src/engine/replaced). */
async function recreate(
  message: RequestMessage,
  context: EmulationContext,
  wanted: JsonObject,
  before: JsonObject,
): Promise<void> {
  const { replacedContainers } = context
  if (replacedContainers === undefined) throw new Error('a container can be made again only where its ids are kept')
  const clientId = replacedContainers.toClient(idOf(before))
  await replacedContainers.runExclusively({ id: clientId, name: nameOf(before) }, async () => {
    // Another start may have replaced it meanwhile.
    const base = `/containers/${replacedContainers.toEngine(clientId)}`
    message.path = `${base}/start`
    const unfit = await applied(context, base, wanted)
    if (unfit === undefined) return
    const { container, merged, fields } = unfit
    const modes = {
      before: await networkNamed(context, hostConfigOf(container)['NetworkMode']),
      now: await networkNamed(context, merged['NetworkMode']),
    }
    const reason = await whyUnsafe(context, container, modes)
    if (reason !== undefined)
      throw new ProxyError(
        'loss',
        `${REMOVED}: ${fields} can be had only by making the container again, which is not safe: ${reason}. Set it when creating the container`,
      )
    if (isPodman(context.engine))
      context.note?.('Podman shows no options of a log driver and no fixed address: those of the first create are lost')
    const info = merged['CgroupnsMode'] === 'host' ? await context.engineInfo() : undefined
    // Policies refuse it, even where it is the default.
    if (info !== undefined && sharedByDefault(info)) delete merged['CgroupnsMode']
    const id = await makeAnew(context, container, merged, modes, clientId)
    replacedContainers.replaced(clientId, id)
    message.path = `/containers/${id}/start`
  })
}

/** Compared with what the container has, where anything but a list would look like an empty one. */
const LISTS = ['Binds', 'Links']

/** Removes the body from the message and returns its HostConfig. */
function takeBody(message: RequestMessage): JsonObject | undefined {
  const { body } = message
  const isRead = bytesOf(message) > UNREAD_AT_START
  if (isRead) requireJson(message, 'start')
  if (isRead && !isObject(body)) throw badBody('json: cannot unmarshal the body of start into a HostConfig')
  const wrong = LISTS.find((member) => isRead && isObject(body) && !Array.isArray(body[member] ?? []))
  if (wrong !== undefined) throw badBody(`json: cannot unmarshal HostConfig.${wrong} of start into a list`)
  delete message.text
  message.body = undefined
  message.headers.delete('Content-Type')
  return isRead && isObject(body) ? body : undefined
}

/**
 * For clients of versions without a body: their engines refuse one of more than 7 bytes and ignore a shorter one (`{}`,
 * `null`); older engines would read both.
 */
export function refuseBody(message: RequestMessage, _context: StepContext): void {
  const length = bytesOf(message)
  delete message.text
  message.body = undefined
  if (length > UNREAD_AT_START) throw new ProxyError('validation', REMOVED)
}

/** The size of the body; without the whitespace that parsed JSON had. */
const bytesOf = ({ body, text }: RequestMessage): number =>
  Buffer.byteLength(text ?? (body === undefined ? '' : JSON.stringify(body)))
