/** The vocabulary of a rules file. */

export { added, addedAll } from './ops/added.ts'
export { byClient } from './ops/by-client.ts'
export { byHand, emulated, headHeld, onEach } from './ops/by-hand.ts'
export {
  endpointAdded,
  isTrue,
  queryAdded,
  recordDropped,
  responseHeader,
  statusChanged,
} from './ops/calls.ts'
export { ANSWERS, gated, only } from './ops/gated.ts'
export { moved, omittedWhenEmpty, removed, renamed } from './ops/members.ts'
export { newDefault, retyped } from './ops/values.ts'
