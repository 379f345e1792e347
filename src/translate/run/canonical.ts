import type { JsonValue } from '../../api/json/json.ts'
import { Names, respell } from '../../api/json/names.ts'
import type { OperationName } from '../../api/operations.ts'
import { type Shape, walker } from '../../api/shapes/shape.ts'
import type { BoundChange } from '../change.ts'

/** Gives the members of a body their canonical spelling; true if any was changed. */
export type RespellBody = (body: JsonValue | undefined) => boolean

/**
 * Engines match member names case-insensitively and merge duplicates (encoding/json). A step that reads `HostConfig`
 * must find `hostconfig` too, so requests get the canonical spelling before any step, check or policy reads them.
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
  // Outer objects first: the path to an inner shape must be spelled canonically before it is walked.
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

const depth = (path: string): number => (path === '' ? 0 : path.split('.').length)

function spellings(shape: Shape, changes: readonly BoundChange[]): Names {
  const later = changes.flatMap(({ ops }) =>
    ops.flatMap((op) => (op.adds?.shape === shape.name ? [op.adds.member] : [])),
  )
  return new Names([...shape.members, ...later])
}
