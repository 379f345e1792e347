import { isObject } from '../../src/api/json/json.ts'
import type { Change } from '../../src/translate/change.ts'
import { byHand } from '../../src/translate/ops.ts'

const WHAT = 'environment variables of HostConfig.Links'
/** Links on other networks never gave variables. */
const DEFAULT_NETWORK = new Set([undefined, null, '', 'default', 'bridge'])

export const linkVariables = {
  id: '1.52/link-variables',
  gate: 'release',
  summary:
    'A container that is linked to another gets no variables with its address and ports, the names in /etc/hosts alone.',
  see: 'daemon/container_operations_unix.go:setupLinkedContainers @docker-v29.0.0 (DOCKER_KEEP_DEPRECATED_LEGACY_LINKS_ENV_VARS=1 of the engine brings them back)',
  ops: [
    // Recorded, but no warning: engines of the client's age printed none, and engine 29 can be told to set them again.
    byHand('ContainerCreate', 'a link says nothing of ports any more', {
      onLoss: 'ignore',
      loses: WHAT,
      losesOn: 'requestUp',
      requestUp: ({ body }, context, change) => {
        const hostConfig = isObject(body) && isObject(body['HostConfig']) ? body['HostConfig'] : {}
        const { Links: links, NetworkMode: mode } = hostConfig
        if (!Array.isArray(links) || links.length === 0 || !DEFAULT_NETWORK.has(mode as string | undefined)) return
        context.lose({ what: WHAT, needs: change.version, change: change.id, onLoss: 'ignore' })
      },
    }),
  ],
  examples: {
    'ContainerCreate requestUp body.HostConfig': [
      [{ Links: ['db:db'] }, { Links: ['db:db'] }, { losses: [WHAT] }],
      [{ Links: ['db:db'], NetworkMode: 'front' }],
      [{ Links: null }],
    ],
  },
} satisfies Change
