import { isObject, type JsonObject, listOf } from '../../api/json/json.ts'
import type { EngineAnswer } from '../../translate/message.ts'
import { idOf, nameOf, nameSetAside, SET_ASIDE } from '../../translate/replaced/label.ts'
import { type Call, shown, undo } from '../../translate/replaced/undo.ts'

/** A replacement that was interrupted when its bridge ended. */
export interface Left {
  readonly name: string
  /** Oldest first: the client's container, then its replacements. */
  readonly containers: readonly JsonObject[]
}

/** Containers set aside on an engine, by former name. Those whose names lack the former one cannot be restored. */
export async function leftSetAside(call: Call): Promise<Left[]> {
  const filters = new URLSearchParams({ filters: JSON.stringify({ name: [SET_ASIDE] }) })
  const named = containersIn(await call('GET', `/containers/json?all=1&${filters}`)).flatMap((container) => {
    const names = listOf(container['Names']).map(String)
    const name = names.map((one) => nameSetAside(idOf(container), one)).find((one) => one !== undefined)
    return name === undefined ? [] : [{ name, container }]
  })
  const byName = Map.groupBy(named, ({ name }) => name)
  return [...byName].map(([name, group]) => ({ name, containers: oldestFirst(group.map((one) => one.container)) }))
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
