/** The marks of a private key (RFC 7468, 2). The last dashes are matched by lookahead: they may start the next mark. */
const MARK = /-----(BEGIN|END) [A-Z ]{0,30}PRIVATE KEY(?=-----)/g
const ENDS = /-----END [A-Z ]{0,30}PRIVATE KEY-----/
const OF_EACH = 'PRIVATE KEY-----'

/** Upper limit of a mark's length. */
export const LONGEST_MARK = 60

/** A possible start of a mark. */
const UNFINISHED = /(?<!-)-+(?:[A-Z ]+-*)?$/

/** True if a private key continues after the text. `before`: one is open at its start. */
export function keyGoesOn(text: string, before: boolean): boolean {
  if (!text.includes(OF_EACH)) return before
  const last = [...text.matchAll(MARK)].at(-1)
  return last === undefined ? before : last[1] === 'BEGIN'
}

/** The text after the end mark of a key that is open at its start; undefined if there is no end mark. */
export function afterKey(text: string): string | undefined {
  const at = text.search(ENDS)
  return at === -1 ? undefined : text.slice(at)
}

/** Removes an incomplete mark at the text's end. */
export function withoutUnfinishedMark(text: string): string {
  const end = text.slice(-LONGEST_MARK)
  const at = end.search(UNFINISHED)
  return at === -1 ? text : text.slice(0, text.length - end.length + at)
}
