import type { OperationName } from '../api/operations.ts'
import type { BoundChange } from './change.ts'
import { type JsonObject, setMember } from './json.ts'
import type { RequestStep } from './message.ts'
import { type Shape, walker } from './shape.ts'
import { unwrapStartBody } from './start-body.ts'

/**
 * Engines match member names without regard to case, the last one winning (encoding/json). A step that looks for
 * `HostConfig` must find `hostconfig` too, so requests get the canonical spelling before any step.
 */
export function canonicalMembers(
  shapes: readonly Shape[],
  changes: readonly BoundChange[],
  operation: OperationName,
): RequestStep[] {
  const places = shapes.flatMap((shape) =>
    shape.places
      .filter((place) => place.operation === operation && place.side === 'request')
      .map((place) => ({ path: place.path, names: spellings(shape, changes) })),
  )
  // Outer objects first: the way to an inner shape must be spelled right before it is walked.
  places.sort((a, b) => depth(a.path) - depth(b.path))
  const steps = places.map(({ path, names }): RequestStep => {
    const walk = walker(path)
    return (message) => walk(message.body, (object) => respell(object, names))
  })
  return operation === 'ContainerStart' ? [...steps, unwrapStartBody, ...steps] : steps
}

const depth = (path: string): number => (path === '' ? 0 : path.split('.').length)

function spellings(shape: Shape, changes: readonly BoundChange[]): Map<string, string> {
  const later = changes.flatMap(({ change }) =>
    change.ops.flatMap((op) => (op.adds?.shape === shape.name ? [op.adds.member] : [])),
  )
  return new Map([...shape.members, ...later].map((member) => [member.toLowerCase(), member]))
}

function respell(object: JsonObject, names: Map<string, string>): void {
  for (const key of Object.keys(object)) {
    const canonical = names.get(key.toLowerCase())
    if (canonical === undefined || canonical === key) continue
    const value = object[key]
    delete object[key]
    // Keys are visited in the order of the text, so a later spelling overwrites an earlier one, as in Go.
    if (value !== undefined) setMember(object, canonical, value)
  }
}
