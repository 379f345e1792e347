/** Where a private key begins and ends (RFC 7468, 2). The last dashes are looked at, not taken: they may begin the next. */
const MARK = /-----(BEGIN|END) [A-Z ]{0,30}PRIVATE KEY(?=-----)/g
const ENDS = /-----END [A-Z ]{0,30}PRIVATE KEY-----/
const OF_EACH = 'PRIVATE KEY-----'

/** No mark is longer. */
export const LONGEST_MARK = 60

/** What may be the beginning of one. */
const UNFINISHED = /(?<!-)-+(?:[A-Z ]+-*)?$/

/** Whether a private key goes on where the text ends. `before`: whether one does where it begins. */
export function keyGoesOn(text: string, before: boolean): boolean {
  if (!text.includes(OF_EACH)) return before
  const last = [...text.matchAll(MARK)].at(-1)
  return last === undefined ? before : last[1] === 'BEGIN'
}

/** What follows the key that goes on where the text begins, the mark of its end included; undefined: nothing does. */
export function afterKey(text: string): string | undefined {
  const at = text.search(ENDS)
  return at === -1 ? undefined : text.slice(at)
}

/** Without the beginning of a mark at its end. */
export function withoutUnfinishedMark(text: string): string {
  const end = text.slice(-LONGEST_MARK)
  const at = end.search(UNFINISHED)
  return at === -1 ? text : text.slice(0, text.length - end.length + at)
}
