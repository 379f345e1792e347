import * as ofContainers from './container-shapes.ts'
import type { Shape } from './shape.ts'
import * as ofSwarms from './swarm-shapes.ts'
import * as ofSystem from './system-shapes.ts'

/**
 * JSON objects that occur in several messages, with all their places. `members` are those of 1.18 in canonical
 * spelling; the rules add later ones (`added`).
 * Source: the engines' own structs (api/types), by version in docs/api.
 */
export * from './container-shapes.ts'
export * from './system-shapes.ts'

/** All shapes, for the startup check and the canonical spelling of requests. */
export const shapes: readonly Shape[] = [ofContainers, ofSystem, ofSwarms].flatMap((file) => Object.values<Shape>(file))
