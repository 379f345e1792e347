import { words } from '../../config/text.ts'
import { isObject, type JsonObject, type JsonValue } from '../json/json.ts'
import type { OperationName } from '../operations.ts'

/**
 * A place where a shape occurs: an operation's request or response body and the path into it. `''` is the body itself,
 * `HostConfig` a member, `[]` every element of an array, `{}` every value of a map: `NetworkSettings.Networks.{}`.
 */
export interface Place {
  readonly operation: OperationName
  readonly side: 'request' | 'response'
  readonly path: string
}

/** A JSON object that occurs in several messages, with all its places. */
export interface Shape {
  readonly name: string
  /** Canonical spelling of the members of 1.18 (the rules add later ones). */
  readonly members: readonly string[]
  readonly places: readonly Place[]
}

export const request = (operation: OperationName, path = ''): Place => ({ operation, side: 'request', path })
export const response = (operation: OperationName, path = ''): Place => ({ operation, side: 'response', path })

/** The same places, a path further in. */
export const inside = (places: readonly Place[], path: string): Place[] =>
  places.map((place) => ({ ...place, path: place.path === '' ? path : `${place.path}.${path}` }))

/** `members`: names with white space between, none where no request has the object. */
export const shape = (name: string, members: string, places: readonly Place[]): Shape => ({
  name,
  members: words(members),
  places,
})

type Visit = (object: JsonObject) => void

/** Compiles a path once, to call `visit` with every object at it. */
export function walker(path: string): (body: JsonValue | undefined, visit: Visit) => void {
  const steps = path === '' ? [] : path.split('.')
  return (body, visit) => walk(body, steps, 0, visit)
}

function walk(body: JsonValue | undefined, steps: readonly string[], from: number, visit: Visit): void {
  let value = body
  for (let at = from; at < steps.length; at++) {
    const step = steps[at] ?? ''
    if (step === '[]') {
      if (Array.isArray(value)) for (const element of value) walk(element, steps, at + 1, visit)
      return
    }
    if (!isObject(value)) return
    if (step === '{}') {
      for (const key of Object.keys(value)) walk(value[key], steps, at + 1, visit)
      return
    }
    value = value[step]
  }
  if (isObject(value)) visit(value)
}

/** A shape with a subset of its places. */
export const onlyIn = (of: Shape, ...operations: readonly OperationName[]): Shape => ({
  ...of,
  places: of.places.filter((place) => operations.includes(place.operation)),
})

/** A shape on one side only. */
export const onSide = (of: Shape, side: 'request' | 'response'): Shape => ({
  ...of,
  places: of.places.filter((place) => place.side === side),
})

/** The values at a path below each object of a shape: `Mounts.[]` below `HostConfig` is called `HostConfig.Mounts[]`. */
export const below = ({ name, places }: Shape, path: string, members = ''): Shape =>
  shape(`${name}.${path.replaceAll(/\.(?=\[|\{)/g, '')}`, members, inside(places, path))
