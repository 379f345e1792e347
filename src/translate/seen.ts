import { type Edits, EditTree, type Touches } from './edits.ts'
import { fused } from './fused.ts'
import type { ResponseStep } from './message.ts'

/**
 * What is done to an object whose plan also has steps that are no edits, but see a few members only: the bytes are edited,
 * and the steps run on a body that has nothing but these members.
 */
export interface SeenEdits {
  readonly edits: Edits
  readonly steps: readonly ResponseStep[]
}

type Step = Touches & { readonly run: ResponseStep }

/** What these steps come to; undefined where one may see anything. */
export function seenEditsOf(steps: readonly Step[]): SeenEdits | undefined {
  const seen = new Set<string>()
  const run = new Set<Step>()
  for (const step of steps) {
    if (isEdit(step)) continue
    if (step.sees === undefined) return undefined
    run.add(step)
    for (const path of step.sees) seen.add(path)
  }
  if (seen.size === 0 || !together(steps, seen, run)) return undefined
  const tree = new EditTree()
  if (!tree.add(steps.filter((step) => !run.has(step)))) return undefined
  for (const path of seen) if (![...seen].some((other) => isInside(path, other))) tree.see(path)
  const edits = tree.edits()
  return edits === undefined ? undefined : { edits, steps: fused(steps.filter((step) => run.has(step))) }
}

const isEdit = ({ takesOut, respells, spell }: Touches): boolean =>
  takesOut !== undefined || (respells !== undefined && spell !== undefined)

/** Edits of what is seen become steps too, in their place among the others: what comes of it depends on the order. */
function together(steps: readonly Step[], seen: Set<string>, run: Set<Step>): boolean {
  for (let size = -1; size !== seen.size + run.size; ) {
    size = seen.size + run.size
    for (const step of steps) {
      const path = step.takesOut ?? step.respells
      if (run.has(step) || path === undefined) continue
      const beside = [...seen].filter((other) => path === other || isInside(path, other) || isInside(other, path))
      if (beside.length === 0) continue
      run.add(step)
      if (beside.some((other) => !isInside(path, other))) seen.add(path)
    }
  }
  return [...seen].every((path) => path !== '' && !/\[\]|\{\}/.test(path))
}

const isInside = (path: string, other: string): boolean => path.startsWith(`${other}.`)
