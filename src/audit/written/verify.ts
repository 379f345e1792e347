import { hash } from 'node:crypto'
import { asJson, memberAt, stringOf } from '../../api/json/json.ts'
import { type ChainedLine, chainedLine, type Link, ORIGIN, sealOf } from '../log/chain.ts'
import type { FileLine } from './read-lines.ts'

export interface Problem {
  readonly file: string
  readonly line: number
  readonly kind: 'changed' | 'removed' | 'reordered' | 'inserted' | 'restarted' | 'torn' | 'unsealed'
  readonly words: string
}

export interface Verdict {
  readonly problems: readonly Problem[]
  readonly lines: number
  /** Sequence number of the first line in these files; earlier ones are elsewhere. */
  readonly first: number | undefined
  readonly last: Link | undefined
  /** Torn lines that a note in the log accounts for. */
  readonly torn: number
  /** Whether the wanted line was found. */
  readonly met: boolean
}

/** Missing lines that may still turn up elsewhere. */
interface Gap {
  readonly file: string
  readonly line: number
  readonly from: number
  readonly to: number
  readonly found: Set<number>
}

interface LinePosition extends Link {
  readonly file: string
  readonly line: number
}

/** Stops early for files other than audit logs. */
const MAX_PROBLEMS = 10_000

/**
 * Verifies a chain across files: add every line in order, then get the verdict. With a key, lines without its seal are
 * reported; without one, only unkeyed chains can be verified.
 */
export class Verifier {
  readonly #key: Buffer | undefined
  readonly #wanted: string | undefined
  readonly #problems: Problem[] = []
  readonly #gaps: Gap[] = []
  /** Lines outside the chain: fragments left by a crash, or insertions. */
  readonly #loose: { readonly line: FileLine; readonly sha256: string }[] = []
  #lines = 0
  #torn = 0
  #first: LinePosition | undefined
  #last: LinePosition | undefined
  /** The position before a line that seems to start another chain. */
  #before: { readonly last: LinePosition; readonly problem: number } | undefined
  #met = false

  /** `wanted`: the hash of a line that must exist. */
  constructor(key: Buffer | undefined, wanted?: string) {
    this.#key = key
    this.#wanted = wanted
  }

  line(line: FileLine): void {
    this.#lines++
    if (this.#loose.length + this.#problems.length + this.#gaps.length > MAX_PROBLEMS)
      throw new Error(`${line.file}:${line.number}: more than ${MAX_PROBLEMS} problems before this line`)
    const chained = chainedLine(line.bytes)
    if (chained === undefined) {
      this.#loose.push({ line: { ...line, bytes: Buffer.alloc(0) }, sha256: hash('sha256', line.bytes) })
      return
    }
    this.#met ||= chained.hash === this.#wanted
    this.#seal(line, chained)
    this.#explain(line)
    this.#follow(line, chained)
  }

  verdict(): Verdict {
    for (const { line } of this.#loose) this.#report(line, ...loose(line))
    for (const gap of this.#gaps) this.#removed(gap)
    const files = [...new Set(this.#problems.map(({ file }) => file))]
    const inFile = (file: string): Problem[] => this.#problems.filter((problem) => problem.file === file)
    return {
      problems: files.flatMap((file) => inFile(file).sort((a, b) => a.line - b.line)),
      lines: this.#lines,
      first: this.#first?.seq,
      last: this.#last,
      torn: this.#torn,
      met: this.#wanted === undefined || this.#met,
    }
  }

  #report({ file, number }: FileLine, kind: Problem['kind'], words: string): void {
    this.#problems.push({ file, line: number, kind, words })
  }

  /** Checks that the hash matches the line. */
  #seal(line: FileLine, { seal, sealed, hash: own }: ChainedLine): void {
    if (this.#key !== undefined && seal === 'hash')
      this.#report(line, 'unsealed', 'was not sealed with a key: anybody can have written it')
    else if (seal === 'hmac' && this.#key === undefined)
      throw new Error(`${line.file}:${line.number}: this line is sealed with a key; give it with --key FILE`)
    else if (sealOf(sealed, this.#key) !== own)
      this.#report(line, 'changed', `was changed: its bytes do not have the ${seal} that it carries`)
  }

  /** Notes which torn line a `recovered` record accounts for. */
  #explain({ bytes }: FileLine): void {
    if (this.#loose.length === 0 || !bytes.includes('"stage":"recovered"')) return
    const sha256 = recovered(bytes)
    const index = this.#loose.findIndex((one) => one.sha256 === sha256)
    if (index === -1) return
    this.#loose.splice(index, 1)
    this.#torn++
  }

  #follow(line: FileLine, chained: ChainedLine): void {
    const { seq, prev } = chained
    const place: LinePosition = { seq, hash: chained.hash, file: line.file, line: line.number }
    this.#first ??= place
    this.#undoRestart(chained)
    const last = this.#last
    if (last !== undefined && seq <= last.seq) {
      this.#back(line, chained, place, last)
      return
    }
    if (last !== undefined && seq > last.seq + 1)
      this.#gaps.push({ file: line.file, line: line.number, from: last.seq + 1, to: seq - 1, found: new Set() })
    else if (last !== undefined && prev !== last.hash)
      this.#problems.push({
        file: last.file,
        line: last.line,
        kind: 'changed',
        words: `was changed, or put in the place of another: ${line.file}:${line.number} follows a line with another hash`,
      })
    this.#last = place
  }

  /** A line whose number does not increase. */
  #back(line: FileLine, { seq, prev }: ChainedLine, place: LinePosition, last: LinePosition): void {
    const gap = this.#gaps.find(({ from, to, found }) => from <= seq && seq <= to && !found.has(seq))
    const first = this.#first ?? place
    if (seq === 1 && prev === ORIGIN.hash) {
      this.#before = { last, problem: this.#problems.length }
      this.#report(line, 'restarted', 'begins a new chain: what came between is gone, or was written without a chain')
      this.#last = place
    } else if (gap !== undefined) {
      gap.found.add(seq)
      this.#report(line, 'reordered', `was moved: number ${seq} belongs before ${gap.file}:${gap.line}`)
    } else if (seq < first.seq) {
      this.#report(line, 'reordered', `was moved: number ${seq} belongs before ${first.file}:${first.line}`)
    } else this.#report(line, 'inserted', `was inserted: there is a line with number ${seq} already`)
  }

  /** The chain continues without the line that seemed to start another. */
  #undoRestart({ seq, prev }: ChainedLine): void {
    const before = this.#before
    this.#before = undefined
    if (before === undefined || seq !== before.last.seq + 1 || prev !== before.last.hash) return
    this.#last = before.last
    const problem = this.#problems[before.problem]
    if (problem === undefined) return
    const copied = this.#first?.seq === 1
    this.#problems[before.problem] = copied
      ? { ...problem, kind: 'inserted', words: 'was inserted: there is a line with number 1 already' }
      : { ...problem, kind: 'reordered', words: 'was moved: number 1 belongs before all others' }
  }

  #removed({ file, line, from, to, found }: Gap): void {
    const missing = to - from + 1 - found.size
    if (missing === 0) return
    const numbers = from === to ? `number ${from}` : `of numbers ${from} to ${to}`
    const words =
      missing === 1
        ? `a line before it was removed (${numbers})`
        : `${missing} lines before it were removed (${numbers})`
    this.#problems.push({ file, line, kind: 'removed', words })
  }
}

const loose = ({ ended }: FileLine): [Problem['kind'], string] =>
  ended
    ? ['inserted', 'was inserted: it is not part of the chain']
    : ['torn', 'is torn: the file ends within a line (a crash, or somebody cut it)']

/** The hash of the torn line in a `recovered` record. */
const recovered = (bytes: Buffer): string => stringOf(memberAt(asJson(bytes.toString()), 'recovered', 'sha256'))
