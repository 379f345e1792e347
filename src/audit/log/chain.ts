import { createHmac, hash } from 'node:crypto'

/** The last line of a chain, or, with number 0, what the first line follows. */
export interface Link {
  readonly seq: number
  readonly hash: string
}

/** What the first line of a chain names as the one before it. */
export const ORIGIN: Link = { seq: 0, hash: '0'.repeat(64) }

/** With a key, `hmac` instead of `hash`: nobody without the key can write a line that fits. */
export type Seal = 'hash' | 'hmac'

export interface ChainedLine extends Link {
  readonly prev: string
  readonly seal: Seal
  /** What was hashed: the line up to its own hash, so that the line before it is part of it. */
  readonly sealed: Buffer
}

/** The end of every line of a chain. Fixed in form, so that no second spelling of it has the same meaning. */
const END = /,"chain":\{"seq":([1-9]\d{0,15}),"prev":"([0-9a-f]{64})","(hash|hmac)":"([0-9a-f]{64})"\}\}$/
/** The longest end: two hashes, a number of 16 digits and the names. */
const END_BYTES = 220

export const sealOf = (sealed: string | Buffer, key: Buffer | undefined): string =>
  key === undefined ? hash('sha256', sealed) : createHmac('sha256', key).update(sealed).digest('hex')

/** Reads a line (without its newline) as one of a chain; undefined when it is none. */
export function chainedLine(line: Buffer): ChainedLine | undefined {
  const found = END.exec(line.subarray(Math.max(0, line.length - END_BYTES)).toString('latin1'))
  if (found === null) return undefined
  const [end, seq, prev, seal, ownHash] = found
  if (seq === undefined || prev === undefined || ownHash === undefined) return undefined
  const name: Seal = seal === 'hmac' ? 'hmac' : 'hash'
  // `,"hash":"…"}}` follows what was sealed; both names have four letters.
  const unsealed = `,"${name}":"${ownHash}"}}`.length
  if (end.length < unsealed) return undefined
  return {
    seq: Number(seq),
    prev,
    hash: ownHash,
    seal: name,
    sealed: line.subarray(0, line.length - unsealed),
  }
}

/** Adds to each line its number, the hash of the line before it and its own. */
export class Chain {
  readonly #key: Buffer | undefined
  readonly #seal: Seal
  #last: Link

  constructor(key: Buffer | undefined, last: Link = ORIGIN) {
    this.#key = key
    this.#seal = key === undefined ? 'hash' : 'hmac'
    this.#last = last
  }

  get last(): Link {
    return this.#last
  }

  /** `line` is a JSON object and a newline, as pino writes it. */
  link(line: string): string {
    const seq = this.#last.seq + 1
    const sealed = `${line.slice(0, -2)},"chain":{"seq":${seq},"prev":"${this.#last.hash}"`
    const own = sealOf(sealed, this.#key)
    this.#last = { seq, hash: own }
    return `${sealed},"${this.#seal}":"${own}"}}\n`
  }
}
