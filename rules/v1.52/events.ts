import { type JsonValue, memberAt } from '../../src/api/json/json.ts'
import { EventRecord } from '../../src/api/shapes/shapes.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { byHand, type Change, removed } from '../../src/translate/ops.ts'

/** Types that Accept can name, in the engine's order of preference; records are written in that form. */
const RECORD_TYPES = ['application/jsonl', 'application/x-ndjson', 'application/json-seq'] as const
const ACCEPTED = 'events-accept'

function rememberType({ headers }: RequestMessage, { memory }: StepContext): void {
  const accept = headers.list('Accept')
  const wanted = RECORD_TYPES.find((type) => accept.includes(type))
  if (wanted !== undefined) memory.set(ACCEPTED, wanted)
}

/** Types whose records have the flat members; those of volumes, networks and others never had them. */
const isFlat = (type: JsonValue | undefined): boolean => type === 'container' || type === 'image'

const accepts = (type: string) => ({ headers: { Accept: type } })
const typed = (type: string) => ({ headers: { 'Content-Type': type } })
const STARTED = { Type: 'container', Action: 'start', Actor: { ID: 'c', Attributes: { image: 'i' } } }
const FLAT_MEMBERS = { status: 'start', id: 'c', from: 'i' }

export const eventsLegacy = {
  // Engine 29 fills the three members below 1.52, but selects the content type by Accept at every version.
  summary: 'Events no longer have status, id and from beside Action and Actor; Accept selects their content type.',
  see: 'docs/api/version-history.md v1.52; api/server/router/system/system_routes.go:getEvents, backFillLegacy',
  ops: [
    byHand('SystemEvents', 'the content type is application/json', {
      part: 'head',
      // `*/*` would get another type than before 1.52; a client that names a new type gets it.
      requestUp: (message, context) => {
        rememberType(message, context)
        if (!context.memory.has(ACCEPTED)) message.headers.set('Accept', 'application/json')
      },
      requestDown: rememberType,
      responseDown: ({ headers }, { memory }) => {
        if (memory.get(ACCEPTED) === undefined) headers.set('Content-Type', 'application/json')
      },
      responseUp: ({ headers }, { memory }) => {
        headers.set('Content-Type', String(memory.get(ACCEPTED) ?? RECORD_TYPES[0]))
      },
    }),
    // An answer passes the ops from the last to the first: status is written first.
    removed(EventRecord, 'from', {
      down: ({ Type, Actor }) => (Type === 'container' ? memberAt(Actor, 'Attributes', 'image') : undefined),
    }),
    removed(EventRecord, 'id', { down: ({ Type, Actor }) => (isFlat(Type) && memberAt(Actor, 'ID')) || undefined }),
    removed(EventRecord, 'status', { down: ({ Type, Action = '' }) => (isFlat(Type) ? Action : undefined) }),
  ],
  examples: {
    'SystemEvents requestUp': [[accepts('*/*'), accepts('application/json')], [accepts('application/x-ndjson')]],
    'SystemEvents responseUp': [
      [{}, typed('application/json-seq'), { asked: accepts('application/json-seq') }],
      [{}, typed('application/jsonl')],
    ],
    'SystemEvents responseUp body': [[{ ...STARTED, ...FLAT_MEMBERS }, STARTED]],
    'SystemEvents responseDown': [
      [typed('application/jsonl'), typed('application/json')],
      [typed('application/x-ndjson'), typed('application/x-ndjson'), { asked: accepts('application/x-ndjson') }],
    ],
    'SystemEvents responseDown body': [
      [STARTED, { ...STARTED, ...FLAT_MEMBERS }],
      [{ Type: 'network', Action: 'connect', Actor: { ID: 'n' } }],
    ],
  },
} satisfies Change
