export type Mark = 'same' | 'changed' | 'client' | 'engine'
export interface Row {
  readonly mark: Mark
  readonly left: string
  readonly right: string
}
export function align(left: readonly string[], right: readonly string[]): Row[]
export function differentPart(left: string, right: string): { start: number; left: number; right: number }
export function folded(
  rows: readonly Row[],
  context?: number,
  last?: number,
): (Row | { readonly hidden: readonly Row[] })[]
