import { Malformed } from '../../../src/http/errors.ts'
import type { Reading, ReadMessage } from '../../support/http-messages.ts'
import type { Theirs } from './llhttp.ts'

export interface Disagreement {
  readonly kind:
    | 'read otherwise'
    | 'read further'
    | 'accepted what they refuse'
    | 'kept a connection that they close'
    | 'waits where they are done'
  readonly what: string
  readonly ours: Reading
  readonly theirs: Theirs
  /** The first message that is read in two ways, as ours has it. */
  readonly message: ReadMessage | undefined
}

/** Where ours reads a connection's bytes otherwise than they do and is not just stricter. */
export function disagreement(ours: Reading, theirs: Theirs): Disagreement | undefined {
  const told = (kind: Disagreement['kind'], what: string, message?: ReadMessage): Disagreement => ({
    kind,
    what,
    ours,
    theirs,
    message,
  })
  const refused = ours.verdict instanceof Malformed
  // An end in the middle of a message is not what is compared.
  const error = theirs.error === 'Invalid EOF state' ? undefined : theirs.error
  for (const [at, message] of ours.messages.entries()) {
    const other = theirs.messages[at]
    const before = theirs.messages[at - 1]
    if (other === undefined) {
      if (before !== undefined && theirs.over && before === theirs.messages.at(-1))
        return told('kept a connection that they close', JSON.stringify(before.fields), ours.messages[at - 1])
      return told('read further', `${JSON.stringify(message.start)}: ${theirs.error}`, message)
    }
    const odd = otherwise(message, other, refused && message === ours.messages.at(-1))
    if (odd !== undefined) return told('read otherwise', odd, message)
  }
  if (refused) return undefined
  const last = ours.messages.at(-1)
  if (ours.verdict === 'over') return undefined
  // Ours looks at a head when all of it has come.
  if (ours.verdict !== 'in-head' && error !== undefined) return told('accepted what they refuse', error, last)
  if (theirs.messages.length > ours.messages.length)
    return told('waits where they are done', JSON.stringify(theirs.messages[ours.messages.length]?.start), last)
  return undefined
}

function otherwise(ours: ReadMessage, theirs: ReadMessage, refused: boolean): string | undefined {
  const one = JSON.stringify([ours.start, ours.fields])
  const other = JSON.stringify([theirs.start, theirs.fields])
  if (one !== other) return `${one} and ${other}`
  if (ours.whole ? !theirs.whole : theirs.whole && !refused)
    return `whole is ${ours.whole} and ${theirs.whole}: ${JSON.stringify(ours.body)} and ${JSON.stringify(theirs.body)}`
  const same = ours.whole
    ? ours.body === theirs.body
    : theirs.body.startsWith(ours.body) || ours.body.startsWith(theirs.body)
  return same ? undefined : `the body ${JSON.stringify(ours.body)} and ${JSON.stringify(theirs.body)}`
}
