import { isObject, type JsonValue } from '../../src/api/json/json.ts'
import type { Change } from '../../src/translate/change.ts'
import { byHand } from '../../src/translate/ops.ts'

const EMPTY = 'ports.empty'
const isEmpty = (bindings: JsonValue | undefined): boolean =>
  bindings === null || (Array.isArray(bindings) && bindings.length === 0)

const warning = (ports: readonly JsonValue[]): string =>
  `Following container port(s) have an empty list of port-bindings: ${ports.join(', ')}. Such bindings will be discarded in a future version.`

export const emptyBindings = {
  id: '1.52/empty-port-bindings',
  gate: 'release',
  summary:
    'An empty list of port bindings is filled when the container is made, and warned of; before, when it started.',
  see: 'docs/api/version-history.md v1.52; container_routes.go:handlePortBindingsBC @docker-v29.0.0; asked of 28.5 and of 29.8',
  ops: [
    byHand('ContainerCreate', 'an empty list of bindings is one binding to any port', {
      requestDown: ({ body }, { memory }) => {
        const hostConfig = isObject(body) ? body['HostConfig'] : undefined
        const bindings = isObject(hostConfig) ? hostConfig['PortBindings'] : undefined
        if (!isObject(bindings)) return
        const empty = Object.keys(bindings).filter((port) => isEmpty(bindings[port]))
        for (const port of empty) bindings[port] = [{ HostIp: '', HostPort: '' }]
        if (empty.length > 0) memory.set(EMPTY, empty)
      },
      responseUp: ({ body }, { memory }) => {
        const empty = memory.get(EMPTY)
        if (!Array.isArray(empty) || !isObject(body)) return
        const { Warnings: warnings } = body
        body['Warnings'] = [...(Array.isArray(warnings) ? warnings : []), warning(empty)]
      },
    }),
  ],
  examples: {
    'ContainerCreate requestDown body.HostConfig.PortBindings': [
      [
        { '80/tcp': [], '81/tcp': null, '82/tcp': [{ HostPort: '82' }] },
        {
          '80/tcp': [{ HostIp: '', HostPort: '' }],
          '81/tcp': [{ HostIp: '', HostPort: '' }],
          '82/tcp': [{ HostPort: '82' }],
        },
      ],
    ],
    'ContainerCreate responseUp': [
      [
        { body: { Id: 'c', Warnings: ['other'] } },
        { body: { Id: 'c', Warnings: ['other', warning(['80/tcp'])] } },
        { asked: { body: { HostConfig: { PortBindings: { '80/tcp': [] } } } } },
      ],
    ],
  },
} satisfies Change
