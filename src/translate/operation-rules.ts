import type { OperationName } from '../api/operations.ts'
import type { Shape } from '../api/shapes/shape.ts'
import { type BoundChange, type PlacedStep, stepsOf } from './change.ts'
import type { RequestStep } from './message.ts'
import { type RespellBody, respellBody } from './run/canonical.ts'

export interface Rules {
  /** Ascending by version, within a version in file order; the deviations of the specification in their own order. */
  readonly changes: readonly BoundChange[]
  readonly shapes: readonly Shape[]
  /** Reads a request before any change sees it. */
  readonly readings?: Partial<Record<OperationName, RequestStep>>
}

export type ChangeStep = { readonly step: PlacedStep; readonly change: BoundChange }

/** The rules of one operation, for all versions. */
export interface OperationRules {
  readonly steps: readonly ChangeStep[]
  readonly reading: RequestStep | undefined
  readonly respell: RespellBody
}

const found = new WeakMap<Rules, Map<OperationName, OperationRules>>()

/** Cached: a search through all rules takes longer than compiling a plan. */
export function operationRules(rules: Rules, operation: OperationName): OperationRules {
  const all = found.get(rules) ?? new Map<OperationName, OperationRules>()
  found.set(rules, all)
  const known = all.get(operation)
  if (known !== undefined) return known
  const steps = rules.changes.flatMap((change) =>
    stepsOf(change).flatMap((step) => (step.operation === operation ? [{ step, change }] : [])),
  )
  const respell = respellBody(rules.shapes, rules.changes, operation)
  const own = { steps, respell, reading: rules.readings?.[operation] }
  all.set(operation, own)
  return own
}
