/** The vocabulary of a rules file. */

export { byHand, emulated } from './ops/by-hand.ts'
export {
  endpointAdded,
  errorText,
  isTrue,
  queryAdded,
  recordDropped,
  responseHeader,
  statusChanged,
} from './ops/calls.ts'
export { ANSWERS, gated } from './ops/gated.ts'
export { added, addedAll, moved, newDefault, omittedWhenEmpty, removed, renamed, retyped } from './ops/members.ts'
