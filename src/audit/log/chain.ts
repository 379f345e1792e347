import { createHmac, hash as sha } from 'node:crypto'

/** The last line of a chain; seq 0: the chain's start. */
export interface Link {
  readonly seq: number
  readonly hash: string
}

/** The predecessor of a chain's first line. */
export const ORIGIN: Link = { seq: 0, hash: '0'.repeat(64) }

/** `hmac` is written with a key, without which a line cannot be forged. */
export type Seal = 'hash' | 'hmac'

export interface ChainedLine extends Link {
  readonly prev: string
  readonly seal: Seal
  /** The hashed bytes: the line up to its own hash, which includes the previous line's hash. */
  readonly sealed: Buffer
}

/** The end of every chained line. The strict form allows only one spelling. */
const END = /,"chain":\{"seq":([1-9]\d{0,15}),"prev":"([0-9a-f]{64})","(hash|hmac)":"([0-9a-f]{64})"\}\}$/
/** Bound for the length of that end: two hashes, 16 digits and the names. */
const END_BYTES = 220
/** Length of `,"hash":"…"}}`, which follows the sealed bytes; both names have four letters. */
const SEAL_BYTES = 76

export const sealOf = (sealed: string | Buffer, key: Buffer | undefined): string =>
  key === undefined ? sha('sha256', sealed) : createHmac('sha256', key).update(sealed).digest('hex')

/** Parses a line without its newline; undefined if it is not chained. */
export function chainedLine(line: Buffer): ChainedLine | undefined {
  const end = END.exec(line.subarray(Math.max(0, line.length - END_BYTES)).toString('latin1'))
  if (end === null) return undefined
  const [, seq, prev = '', name, hash = ''] = end
  const seal = name === 'hmac' ? name : 'hash'
  return { seq: Number(seq), prev, hash, seal, sealed: line.subarray(0, line.length - SEAL_BYTES) }
}

/** Adds a sequence number, the previous line's hash and its own hash to each line. */
export class Chain {
  readonly #key: Buffer | undefined
  readonly #seal: Seal
  last: Link

  constructor(key: Buffer | undefined, last: Link = ORIGIN) {
    this.#key = key
    this.#seal = key === undefined ? 'hash' : 'hmac'
    this.last = last
  }

  /** `line`: a JSON object and a newline. */
  link(line: string): string {
    const seq = this.last.seq + 1
    const sealed = `${line.slice(0, -2)},"chain":{"seq":${seq},"prev":"${this.last.hash}"`
    const own = sealOf(sealed, this.#key)
    this.last = { seq, hash: own }
    return `${sealed},"${this.#seal}":"${own}"}}\n`
  }
}
