import { ByteCollector } from '../http/byte-collector.ts'
import { BLOCK, number, type Records, readRecords, text } from './tar.ts'

/** Places in a header (POSIX.1-1988 ustar). */
const NAME = 0
const SIZE = 124
const CHECKSUM = 148
const TYPE = 156
const LINK = 157
const MAGIC = 257
const PREFIX = 345
const NAME_LENGTH = 100
const PREFIX_LENGTH = 155

/** Longest head of an entry that is held until it is complete; extended attributes have up to 64 KiB each. */
const MAX_HEAD = 1024 * 1024

const NOTHING = Buffer.alloc(0)

const padded = (size: number): number => Math.ceil(size / BLOCK) * BLOCK

function writeRecords(records: Records): Buffer {
  const lines = [...records].map(([key, value]) => {
    const { length } = ` ${key}=${value}\n`
    return `${length + String(length + String(length).length).length} ${key}=${value}\n`
  })
  return Buffer.from(lines.join(''), 'latin1')
}

function sum(header: Buffer): Buffer {
  header.fill(' ', CHECKSUM, CHECKSUM + 8)
  const total = header.reduce((all, byte) => all + byte, 0)
  header.write(`${total.toString(8).padStart(6, '0')}\0`, CHECKSUM)
  return header
}

function nameIn(header: Buffer, records: Records): string {
  const prefix = text(header, PREFIX, PREFIX_LENGTH, 'latin1')
  const name = text(header, NAME, NAME_LENGTH, 'latin1')
  return records.get('path') ?? (prefix === '' ? name : `${prefix}/${name}`)
}

/** Too long a text for the header gets a record, and one that has a record keeps it. */
function setText(header: Buffer, records: Records, key: string, at: number, value: string): void {
  if (value.length > NAME_LENGTH || records.has(key)) records.set(key, value)
  else header.fill(0, at, at + NAME_LENGTH).write(value, at, 'latin1')
}

/** The entry before another that has its records. */
function withRecords(header: Buffer, records: Records): Buffer {
  if (records.size === 0) return sum(header)
  const data = writeRecords(records)
  const before = Buffer.from(header)
    .fill(0, NAME, NAME_LENGTH)
    .fill(0, LINK, LINK + NAME_LENGTH)
  before.write('PaxHeaders.0/entry', NAME)
  before.write('x', TYPE)
  before.write(`${data.length.toString(8).padStart(11, '0')}\0`, SIZE)
  return Buffer.concat([sum(before), data, Buffer.alloc(padded(data.length) - data.length), sum(header)])
}

/**
 * Renames what a tar contains: the name of its first entry becomes `top` in all names and hard links. Works on pieces of a
 * tar as it comes. What it does not know, and all after it, stays as it is.
 */
export class TarRenamer {
  readonly #top: string
  /** The name of the first entry. */
  #from: string | undefined
  /** The head of an entry that is not complete. */
  #held = new ByteCollector()
  #needed = 0
  /** Bytes that pass, as content. */
  #passing = 0

  constructor(top: string) {
    this.#top = Buffer.from(top).toString('latin1')
  }

  push(piece: Buffer): Buffer[] {
    const parts: Buffer[] = []
    let left = this.#withHeld(piece)
    while (left.length > 0) {
      if (this.#passing === 0) {
        const size = headSize(left)
        if (left.length < size) {
          this.#held.add(left, true) // a piece is only valid during the call
          this.#needed = size
          break
        }
        parts.push(this.#head(left.subarray(0, size)))
        left = left.subarray(size)
      }
      const content = left.subarray(0, this.#passing)
      parts.push(content)
      left = left.subarray(content.length)
      this.#passing -= content.length
    }
    return parts
  }

  /** The bytes that are still held when the tar ends. */
  rest(): Buffer {
    return this.#held.whole()
  }

  #withHeld(piece: Buffer): Buffer {
    if (this.#held.size === 0) return piece
    this.#held.add(piece, true)
    if (this.#held.size < this.#needed) return NOTHING
    const all = this.#held.whole()
    this.#held = new ByteCollector()
    return all
  }

  /** A head with its new name, or all as it is from here on. */
  #head(head: Buffer): Buffer {
    const header = Buffer.from(head.subarray(-BLOCK))
    const type = text(header, TYPE, 1)
    const records = readRecords(head.subarray(BLOCK, -BLOCK).toString('latin1'))
    const size = Number(records?.get('size') ?? number(header, SIZE, 12))
    const isKnown = text(header, MAGIC, 6) === 'ustar' && '0123456'.includes(type || '?') && size >= 0
    if (records === undefined || !isKnown || !this.#begins(type, nameIn(header, records))) {
      this.#passing = Number.POSITIVE_INFINITY
      return head
    }
    this.#passing = type === '0' ? padded(size) : 0
    const name = this.#renamed(nameIn(header, records))
    setText(header, records, 'path', NAME, name)
    header.fill(0, PREFIX, PREFIX + PREFIX_LENGTH)
    if (type === '1') {
      const link = records.get('linkpath') ?? text(header, LINK, NAME_LENGTH, 'latin1')
      setText(header, records, 'linkpath', LINK, this.#renamed(link))
    }
    return withRecords(header, records)
  }

  /** Whether there is something to rename. Only a directory is called `.`. */
  #begins(type: string, name: string): boolean {
    if (this.#from !== undefined) return true
    let end = name.length
    while (name[end - 1] === '/') end -= 1
    this.#from = name.slice(0, end)
    return this.#from !== this.#top && (type === '5' || this.#top !== '.')
  }

  #renamed(name: string): string {
    const from = this.#from ?? ''
    return name === from || name.startsWith(`${from}/`) ? this.#top + name.slice(from.length) : name
  }
}

/** The header of an entry, with the records before it if they are not too large to hold. */
function headSize(bytes: Buffer): number {
  if (bytes.length < BLOCK || text(bytes, TYPE, 1) !== 'x') return BLOCK
  const size = 2 * BLOCK + padded(number(bytes, SIZE, 12))
  return size <= MAX_HEAD ? size : BLOCK
}
