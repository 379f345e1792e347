import { type JsonObject, type JsonValue, setMember } from '../../api/json/json.ts'
import type { OperationName } from '../../api/operations.ts'
import { type Shape, walker } from '../../api/shapes/shape.ts'
import type { PlacedStep } from '../change.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../message.ts'
import { ByClient, forClient } from './by-client.ts'

/** The body that an object stands in; of a list the one element. */
export type Whole = JsonValue | undefined

/** A value, or how to get one from the object that lacks it. A function's undefined leaves the member out. */
export type Derive = (object: JsonObject, context: StepContext, whole: Whole) => JsonValue | undefined
export type Derived = JsonValue | Derive | ByClient<JsonValue | Derive>

/** A value that the rule itself says, so that an example can be made of it. */
export const isPlain = (value: Derived): value is JsonValue =>
  typeof value !== 'function' && !(value instanceof ByClient)

export const derive = (
  value: Derived,
  object: JsonObject,
  context: StepContext,
  whole: Whole,
): JsonValue | undefined => {
  const own = forClient(value, context.client)
  return typeof own === 'function' ? own(object, context, whole) : own === undefined ? undefined : ownCopy(own)
}

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

/**
 * Answers are written next, and a member that is undefined is not: `delete` would make the object a slow one (measured on
 * lists: twice the time).
 */
export const takeOut =
  (member: string): Edit =>
  (object) => {
    if (object[member] !== undefined) object[member] = undefined
  }

/** One operation, or several. */
export const list = (operations: OperationName | readonly OperationName[]): readonly OperationName[] =>
  typeof operations === 'string' ? [operations] : operations
