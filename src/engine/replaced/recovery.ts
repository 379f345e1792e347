import { isObject, type JsonObject, listOf, memberAt } from '../../api/json/json.ts'
import type { EngineAnswer } from '../../translate/message.ts'
import { idOf, isEnding, nameOf, nameSetAside, REPLACES, SET_ASIDE, setAside } from '../../translate/replaced/label.ts'

export type Call = (method: 'GET' | 'POST' | 'DELETE', path: string) => Promise<EngineAnswer>

/** A replacement that was interrupted when its bridge ended. */
export interface Left {
  readonly name: string
  /** Oldest first: the client's container, then its replacements. */
  readonly containers: readonly JsonObject[]
}

/**
 * Containers set aside on an engine, by their former names. Those whose names do not contain the former one cannot be
 * restored.
 */
export async function leftSetAside(call: Call): Promise<Left[]> {
  const filters = new URLSearchParams({ filters: JSON.stringify({ name: [SET_ASIDE] }) })
  const named = containersIn(await call('GET', `/containers/json?all=1&${filters}`)).flatMap((container) => {
    const names = listOf(container['Names']).map(String)
    const name = names.map((one) => nameSetAside(idOf(container), one)).find((one) => one !== undefined)
    return name === undefined ? [] : [{ name, container }]
  })
  const byName = Map.groupBy(named, ({ name }) => name)
  return [...byName].map(([name, group]) => ({
    name,
    containers: oldestFirst(group.map(({ container }) => container)),
  }))
}

/** A failed list must not look empty. */
export function containersIn({ status, body, error }: EngineAnswer): JsonObject[] {
  if (status !== 200 || (body !== null && !Array.isArray(body))) throw new Error(error || 'the engine returned no list')
  return (body ?? []).filter(isObject)
}

/** Lists tell seconds, and name the newest of one second first (container/history.go, moby). */
const oldestFirst = (containers: readonly JsonObject[]): JsonObject[] =>
  containers.toReversed().sort((a, b) => Number(a['Created']) - Number(b['Created']))

/**
 * Undoes an interrupted replacement: of the containers set aside under a name and the one that has it now, the oldest
 * is the client's. Resolves with the problem if the replacement is not over.
 */
export async function putBack(
  call: Call,
  { name, containers }: Left,
  clientOf: (id: string) => string,
): Promise<string | undefined> {
  const [called, ...others] = await Promise.all([name, ...containers.map(idOf)].map((said) => shown(call, said)))
  const aside = others.filter((one) => one !== undefined).filter((one) => nameSetAside(idOf(one), nameOf(one)) === name)
  const all = called !== undefined && nameOf(called) === name ? [called, ...aside] : aside
  const [original, ...made] = all.sort((a, b) => createdAt(a) - createdAt(b))
  if (original === undefined || aside.length === 0) return undefined // by somebody else
  return undo(call, { name, client: clientOf(idOf(original)), original, made })
}

const createdAt = (container: JsonObject): number => Date.parse(String(container['Created']))

/** An inspected container; undefined if it is not there. */
export async function shown(call: Call, said: string): Promise<JsonObject | undefined> {
  const { status, body, error } = await call('GET', `/containers/${said}/json`)
  if (status === 404) return undefined
  if (status >= 400 || !isObject(body)) throw new Error(error || 'the engine returned no container')
  return body
}

interface Halfway {
  readonly name: string
  /** The id that the client knows. */
  readonly client: string
  /** Complete until the last step of a replacement removes it (rules/emulate/recreate.ts). */
  readonly original: JsonObject
  readonly made: readonly JsonObject[]
}

/**
 * Removes what was made to replace a container, and gives the original its name back. Changes nothing if one of them was
 * started since, or is not the bridge's. Resolves with what could not be undone.
 */
export async function undo(call: Call, { name, client, original, made }: Halfway): Promise<string | undefined> {
  if (isEnding(original)) return 'its own removal is under way: the one made in its stead stays'
  const foreign = made.find(
    (one) => memberAt(one, 'Config', 'Labels', REPLACES) !== client || memberAt(one, 'State', 'Status') !== 'created',
  )
  if (foreign !== undefined) return `container ${idOf(foreign)} is not ours to remove: all is left as it is`
  const problems: string[] = []
  const tell = (words: string, { status, error }: EngineAnswer): void => {
    if (status >= 400 && status !== 404) problems.push(`${words}: ${error}`)
  }
  const rename = (one: JsonObject, to: string): Promise<EngineAnswer> =>
    call('POST', `/containers/${idOf(one)}/rename?${new URLSearchParams({ name: to })}`)
  for (const one of made) {
    const left = `container ${idOf(one)} is left over`
    // Renamed first: events of its removal are then hidden from clients.
    if (nameOf(one) === name) tell(left, await rename(one, setAside(idOf(one), name)))
    tell(left, await call('DELETE', `/containers/${idOf(one)}?v=1`))
  }
  if (nameOf(original) !== name)
    tell(`container ${idOf(original)} is called ${nameOf(original)} now`, await rename(original, name))
  return problems.length === 0 ? undefined : problems.join('; ')
}
