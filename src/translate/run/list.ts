import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from '../../api/json/characters.ts'
import { asJson, type JsonValue, writeJson } from '../../api/json/json.ts'
import { ByteCollector } from '../../http/byte-collector.ts'
import type { TimeSlicer } from './time-slicer.ts'

/** Bytes parsed at a time: small compared to a time slice, large compared to the cost of a parser call. */
const BATCH = 16 * 1024
/** Lists up to this size take less than a time slice and are translated in one go. */
export const LARGE = 256 * 1024

/**
 * Translates a list some elements at a time, in time slices. The result is byte for byte the same as translating the
 * whole at once. Undefined for invalid JSON and other values than a list; `gone`: the client left before the end.
 */
export async function translateList(
  received: Buffer,
  translate: (elements: JsonValue[]) => JsonValue | undefined,
  slicer: Pick<TimeSlicer, 'turn' | 'over'>,
  gone: () => boolean,
): Promise<Buffer | 'gone' | undefined> {
  let at = listStart(received)
  if (at === 0) return undefined
  const written = new ByteCollector()
  do {
    if (written.size === 0 || slicer.over) await slicer.turn()
    if (gone()) return 'gone'
    const end = batchEnd(received, at)
    const elements = end === -1 ? undefined : asJson(`[${received.toString('utf8', at, end)}]`)
    if (!Array.isArray(elements) || elements.length === 0) return undefined // also: a comma too many
    const text = writeJson(translate(elements) ?? [])
    written.add(Buffer.from(`${written.size === 0 ? '[' : ','}${text.slice(1, -1)}`), true) // into few blocks
    at = end + 1
  } while (received[at - 1] === COMMA)
  if (received[at - 1] !== CLOSE_BRACKET || !isSpace(received.toString('latin1', at))) return undefined
  written.add(Buffer.from(']\n'), true)
  return written.whole()
}

/** Index of the first byte of a list after its bracket; 0 for other content. */
const listStart = (bytes: Buffer): number => /^[ \t\r\n]*\[/.exec(bytes.toString('latin1', 0, BATCH))?.[0].length ?? 0

/** White space of JSON (RFC 8259, 2). */
const isSpace = (text: string): boolean => /^[ \t\r\n]*$/.test(text)

/**
 * Index of the comma after a batch of elements, or of the bracket that closes the list; -1 if it ends early. Looks only
 * for brackets, commas and quotes; the parser validates the JSON. In UTF-8, multi-byte characters contain none of them.
 */
function batchEnd(bytes: Buffer, from: number): number {
  const { length } = bytes
  let depth = 0
  for (let i = from; i < length; i++) {
    switch (bytes[i]) {
      case QUOTE:
        for (i++; i < length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++
        break
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth++
        break
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (depth-- === 0) return i
        break
      case COMMA:
        if (depth === 0 && i - from >= BATCH) return i
        break
      default:
    }
  }
  return -1
}
