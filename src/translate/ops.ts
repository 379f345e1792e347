/** The vocabulary of a rules file. */

export { byClient } from './ops/by-client.ts'
export { byHand, emulated, headHeld, onEach } from './ops/by-hand.ts'
export { filterAdded } from './ops/calls/filters.ts'
export { recordDropped } from './ops/calls/records.ts'
export { endpointAdded, isTrue, queryAdded, requestHeader } from './ops/calls/requests.ts'
export { errorForm, responseHeader, statusChanged } from './ops/calls/responses.ts'
export { ANSWERS, gated, only } from './ops/gated.ts'
export { added, addedAll } from './ops/members/added.ts'
export { filled, leftOut } from './ops/members/filled.ts'
export { moved, omittedWhenEmpty, removed, renamed } from './ops/members/members.ts'
export { valueAdded } from './ops/members/refused-values.ts'
export { newDefault, retyped } from './ops/members/values.ts'
