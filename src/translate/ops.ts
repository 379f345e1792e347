/** The vocabulary of a rules file. */

export { byHand, emulated, onEach } from './ops/by-hand.ts'
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
export { added, addedAll, moved, omittedWhenEmpty, removed, renamed } from './ops/members.ts'
export { newDefault, retyped } from './ops/values.ts'
