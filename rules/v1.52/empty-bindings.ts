import { isObject, type JsonValue, listOf, memberAt } from '../../src/api/json/json.ts'
import type { Change } from '../../src/translate/change.ts'
import { byHand } from '../../src/translate/ops.ts'
import { bindEmpty, EMPTY_BOUND } from '../by-hand/empty-bindings.ts'

const EMPTY = 'ports.empty'

const warning = (ports: readonly JsonValue[]): string =>
  `Following container port(s) have an empty list of port-bindings: ${ports.join(', ')}. Such bindings will be discarded in a future version.`

export const emptyBindings = {
  id: '1.52/empty-port-bindings',
  gate: 'release',
  summary: 'An empty list of port bindings is filled at create, with a warning; before, at start.',
  see: 'docs/api/version-history.md v1.52; container_routes.go:handlePortBindingsBC @docker-v29.0.0; seen on 28.5 and 29.8',
  ops: [
    byHand('ContainerCreate', 'an empty list of bindings becomes one binding to any port', {
      requestDown: ({ body }, { memory }) => {
        const empty = bindEmpty(memberAt(body, 'HostConfig'))
        if (empty.length > 0) memory.set(EMPTY, empty)
      },
      responseUp: ({ body }, { memory }) => {
        const empty = memory.get(EMPTY)
        if (!Array.isArray(empty) || !isObject(body)) return
        const { Warnings: warnings } = body
        body['Warnings'] = [...listOf(warnings), warning(empty)]
      },
    }),
  ],
  examples: {
    'ContainerCreate requestDown body.HostConfig.PortBindings': [EMPTY_BOUND],
    'ContainerCreate responseUp': [
      [
        { body: { Id: 'c', Warnings: ['other'] } },
        { body: { Id: 'c', Warnings: ['other', warning(['80/tcp'])] } },
        { asked: { body: { HostConfig: { PortBindings: { '80/tcp': [] } } } } },
      ],
    ],
  },
} satisfies Change
