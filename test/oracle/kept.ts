import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Played } from './play.ts'
import type { Assertion } from './sources.ts'

interface Kept {
  readonly label: string
  /** The assertion that failed; null if none did. */
  readonly differs: string | null
}

type File = Partial<Record<string, readonly (Kept | null)[]>>

const labelOf = ({ row, age }: Assertion): string => `${age} ${row.test} ${row.asks}`

/** The results of each engine, so that a run can continue where another ended. */
export class KeptAnswers {
  readonly #path: string | undefined
  readonly #file: File

  constructor(path: string | undefined) {
    this.#path = path
    this.#file = path !== undefined && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  }

  find(engine: string, index: number, one: Assertion): Played | undefined {
    const kept = this.#file[engine]?.[index]
    if (kept === undefined || kept === null || kept.label !== labelOf(one)) return undefined
    return { ...one, differs: kept.differs ?? undefined }
  }

  keep(engine: string, played: readonly (Played | undefined)[]): void {
    if (this.#path === undefined) return
    this.#file[engine] = played.map((one) =>
      one === undefined ? null : { label: labelOf(one), differs: one.differs ?? null },
    )
    writeFileSync(this.#path, JSON.stringify(this.#file))
  }
}
