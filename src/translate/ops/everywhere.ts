import type { PlacedStep } from '../change.ts'
import type { Spell } from '../edits.ts'
import { type JsonObject, type JsonValue, setMember } from '../json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../message.ts'
import { type Place, type Shape, walker } from '../shape.ts'

/** A value, or how to get one from the object that lacks it. A function's undefined leaves the member out. */
export type Derived =
  | JsonValue
  | ((object: JsonObject, context: StepContext, message: ResponseMessage) => JsonValue | undefined)

export const derive = (
  value: Derived,
  object: JsonObject,
  context: StepContext,
  message: ResponseMessage,
): JsonValue | undefined => (typeof value === 'function' ? value(object, context, message) : ownCopy(value))

/** Whether the value depends on more of the message than the object that lacks it: its function asks for the message. */
export const looksBeside = (value: Derived | undefined): { looksBeside: boolean } => ({
  looksBeside: typeof value === 'function' && value.length > 2,
})

/** A value that is always the same takes no look at any other member; of one that is made, the rule says what it is made of. */
export const seesFor = (
  member: string,
  value: Derived | undefined,
  seesBeside?: readonly string[],
): Pick<EverywhereOptions, 'sees' | 'seesBeside'> => {
  if (seesBeside !== undefined) return { sees: [member], seesBeside }
  return typeof value === 'function' ? {} : { sees: [member] }
}

export const ownCopy = (value: JsonValue): JsonValue =>
  typeof value === 'object' && value !== null ? structuredClone(value) : value

export function setIfMissing(object: JsonObject, member: string, value: JsonValue | undefined): void {
  if (object[member] === undefined && value !== undefined) setMember(object, member, value)
}

export type Edit = (object: JsonObject, context: StepContext, message: RequestMessage & ResponseMessage) => void

export interface EverywhereOptions {
  readonly stripsNewer?: true
  readonly create?: boolean
  readonly looksBeside?: boolean
  /** The member that is all it touches: edits.ts. */
  readonly takesOut?: string
  readonly respells?: string
  readonly spell?: Spell
  /** All members of the object that it looks at and sets. */
  readonly sees?: readonly string[]
  /** And what it looks at beside: edits.ts. */
  readonly seesBeside?: readonly string[]
}

const inside = ({ path }: Place, member: string): string => (path === '' ? member : `${path}.${member}`)

/** One body step for each place of the shape on the leg's side. */
export function everywhere(
  shape: Shape,
  leg: PlacedStep['leg'],
  edit: Edit,
  options: EverywhereOptions = {},
): PlacedStep[] {
  const side = leg.startsWith('request') ? 'request' : 'response'
  return shape.places
    .filter((place) => place.side === side)
    .map((place: Place) => {
      const walk = walker(place.path)
      const run = (message: RequestMessage | ResponseMessage, context: StepContext): void =>
        walk(
          message.body,
          (object) => edit(object, context, message as RequestMessage & ResponseMessage),
          options.create,
        )
      const elementwise = place.path.startsWith('[]') && !options.looksBeside ? { elementwise: true } : {}
      const touches = {
        ...(options.takesOut === undefined ? {} : { takesOut: inside(place, options.takesOut) }),
        ...(options.respells === undefined ? {} : { respells: inside(place, options.respells) }),
        ...(options.spell === undefined ? {} : { spell: options.spell }),
        ...(options.sees === undefined
          ? {}
          : { sees: [...options.sees.map((member) => inside(place, member)), ...(options.seesBeside ?? [])] }),
      }
      const placed = {
        operation: place.operation,
        part: 'body',
        kind: 'step',
        leg,
        run,
        ...elementwise,
        ...touches,
      } as const
      return (options.stripsNewer ? { ...placed, stripsNewer: true } : placed) as PlacedStep
    })
}

/** `HostConfig.CpuPeriod`, as a person would name it. */
export const named = (shape: Shape, member: string): string =>
  shape.name === 'ContainerConfig' ? member : `${shape.name}.${member}`
