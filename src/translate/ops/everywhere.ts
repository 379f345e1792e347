import type { PlacedStep } from '../change.ts'
import { type JsonObject, type JsonValue, setMember } from '../json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../message.ts'
import { type Shape, walker } from '../shape.ts'

/** The body that an object stands in; of a list the one element. */
export type Whole = JsonValue | undefined

/** A value, or how to get one from the object that lacks it. A function's undefined leaves the member out. */
export type Derived = JsonValue | ((object: JsonObject, context: StepContext, whole: Whole) => JsonValue | undefined)

export const derive = (
  value: Derived,
  object: JsonObject,
  context: StepContext,
  whole: Whole,
): JsonValue | undefined => (typeof value === 'function' ? value(object, context, whole) : ownCopy(value))

export const ownCopy = (value: JsonValue): JsonValue =>
  typeof value === 'object' && value !== null ? structuredClone(value) : value

export function setIfMissing(object: JsonObject, member: string, value: JsonValue | undefined): void {
  if (object[member] === undefined && value !== undefined) setMember(object, member, value)
}

export type Edit = (object: JsonObject, context: StepContext, whole: Whole) => void

export interface EverywhereOptions {
  readonly stripsNewer?: true
  readonly create?: boolean
}

/** One body step for each place of the shape on the leg's side. */
export function everywhere(
  shape: Shape,
  leg: PlacedStep['leg'],
  edit: Edit,
  { stripsNewer, create }: EverywhereOptions = {},
): PlacedStep[] {
  const side = leg.startsWith('request') ? 'request' : 'response'
  return shape.places
    .filter((place) => place.side === side)
    .map(({ operation, path }) => {
      const inList = path === EACH || path.startsWith(`${EACH}.`)
      const walk = walker(inList ? path.slice(EACH.length + 1) : path)
      const one = (whole: Whole, context: StepContext): void =>
        walk(whole, (object) => edit(object, context, whole), create)
      const run = ({ body }: RequestMessage | ResponseMessage, context: StepContext): void => {
        if (!inList) one(body, context)
        else if (Array.isArray(body)) for (const element of body) one(element, context)
      }
      const placed = { operation, part: 'body', kind: 'step', leg, run } as const
      return {
        ...placed,
        ...(inList ? { elementwise: true } : {}),
        ...(stripsNewer ? { stripsNewer } : {}),
      } as PlacedStep
    })
}

const EACH = '[]'

/** `HostConfig.CpuPeriod`, as a person would name it. */
export const named = (shape: Shape, member: string): string =>
  shape.name === 'ContainerConfig' ? member : `${shape.name}.${member}`
