import { isObject, isUnset, type JsonObject, type JsonValue, setMember } from '../../../api/json/json.ts'
import type { Shape } from '../../../api/shapes/shape.ts'
import type { Op } from '../../change.ts'
import { type Edit, named, shapeOp } from '../everywhere.ts'
import type { Case } from '../sample.ts'

/** Parent object of a dotted member path below `object`, made when `create`. */
function parentOf(object: JsonObject, path: string, create: boolean): [JsonObject, string] | undefined {
  const names = path.split('.')
  const last = names.pop() ?? path
  let parent = object
  for (const name of names) {
    if (create && !isObject(parent[name])) parent[name] = {}
    const next = parent[name]
    if (!isObject(next)) return undefined
    parent = next
  }
  return [parent, last]
}

const move =
  (from: string, to: string, keepsEmpty: boolean): Edit =>
  (object) => {
    const source = parentOf(object, from, false)
    if (source === undefined || !Object.hasOwn(source[0], source[1])) return
    const value = source[0][source[1]]
    delete source[0][source[1]]
    if (value === undefined || (!keepsEmpty && isUnset(value))) return
    const target = parentOf(object, to, true)
    if (target !== undefined && isUnset(target[0][target[1]])) setMember(target[0], target[1], value)
  }

/**
 * A member that lives elsewhere in the same message from this version on; dotted paths below the shape. A value already
 * at the new place wins, as in the engines' own merge. An empty one is left out unless `keepsEmpty`.
 */
export function moved(
  shape: Shape,
  before: string,
  after: string,
  { keepsEmpty = false }: { readonly keepsEmpty?: boolean } = {},
): Op {
  const [up, down] = [move(before, after, keepsEmpty), move(after, before, keepsEmpty)]
  return shapeOp(
    shape,
    { words: `${named(shape, before)} is at ${after}` },
    () => ({ requestUp: up, requestDown: down, responseDown: down, responseUp: up }),
    () => {
      const toNewer: Case[] = [[nested(before, 'x'), { ...emptied(before), ...nested(after, 'x') }]]
      const toOlder: Case[] = [[nested(after, 'x'), { ...emptied(after), ...nested(before, 'x') }]]
      return { requestUp: toNewer, requestDown: toOlder, responseDown: toOlder, responseUp: toNewer }
    },
  )
}

const nested = (path: string, value: JsonValue): JsonObject =>
  path.split('.').reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value) as JsonObject

/** What is left where a member was moved away. */
const emptied = (path: string): JsonObject => {
  const parent = path.split('.').slice(0, -1).join('.')
  return parent === '' ? {} : nested(parent, {})
}
