/**
 * JSON as Go's encoding/json sees it: every member stays, also the ones that JavaScript would drop because a later one
 * has the same name. Engines match the members of a struct without regard to case, so `privileged` and `Privileged` are
 * one member; which of the two counts, and whether objects are merged, differs between Go versions. Whoever asks for a
 * member that is there twice gets an Ambiguous error instead of a guess.
 */
export type GoValue = null | boolean | number | string | readonly GoValue[] | GoObject

/** A body that two readers could understand differently. */
export class Ambiguous extends Error {
  override readonly name = 'Ambiguous'
}

/** How Go folds the names of members: ASCII letters, the long s and the Kelvin sign (encoding/json/fold.go). */
export const foldName = (name: string): string =>
  name
    .replaceAll('\u017f', 's')
    .replaceAll('\u212a', 'k')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())

export class GoObject {
  readonly entries: (readonly [string, GoValue])[] = []

  /** A member of a struct, undefined when absent or null. */
  get(name: string): GoValue | undefined {
    const wanted = foldName(name)
    const found = this.entries.filter(([key]) => foldName(key) === wanted)
    if (found.length > 1) throw new Ambiguous(`the member ${name} is there ${found.length} times`)
    return found[0]?.[1] ?? undefined
  }

  /** The entries of a map, whose keys are told apart by case. */
  map(): ReadonlyMap<string, GoValue> {
    const map = new Map(this.entries)
    if (map.size !== this.entries.length) throw new Ambiguous('a key is there twice')
    return map
  }
}

/** Parses JSON text; throws SyntaxError. Without recursion: neither depth nor length costs any stack. */
export function parseAsGo(text: string): GoValue {
  JSON.parse(text) // what follows relies on text that is JSON
  const stack: { readonly holder: GoObject | GoValue[]; key: string | undefined }[] = []
  let root: GoValue = null
  const place = (value: GoValue): void => {
    const top = stack.at(-1)
    if (top === undefined) root = value
    else if (top.holder instanceof GoObject) {
      top.holder.entries.push([top.key ?? '', value])
      top.key = undefined
    } else top.holder.push(value)
  }
  for (let at = 0; at < text.length; ) {
    const character = text[at] ?? ''
    if (SKIPPED.has(character)) at++
    else if (character === '{' || character === '[') {
      const holder = character === '{' ? new GoObject() : ([] as GoValue[])
      place(holder)
      stack.push({ holder, key: undefined })
      at++
    } else if (character === '}' || character === ']') {
      stack.pop()
      at++
    } else {
      const end = endOfScalar(text, at)
      const value = scalar(text.slice(at, end))
      const top = stack.at(-1)
      if (top?.holder instanceof GoObject && top.key === undefined) top.key = String(value)
      else place(value)
      at = end
    }
  }
  return root
}

const SKIPPED: ReadonlySet<string> = new Set([' ', '\t', '\r', '\n', ',', ':'])

const PLAIN = /[^\s,\]}]+/y

/** Just behind a text, a number, `true`, `false` or `null`. */
function endOfScalar(text: string, from: number): number {
  if (text[from] !== '"') {
    PLAIN.lastIndex = from
    return from + (PLAIN.exec(text)?.[0].length ?? 1)
  }
  for (let at = from + 1; ; at++) {
    at = text.indexOf('"', at)
    if (at === -1) return text.length
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === 0x5c) escapes++
    if (escapes % 2 === 0) return at + 1
  }
}

const scalar = (token: string): GoValue =>
  token.startsWith('"') && !token.includes('\\') ? token.slice(1, -1) : JSON.parse(token)
