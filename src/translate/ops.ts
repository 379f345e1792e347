/** The vocabulary of a rules file. */

export { byClient } from './ops/by-client.ts'
export { byHand, emulated, headHeld, onEach } from './ops/by-hand.ts'
export { filterApplied, hasLabel } from './ops/calls/applied-filters.ts'
export { filterAdded } from './ops/calls/filters.ts'
export { endpointAdded, isTrue, queryAdded, querySet, requestHeader } from './ops/calls/requests.ts'
export { errorForm, eventsAdded, recordDropped, responseHeader, statusChanged } from './ops/calls/responses.ts'
export { ANSWERS, gated, only } from './ops/gated.ts'
export { added, addedAll } from './ops/members/added.ts'
export { filled, leftOut, moved, omittedWhenEmpty, removed } from './ops/members/members.ts'
export { refusedWhere, retyped, valueAdded } from './ops/members/values.ts'
