import type { JsonValue } from '../../api/json/json.ts'
import { Names, respell } from '../../api/json/names.ts'
import type { OperationName } from '../../api/operations.ts'
import { type Shape, walker } from '../../api/shapes/shape.ts'
import type { BoundChange } from '../change.ts'
import type { RequestStep } from '../message.ts'
import { unwrapStartBody } from '../start-body.ts'

/** Gives the members of a body their canonical spelling; true when one had another. */
export type RespellBody = (body: JsonValue | undefined) => boolean

/**
 * Engines match member names without regard to case, a second one being merged with the first (encoding/json). A step
 * that looks for `HostConfig` must find `hostconfig` too, so requests get the canonical spelling before any step, and
 * before anybody looks at them.
 */
export function respellBody(
  shapes: readonly Shape[],
  changes: readonly BoundChange[],
  operation: OperationName,
): RespellBody {
  const places = shapes.flatMap((shape) =>
    shape.places
      .filter((place) => place.operation === operation && place.side === 'request')
      .map((place) => ({ path: place.path, names: spellings(shape, changes) })),
  )
  // Outer objects first: the way to an inner shape must be spelled right before it is walked.
  places.sort((a, b) => depth(a.path) - depth(b.path))
  const spellers = places.map(({ path, names }) => ({ walk: walker(path), names }))
  return (body) => {
    let changed = false
    for (const { walk, names } of spellers) {
      walk(body, (object) => {
        if (respell(object, names)) changed = true
      })
    }
    return changed
  }
}

/** The same as steps, with the start's body unwrapped between. */
export function canonicalMembers(operation: OperationName, respellAll: RespellBody): RequestStep[] {
  const step: RequestStep = ({ body }) => void respellAll(body)
  return operation === 'ContainerStart' ? [step, unwrapStartBody, step] : [step]
}

const depth = (path: string): number => (path === '' ? 0 : path.split('.').length)

function spellings(shape: Shape, changes: readonly BoundChange[]): Names {
  const later = changes.flatMap(({ change }) =>
    change.ops.flatMap((op) => (op.adds?.shape === shape.name ? [op.adds.member] : [])),
  )
  return new Names([...shape.members, ...later])
}
