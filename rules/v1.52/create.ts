import { isObject, isUnset, type JsonValue, listOf, memberAt } from '../../src/api/json/json.ts'
import { byHand, type Change, refusedWhere, retyped } from '../../src/translate/ops.ts'
import { bindEmpty, EMPTY_BOUND } from '../by-hand/empty-bindings.ts'
import { networkOfMode } from '../by-hand/endpoints.ts'
import { CreateBody, CreateHostConfig, ShownHostConfig } from '../by-hand/places.ts'

/** As Go's net.ParseMAC reads them: 6, 8 or 20 bytes. */
const MAC = [
  /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}(?:(?::[0-9a-f]{2}){2}|(?::[0-9a-f]{2}){14})?$/i,
  /^[0-9a-f]{2}(?:-[0-9a-f]{2}){5}(?:(?:-[0-9a-f]{2}){2}|(?:-[0-9a-f]{2}){14})?$/i,
  /^[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}(?:\.[0-9a-f]{4}|(?:\.[0-9a-f]{4}){7})?$/i,
]

export const noPortBindings = {
  summary: 'A container without port bindings shows {}.',
  see: 'recordings `28.5` and `29`, inspect-nohc',
  ops: retyped(ShownHostConfig, 'PortBindings', {
    description: 'HostConfig.PortBindings is null if there are none',
    pairs: [[null, {}]],
  }),
} satisfies Change

export const malformedMacIgnored = {
  summary: 'A malformed MAC address is ignored.',
  see: 'daemon/create.go @docker-v29.0.0; seen on 28.5 and 29.8',
  ops: refusedWhere(CreateBody, 'a malformed MAC address, as by engines up to 28.5', {
    leg: 'requestUp',
    finds: ({ MacAddress: mac }) =>
      typeof mac === 'string' && mac !== '' && !MAC.some((form) => form.test(mac)) ? mac : undefined,
    says: 'validation',
    words: (mac) => `invalid MAC address ${mac}`,
    samples: [[{ MacAddress: '02-42-AC:11:00:02' }, '02-42-AC:11:00:02']],
    stay: [{ MacAddress: '02-42-AC-11-00-02' }],
  }),
} satisfies Change

const WHAT = 'environment variables of HostConfig.Links'

export const linkVariables = {
  summary: 'A link sets no environment variables with address and ports, only the names in /etc/hosts.',
  see: 'daemon/container_operations_unix.go:setupLinkedContainers @docker-v29.0.0 (DOCKER_KEEP_DEPRECATED_LEGACY_LINKS_ENV_VARS=1 of the engine brings them back)',
  // Recorded without a warning: older engines sent none, and engine 29 has an option to set the variables.
  ops: refusedWhere(CreateHostConfig, WHAT, {
    ...{ leg: 'requestUp', onLoss: 'ignore' },
    finds: ({ Links: links, NetworkMode: mode }) =>
      !isUnset(links) && networkOfMode(mode) === 'bridge' ? WHAT : undefined,
    samples: [[{ Links: ['db:db'] }, WHAT]],
    stay: [{ Links: ['db:db'], NetworkMode: 'front' }, { Links: null }],
  }),
} satisfies Change

const EMPTY = 'ports.empty'

const warning = (ports: readonly JsonValue[]): string =>
  `Following container port(s) have an empty list of port-bindings: ${ports.join(', ')}. Such bindings will be discarded in a future version.`

export const emptyBindings = {
  summary: 'An empty list of port bindings is filled at create, with a warning; before, at start.',
  see: 'docs/api/version-history.md v1.52; container_routes.go:handlePortBindingsBC @docker-v29.0.0; seen on 28.5 and 29.8',
  ops: byHand('ContainerCreate', 'an empty list of bindings becomes one binding to any port', {
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
