import { posix } from 'node:path'

/** The stat of a path in a container, in the member order of engine 1.8 (archive.CopyInfo in api/types @v1.8.3). */
export interface PathStat {
  readonly name: string
  readonly size: number
  /** Go's os.FileMode. */
  readonly mode: number
  readonly mtime: string
  readonly linkTarget: string
}

export const BLOCK = 512

/** Bits of Go's os.FileMode by the type flag of a tar entry (archive/tar/common.go). */
const TYPE_BITS: Readonly<Record<string, number>> = {
  '2': 2 ** 27,
  '3': 2 ** 26 + 2 ** 21,
  '4': 2 ** 26,
  '5': 2 ** 31,
  '6': 2 ** 25,
}

/** Set user id, set group id and sticky: their bits in a tar and in Go's FileMode. */
const SPECIAL_BITS = [
  [0o4000, 2 ** 23],
  [0o2000, 2 ** 22],
  [0o1000, 2 ** 20],
] as const

export const text = (block: Buffer, from: number, length: number, encoding?: BufferEncoding): string => {
  const field = block.subarray(from, from + length)
  const end = field.indexOf(0)
  return field.subarray(0, end === -1 ? length : end).toString(encoding)
}

/** Octal text, or a big-endian binary number if the first bit is set (GNU, for sizes from 8 GiB on). */
export function number(block: Buffer, from: number, length: number): number {
  const first = block[from] ?? 0
  if ((first & 0x80) === 0) return Number.parseInt(text(block, from, length).trim() || '0', 8)
  return Number(BigInt(`0x${block.subarray(from + 1, from + length).toString('hex')}`))
}

/** Texts are bytes (latin1): values of extended attributes are no UTF-8. */
export type Records = Map<string, string>

/** `<length> key=value\n`, one after the other (pax); undefined if they are not. */
export function readRecords(data: string): Records | undefined {
  const records: Records = new Map()
  for (let at = 0; at < data.length && data[at] !== '\0'; ) {
    const [found, length = '', key = ''] = /^(\d{1,7}) ([^=\0]+)=/.exec(data.slice(at, at + 300)) ?? []
    const end = at + Number(length)
    if (found === undefined || end < at + found.length || data[end - 1] !== '\n') return undefined
    records.set(key, data.slice(at + found.length, end - 1))
    at = end
  }
  return records
}

function fileMode(block: Buffer): number {
  const mode = number(block, 100, 8)
  const special = SPECIAL_BITS.reduce((bits, [tar, go]) => bits + ((mode & tar) === 0 ? 0 : go), 0)
  return (mode & 0o777) + special + (TYPE_BITS[text(block, 156, 1)] ?? 0)
}

function statFrom(block: Buffer, extended: ReadonlyMap<string, string>): PathStat {
  const prefix = text(block, 257, 5) === 'ustar' ? text(block, 345, 155) : ''
  const path = extended.get('path') ?? (prefix === '' ? '' : `${prefix}/`) + text(block, 0, 100)
  const seconds = Number(extended.get('mtime') ?? number(block, 136, 12))
  return {
    name: posix.basename(path) || '/',
    size: Number(extended.get('size') ?? number(block, 124, 12)),
    mode: fileMode(block),
    mtime: new Date(Math.floor(seconds) * 1000).toISOString().replace('.000Z', 'Z'),
    linkTarget: extended.get('linkpath') ?? text(block, 157, 100),
  }
}

interface Entry {
  readonly header: Buffer
  readonly type: string
  readonly size: number
  /** Padded to whole blocks. */
  readonly content: Buffer
}

/** The entries of a tar, up to bytes that are none. */
export function* tarEntries(tar: Buffer): Generator<Entry> {
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const header = tar.subarray(at, at + BLOCK)
    const size = number(header, 124, 12)
    if (text(header, 0, 100) === '' || Number.isNaN(size)) return
    const end = at + BLOCK + Math.ceil(size / BLOCK) * BLOCK
    yield { header, type: text(header, 156, 1), size, content: tar.subarray(at + BLOCK, end) }
    at = end
  }
}

/** The stat of the first entry of a tar; undefined if the bytes are not a tar, or end too early. */
export function pathStatOf(tar: Buffer): PathStat | undefined {
  const extended = new Map<string, string>()
  for (const { header, type, size, content } of tarEntries(tar)) {
    const data = content.subarray(0, size)
    switch (type) {
      case 'x':
        for (const [key, value] of readRecords(data.toString('latin1')) ?? [])
          extended.set(key, Buffer.from(value, 'latin1').toString())
        break
      case 'L':
        extended.set('path', text(data, 0, data.length))
        break
      case 'K':
        extended.set('linkpath', text(data, 0, data.length))
        break
      case 'g':
        break
      default:
        return statFrom(header, extended)
    }
  }
  return undefined
}
