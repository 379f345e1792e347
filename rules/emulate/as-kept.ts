import { type JsonObject, type JsonValue, listOf, memberAt, stringOf } from '../../src/api/json/json.ts'
import type { EmulationContext } from '../../src/translate/message.ts'
import { idOf, isFullId, nameOf } from '../../src/translate/replaced/label.ts'
import { shown as inspected } from '../../src/translate/replaced/undo.ts'
import { networkOfMode } from '../by-hand/endpoints.ts'

/**
 * A HostConfig in the words of `shown`, the engine's, where both mean the same container. Engines from 17.09 on keep the id of one
 * whose namespace is shared (daemon/daemon_unix.go:adaptSharedNamespaceContainer), and all keep the name of a linked one.
 */
export async function asKept(context: EmulationContext, wanted: JsonObject, shown: JsonObject): Promise<JsonObject> {
  const kept: JsonObject = { ...wanted }
  for (const member of ['NetworkMode', 'IpcMode', 'PidMode']) {
    const [asked, has] = [lenderIn(wanted[member]), lenderIn(shown[member])]
    if (asked === undefined || has === undefined) continue
    const isSame = asked === has || (isFullId(has) && idOf((await called(context, asked)) ?? {}) === has)
    if (isSame) kept[member] = shown[member]
  }
  const { NetworkMode: asked } = kept
  const { NetworkMode: has } = shown
  if (asked !== has && (await networkNamed(context, asked)) === (await networkNamed(context, has)))
    kept['NetworkMode'] = has
  const links = listOf(wanted['Links'])
  // Each is a call to the engine: no more than the container has.
  if (links.length === 0 || links.length !== listOf(shown['Links']).length) return kept
  const byName: JsonValue[] = []
  for (const link of links) byName.push(await linkByName(context, link))
  return { ...kept, Links: byName }
}

/** The name of the network that a NetworkMode names; host, none and container:… as they are. Engines keep an id as it was spelled. */
export async function networkNamed(context: EmulationContext, mode: JsonValue | undefined): Promise<string> {
  const network = networkOfMode(mode) ?? String(mode)
  if (!/^[0-9a-f]+$/.test(network)) return network
  const { body } = await context.engineCall('GET', `/networks/${network}`)
  return stringOf(memberAt(body, 'Name')) || network
}

const lenderIn = (mode: JsonValue | undefined): string | undefined => /^container:\/?(.+)$/s.exec(stringOf(mode))?.[1]

async function linkByName(context: EmulationContext, link: JsonValue): Promise<JsonValue> {
  const [, id, alias = `:${id}`] = /^\/?([0-9a-f]{12,64})(:.*)?$/s.exec(stringOf(link)) ?? []
  const container = id === undefined ? undefined : await called(context, id)
  return container === undefined ? link : `${nameOf(container)}${alias}`
}

/** The container of that name or id, if there is one. */
export async function called(context: EmulationContext, name: string): Promise<JsonObject | undefined> {
  return inspected((method, path) => context.engineCall(method, path), encodeURIComponent(name))
}
