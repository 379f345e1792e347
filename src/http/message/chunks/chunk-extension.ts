import { CR, isText, isToken } from '../characters.ts'

/** The last element read of `;name=value` or `;name="value"`. */
export type ExtensionState = 'semicolon' | 'name' | 'equals' | 'value' | 'quoted' | 'escape' | 'quote'

const QUOTE = 0x22
const SEMICOLON = 0x3b
const EQUALS = 0x3d
const BACKSLASH = 0x5c

/** Grammar of RFC 9112, 7.1.1, without whitespace, byte by byte; undefined for an invalid byte. */
export function nextInExtension(state: ExtensionState, byte: number): ExtensionState | 'end' | undefined {
  switch (state) {
    case 'semicolon':
      return isToken(byte) ? 'name' : undefined
    case 'name':
      if (byte === EQUALS) return 'equals'
      return isToken(byte) ? 'name' : between(byte)
    case 'equals':
      if (byte === QUOTE) return 'quoted'
      return isToken(byte) ? 'value' : undefined
    case 'value':
      return isToken(byte) ? 'value' : between(byte)
    case 'quoted':
      if (byte === QUOTE) return 'quote'
      if (byte === BACKSLASH) return 'escape'
      return isText(byte) ? 'quoted' : undefined
    case 'escape':
      return isText(byte) ? 'quoted' : undefined
    case 'quote':
      return between(byte)
    default:
      return state satisfies never
  }
}

function between(byte: number): 'semicolon' | 'end' | undefined {
  if (byte === SEMICOLON) return 'semicolon'
  return byte === CR ? 'end' : undefined
}
