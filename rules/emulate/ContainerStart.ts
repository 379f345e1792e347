import { ProxyError } from '../../src/api/errors.ts'
import { isObject, type JsonObject } from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage, StepContext } from '../../src/translate/message.ts'
import { olderWords, rememberAsked } from '../by-hand/error-words.ts'
import { type Difference, differences, updateValue } from './host-config-difference.ts'
import { hostConfigOf, mergedHostConfig } from './merged-host-config.ts'
import { makeAnew } from './recreate.ts'
import { idOf, nameOf } from './recreate-body.ts'
import { whyUnsafe } from './recreate-safe.ts'

/** The engines' own words (17.x on; container_routes.go:postContainersStart). */
const REMOVED = 'starting container with non-empty request body was deprecated since API v1.22 and removed in v1.24'

const needsAnother = (found: readonly Difference[]): boolean => found.some(({ updatable }) => !updatable)

const fieldsOf = (found: readonly Difference[]): string =>
  found
    .filter(({ updatable }) => !updatable)
    .map(({ member }) => `HostConfig.${member}`)
    .join(', ')

/** Starting the container anyway would silently lose the requested settings. */
const notShown = (status: number, error: string): ProxyError =>
  new ProxyError('engine-broke-off', `the engine does not show the container before its start: ${error}`, {
    status: status >= 400 ? status : 502,
  })

const isRunning = ({ State: state }: JsonObject): boolean => isObject(state) && state['Running'] === true

/**
 * Start with a HostConfig. Settings of the body are applied before the start, all others stay as created (mergedHostConfig
 * describes how engines up to 25 differ). The engine never gets the body. What an update cannot change takes another
 * container, or is refused (`--start-hostconfig`).
 */
export async function startWithBody(message: RequestMessage, context: EmulationContext): Promise<void> {
  const wanted = takeBody(message)
  if (wanted === undefined) return
  rememberAsked({ ...message, body: wanted }, context)
  const base = message.path.replace(/\/start$/, '')
  const { status, body: container, error } = await context.engineCall('GET', `${base}/json`)
  if (status === 404) return // the start will report it
  if (status !== 200 || !isObject(container)) throw notShown(status, error)
  if (isRunning(container)) return // 304, whatever the body
  const current = container['HostConfig']
  const found = isObject(current) ? differences(mergedHostConfig(wanted, current), current) : []
  if (!needsAnother(found)) return update(context, base, found)
  if (context.policy.startHostConfig !== 'recreate')
    throw new ProxyError(
      'loss',
      `${REMOVED}: this engine cannot change ${fieldsOf(found)} of a created container, set it when creating the container`,
    )
  await recreate(message, context, wanted, container)
}

/** Replaces the container under its name; the client keeps using its id (src/engine/replaced). */
async function recreate(
  message: RequestMessage,
  context: EmulationContext,
  wanted: JsonObject,
  container: JsonObject,
): Promise<void> {
  const { replacedContainers } = context
  if (replacedContainers === undefined) throw new Error('a container can be made again only where its ids are kept')
  const clientId = replacedContainers.toClient(idOf(container))
  await replacedContainers.alone({ id: clientId, name: nameOf(container) }, async () => {
    // Another start may have replaced it meanwhile.
    const path = `/containers/${replacedContainers.toEngine(clientId)}/json`
    const { status, body: now, error } = await context.engineCall('GET', path)
    if (status === 404) return // the start will report it
    if (status !== 200 || !isObject(now)) throw notShown(status, error)
    message.path = `/containers/${idOf(now)}/start`
    if (isRunning(now)) return
    const merged = mergedHostConfig(wanted, hostConfigOf(now))
    const found = differences(merged, hostConfigOf(now))
    if (!needsAnother(found)) return update(context, `/containers/${idOf(now)}`, found)
    const reason = await whyUnsafe(context, now, merged)
    if (reason !== undefined)
      throw new ProxyError(
        'loss',
        `${REMOVED}: ${fieldsOf(found)} can be had only by making the container again, which is not safe: ${reason}. Set it when creating the container`,
      )
    const id = await makeAnew(context, now, merged, clientId)
    replacedContainers.replaced(clientId, id)
    message.path = `/containers/${id}/start`
  })
}

/** Engines from 1.12 on ignore a body of up to this size, whatever its content and type (seen on 20.10: `{}`, `null`, `{"a`). */
const UNREAD = 7

/** Removes the body from the message and returns its HostConfig. */
function takeBody(message: RequestMessage): JsonObject | undefined {
  const { body, text } = message
  if (bytesOf(message) <= UNREAD) {
    delete message.text
    message.body = undefined
    message.headers.delete('Content-Type')
    return undefined
  }
  const type = message.headers.get('Content-Type') ?? ''
  // 500 for all three on engines 1.6 … 1.11 (recordings start-hc-noct, start-hc-text, start-hc-badjson)
  const fault = !/^application\/json\s*(;|$)/i.test(type)
    ? `Content-Type specified (${type}) must be 'application/json'`
    : text !== undefined
      ? 'invalid JSON in the body of start'
      : isObject(body)
        ? undefined
        : 'json: cannot unmarshal the body of start into a HostConfig'
  if (fault !== undefined || !isObject(body)) throw new ProxyError('bad-request', fault ?? '', { status: 500 })
  message.body = undefined
  message.headers.delete('Content-Type')
  return body
}

async function update(context: EmulationContext, base: string, found: readonly Difference[]): Promise<void> {
  if (found.length === 0) return
  const body: JsonObject = {}
  for (const { member, wanted } of found) body[member] = updateValue(member, wanted)
  const { status, error } = await context.engineCall('POST', `${base}/update`, { body })
  if (status < 400) return
  const said = olderWords(status, error, context)
  throw new ProxyError('loss', said.text, { status: said.status })
}

/**
 * For clients of versions without a body: their engines refuse one of more than 7 bytes and ignore a shorter one (`{}`,
 * `null`); older engines would read both.
 */
export function refuseBody(message: RequestMessage, _context: StepContext): void {
  const length = bytesOf(message)
  delete message.text
  message.body = undefined
  if (length > UNREAD) throw new ProxyError('validation', REMOVED)
}

/** The size of the body; without the whitespace that parsed JSON had. */
const bytesOf = ({ body, text }: RequestMessage): number =>
  Buffer.byteLength(text ?? (body === undefined ? '' : JSON.stringify(body)))
