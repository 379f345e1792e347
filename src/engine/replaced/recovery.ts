import type { EngineFacts } from '../../api/engine-facts.ts'
import { isObject, type JsonObject, listOf, memberAt, stringOf } from '../../api/json/json.ts'
import type { EngineAnswer } from '../../translate/message.ts'
import { isEnding, nameSetAside, REPLACES, SET_ASIDE, setAside } from '../../translate/replaced/label.ts'

/** Calls the engine at its highest version. */
export type CallEngine = (facts: EngineFacts, method: 'GET' | 'POST' | 'DELETE', path: string) => Promise<EngineAnswer>

/** A replacement that was interrupted when its bridge ended. */
export interface Left {
  readonly name: string
  /** Oldest first: the client's container, then its replacements. */
  readonly containers: readonly JsonObject[]
}

export const idOf = (container: JsonObject): string => String(container['Id'] ?? '')

/**
 * Containers set aside on an engine, by their former names. Those whose names do not contain the former one cannot be
 * restored.
 */
export async function leftSetAside(call: CallEngine, facts: EngineFacts): Promise<Left[]> {
  const filters = new URLSearchParams({ filters: JSON.stringify({ name: [SET_ASIDE] }) })
  const named = containersIn(await call(facts, 'GET', `/containers/json?all=1&${filters}`)).flatMap((container) => {
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
 * is the client's. It gets its name back, the others are removed. It is intact until the last step removes it
 * (rules/emulate/recreate.ts), so nothing is lost. If a container was started since, or is not ours, nothing is
 * changed. Returns the outcome in words, and whether the replacement is over.
 */
export async function putBack(
  call: CallEngine,
  facts: EngineFacts,
  { name, containers }: Left,
  clientOf: (id: string) => string,
): Promise<{ readonly outcome: string; readonly isOver: boolean }> {
  const called = (await inspected(call, facts, [name])).filter((one) => nameOf(one) === name)
  const aside = (await inspected(call, facts, containers.map(idOf))).filter(
    (one) => nameSetAside(idOf(one), nameOf(one)) === name,
  )
  const [original, ...made] = [...called, ...aside].sort((a, b) => createdAt(a) - createdAt(b))
  if (original === undefined || aside.length === 0) return { outcome: 'somebody else has put it back', isOver: true }
  if (isEnding(original))
    return { outcome: 'its own removal is under way: the one made in its stead stays', isOver: false }
  const client = clientOf(idOf(original))
  const foreign = made.find(
    (one) => stringOf(memberAt(one, 'Config', 'Labels', REPLACES)) !== client || !neverStarted(one),
  )
  if (foreign !== undefined) {
    return { outcome: `container ${idOf(foreign)} is not ours to remove: all is left as it is`, isOver: false }
  }
  for (const one of made) {
    // Renamed first: events of its removal are then hidden from clients.
    if (nameOf(one) === name) await must(call(facts, 'POST', renamed(idOf(one), setAside(idOf(one), name))))
    await must(call(facts, 'DELETE', `/containers/${idOf(one)}?v=1`))
  }
  if (nameOf(original) !== name) await must(call(facts, 'POST', renamed(idOf(original), name)))
  return { outcome: 'it is as it was', isOver: true }
}

const renamed = (id: string, name: string): string => `/containers/${id}/rename?${new URLSearchParams({ name })}`

async function inspected(call: CallEngine, facts: EngineFacts, said: readonly string[]): Promise<JsonObject[]> {
  const answers = await Promise.all(said.map((one) => call(facts, 'GET', `/containers/${one}/json`)))
  return answers.flatMap(({ status, body, error }) => {
    if (status === 404) return []
    if (status >= 400 || !isObject(body)) throw new Error(error || 'the engine returned no container')
    return [body]
  })
}

const createdAt = (container: JsonObject): number => Date.parse(String(container['Created']))

async function must(answer: Promise<EngineAnswer>): Promise<void> {
  const { status, error } = await answer
  if (status >= 400 && status !== 404) throw new Error(error)
}

const nameOf = (container: JsonObject): string => String(container['Name'] ?? '').replace(/^\//, '')

const neverStarted = (container: JsonObject): boolean => memberAt(container, 'State', 'Status') === 'created'
