import { defined } from '../../config/defined.ts'

/** Result of a check. `note`: good to know; `warning`: works, but should be changed; `broken`: does not work. */
export type Level = 'ok' | 'note' | 'warning' | 'broken'

export interface Finding {
  readonly level: Level
  /** `socket`, `engine`, `certificate`, … */
  readonly about: string
  readonly says: string
  /** Recommended action. */
  readonly advice?: string
}

export const finding = (level: Level, about: string, says: string, advice?: string): Finding =>
  defined({ level, about, says, advice })

const EXIT_CODES = { ok: 0, note: 0, warning: 1, broken: 2 } as const satisfies Record<Level, number>

/** 0: no problems, 1: a warning, 2: something is broken. */
export const exitCode = (findings: readonly Finding[]): number =>
  Math.max(0, ...findings.map(({ level }) => EXIT_CODES[level]))
