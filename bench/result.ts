/** One figure of one contender: the median over the rounds, with what the rounds gave. */
export interface Cell {
  readonly contender: string
  readonly rounds: readonly number[]
}

/** One thing measured, side by side in one run. */
export interface Row {
  readonly what: string
  readonly unit: string
  /** Whether more is better. */
  readonly more: boolean
  readonly cells: readonly Cell[]
}

/** The row, of every group that has it, for the most memory that a contender held in it. */
export const HIGHEST = 'most memory in all of it'

export interface Group {
  readonly name: string
  /** How it was measured, for a reader who wants to repeat it. */
  readonly how: string
  readonly rows: readonly Row[]
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted[sorted.length >> 1]
  if (middle === undefined) throw new RangeError('no values')
  return middle
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const found = sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))]
  if (found === undefined) throw new RangeError('no values')
  return found
}

/** The median of the ratios round by round: what a noisy machine spoils least. */
export function ratio(of: Cell, to: Cell): number {
  return median(of.rounds.map((value, round) => value / (to.rounds[round] ?? Number.NaN)))
}

export function cellOf(row: Row, contender: string): Cell | undefined {
  return row.cells.find((cell) => cell.contender === contender)
}

/** Gathers figures round by round and makes rows of them in the order in which they first came. */
export class Gathered {
  readonly #rows = new Map<string, { unit: string; more: boolean; cells: Map<string, number[]> }>()

  add(what: string, unit: string, more: boolean, contender: string, value: number): void {
    const row = this.#rows.getOrInsertComputed(what, () => ({ unit, more, cells: new Map<string, number[]>() }))
    row.cells.getOrInsertComputed(contender, () => []).push(value)
  }

  rows(): Row[] {
    return [...this.#rows].map(([what, { unit, more, cells }]) => ({
      what,
      unit,
      more,
      cells: [...cells].map(([contender, rounds]) => ({ contender, rounds })),
    }))
  }
}
