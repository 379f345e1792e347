import type { Store, StoreNote } from './log/store.ts'

/** A store for people: shows each record as lines of text. */
export class ReadableOutput implements Store {
  readonly #under: Store
  readonly #shown: (record: string) => readonly string[]
  /** A retry passes the same bytes, so the underlying store must get the same text. */
  #last: { readonly records: Buffer; readonly text: Buffer } | undefined

  constructor(under: Store, shown: (record: string) => readonly string[]) {
    this.#under = under
    this.#shown = shown
  }

  get name(): string {
    return this.#under.name
  }

  ready(coming: number): Promise<readonly StoreNote[]> {
    return this.#under.ready(coming)
  }

  reopen(): void {
    this.#under.reopen()
  }

  async write(records: Buffer, sync: boolean): Promise<void> {
    if (this.#last?.records !== records) this.#last = { records, text: this.#written(records) }
    await this.#under.write(this.#last.text, sync)
    this.#last = undefined
  }

  close(): Promise<void> {
    return this.#under.close()
  }

  #written(records: Buffer): Buffer {
    const lines = records.toString().split('\n').flatMap(this.#shown)
    return Buffer.from(lines.map((line) => `${line}\n`).join(''))
  }
}
