import { ProxyError } from '../../api/errors.ts'
import { isObject, type JsonObject, memberAt } from '../../api/json/json.ts'
import type { EngineAnswer } from '../message.ts'
import { idOf, isEnding, nameOf, REPLACES, setAside } from './label.ts'

export type Call = (method: 'GET' | 'POST' | 'DELETE', path: string) => Promise<EngineAnswer>

/** An inspected container; undefined if it is not there. */
export async function shown(call: Call, said: string): Promise<JsonObject | undefined> {
  const { status, body, error } = await call('GET', `/containers/${said}/json`)
  if (status === 404) return undefined
  if (status >= 400 || !isObject(body))
    throw new ProxyError('engine-broke-off', error || 'the engine returned no container')
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
