import type { Touches } from './edits.ts'
import type { JsonObject } from './json.ts'
import type { ResponseStep } from './message.ts'
import { walker } from './shape.ts'

/**
 * The same steps for a body that is written as JSON next: those that take out members one after the other are one for each
 * object. A plan has dozens of them, and most of what they take is finding the object.
 */
export function fused(steps: readonly (Touches & { readonly run: ResponseStep })[]): ResponseStep[] {
  const all: ResponseStep[] = []
  let members = new Map<string, string[]>()
  const takeOut = (): void => {
    for (const [path, names] of members) all.push(takesOut(path, names))
    members = new Map()
  }
  for (const step of steps) {
    if (step.takesOut === undefined) {
      takeOut()
      all.push(step.run)
      continue
    }
    const dot = step.takesOut.lastIndexOf('.')
    const path = step.takesOut.slice(0, Math.max(dot, 0))
    members.set(path, [...(members.get(path) ?? []), step.takesOut.slice(dot + 1)])
  }
  takeOut()
  return all
}

/**
 * Sets to undefined what is to go: an object that lost a member by `delete` loses its shape, and takes twice as long to be
 * translated and written (measured on lists).
 */
function takesOut(path: string, names: readonly string[]): ResponseStep {
  const walk = walker(path)
  const visit = (object: JsonObject): void => {
    for (const name of names) if (object[name] !== undefined) object[name] = undefined
  }
  return ({ body }) => walk(body, visit)
}
