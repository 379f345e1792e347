import { isObject, isUnset, type JsonObject, memberAt, setMember } from '../../../api/json/json.ts'
import type { Shape } from '../../../api/shapes/shape.ts'
import type { Op } from '../../change.ts'
import { bodyWith } from '../../example.ts'
import { named, shapeOp } from '../everywhere.ts'
import type { Case } from '../sample.ts'

/** The steps to the parent of a dotted path, and the last one. */
const split = (path: string): [parents: string[], last: string] => {
  const steps = path.split('.')
  return [steps.slice(0, -1), steps.at(-1) ?? path]
}

export function move(from: string, to: string, keepsEmpty = false): (object: JsonObject) => void {
  const [parents, name] = split(from)
  const [others, other] = split(to)
  return (object) => {
    const source = memberAt(object, ...parents)
    if (!isObject(source) || !Object.hasOwn(source, name)) return
    const value = source[name]
    delete source[name]
    if (value === undefined || (!keepsEmpty && isUnset(value))) return
    let target = object
    for (const step of others) {
      const next = target[step]
      const inner: JsonObject = isObject(next) ? next : {}
      target[step] = inner
      target = inner
    }
    if (isUnset(target[other])) setMember(target, other, value)
  }
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
  const at = (path: string): JsonObject => bodyWith(path, 'x') as JsonObject
  const emptied = (path: string): JsonObject => bodyWith(split(path)[0].join('.'), {}) as JsonObject
  const toNewer: Case[] = [[at(before), { ...emptied(before), ...at(after) }]]
  const toOlder: Case[] = [[at(after), { ...emptied(after), ...at(before) }]]
  return shapeOp(
    shape,
    { description: `${named(shape, before)} is at ${after}` },
    () => ({ requestUp: up, requestDown: down, responseDown: down, responseUp: up }),
    () => ({ requestUp: toNewer, requestDown: toOlder, responseDown: toOlder, responseUp: toNewer }),
  )
}
