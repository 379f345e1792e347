import type { JsonObject } from '../../api/json/json.ts'
import { operationNamed } from '../../api/operations.ts'
import { type Shape, walker } from '../../api/shapes/shape.ts'
import { type BoundChange, type ByLeg, LEGS, type Leg, type Op, type PlacedStep, sideOf } from '../change.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../message.ts'
import type { Whole } from './derived.ts'
import { type Case, casesAt } from './sample.ts'

export type Edit = (object: JsonObject, context: StepContext, whole: Whole) => void

interface ShapeFacts extends Pick<Op, 'loss' | 'keeps'> {
  readonly description: string
  /** The member that the op adds to the shape. */
  readonly member?: string
  readonly stripsNewer?: readonly Leg[]
}

/** An op that edits every object of a shape, with cases that show each leg. */
export function shapeOp(
  shape: Shape,
  { member, stripsNewer = [], ...facts }: ShapeFacts,
  edits: (change: BoundChange) => ByLeg<Edit>,
  cases: (change: BoundChange) => ByLeg<readonly Case[]> = () => ({}),
): Op {
  const stepsOn = (leg: Leg, edit: Edit | undefined): PlacedStep[] =>
    edit === undefined ? [] : everywhere(shape, leg, edit, stripsNewer.includes(leg))
  return {
    ...facts,
    ...(member === undefined ? {} : { adds: { shape: shape.name, member } }),
    steps: (change) => {
      const byLeg = edits(change)
      return LEGS.flatMap((leg) => stepsOn(leg, byLeg[leg]))
    },
    examples: (change, on) => {
      const byLeg = cases(change)
      return LEGS.flatMap((leg) => casesAt(shape, leg, byLeg[leg] ?? [], on))
    },
  }
}

/** One body step for each place of the shape on the leg's side. */
function everywhere(shape: Shape, leg: Leg, edit: Edit, stripsNewer: boolean): PlacedStep[] {
  return shape.places
    .filter((place) => place.side === sideOf(leg))
    .map(({ operation, path }) => {
      const inList = path === EACH || path.startsWith(`${EACH}.`)
      const walk = walker(inList ? path.slice(EACH.length + 1) : path)
      const one = (whole: Whole, context: StepContext): void => walk(whole, (object) => edit(object, context, whole))
      const run = ({ body }: RequestMessage | ResponseMessage, context: StepContext): void => {
        if (!inList) one(body, context)
        else if (Array.isArray(body)) for (const element of body) one(element, context)
      }
      const placed = { operation, part: 'body', leg, run } as const
      return {
        ...placed,
        ...(inList || operationNamed(operation).response === 'progress' ? { elementwise: true } : {}),
        ...(stripsNewer ? { stripsNewer } : {}),
      }
    })
}

const EACH = '[]'

/** `HostConfig.CpuPeriod`, as a person would name it. */
export const named = (shape: Shape, member: string): string =>
  shape.name === 'ContainerConfig' ? member : `${shape.name}.${member}`
