import { memberAt, objectOf } from '../../src/api/json/json.ts'
import type { Change } from '../../src/translate/change.ts'
import { byHand } from '../../src/translate/ops.ts'

const WHAT = 'environment variables of HostConfig.Links'
/** Networks on which links set variables. */
const DEFAULT_NETWORK = new Set([undefined, null, '', 'default', 'bridge'])

export const linkVariables = {
  id: '1.52/link-variables',
  gate: 'release',
  summary: 'A link sets no environment variables with address and ports, only the names in /etc/hosts.',
  see: 'daemon/container_operations_unix.go:setupLinkedContainers @docker-v29.0.0 (DOCKER_KEEP_DEPRECATED_LEGACY_LINKS_ENV_VARS=1 of the engine brings them back)',
  ops: [
    // Recorded without a warning: older engines sent none, and engine 29 has an option to set the variables.
    byHand('ContainerCreate', 'a link no longer sets variables', {
      onLoss: 'ignore',
      loses: WHAT,
      losesOn: 'requestUp',
      requestUp: ({ body }, context, change) => {
        const hostConfig = objectOf(memberAt(body, 'HostConfig'))
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
