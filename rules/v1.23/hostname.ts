import { type JsonObject, stringOf } from '../../src/api/json/json.ts'
import { onlyIn } from '../../src/api/shapes/shape.ts'
import { ContainerConfig } from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { Change } from '../../src/translate/change.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { retyped } from '../../src/translate/ops.ts'

/** The last version whose CLIs split a host name at its first dot, and whose engines joined it again. */
const APART_UP_TO = apiVersion(22)

function together(config: JsonObject, { client }: StepContext): string | undefined {
  const [host, domain] = [stringOf(config['Hostname']), stringOf(config['Domainname'])]
  if (client > APART_UP_TO || host === '' || domain === '') return undefined
  config['Domainname'] = ''
  return `${host}.${domain}`
}

function apart(config: JsonObject, { client }: StepContext): string | undefined {
  const { Hostname: host, Domainname: domain } = config
  const dot = typeof host === 'string' ? host.indexOf('.') : -1
  if (client > APART_UP_TO || domain !== '' || typeof host !== 'string' || dot <= 0) return undefined
  config['Domainname'] = host.slice(dot + 1)
  return host.slice(0, dot)
}

const APART = { Hostname: 'web', Domainname: 'example.com' }

export default [
  {
    // Listed under 1.23; engines have it from 19.03 on, which set the domain name beside the host name.
    id: '1.23/hostname-domainname',
    gate: 'release',
    from: '1.40',
    summary: 'The host name of a container with a domain does not contain it; before, host.domain.',
    see: 'container/container_unix.go:CreateDaemonEnvironment @v1.10.3; container.go:FullHostname @v18.09; daemon/oci_linux.go @v19.03',
    ops: [
      retyped(onlyIn(ContainerConfig, 'ContainerCreate'), 'Hostname', {
        toNewer: (_name, config, context) => together(config, context),
        words: 'Hostname and Domainname are joined in Hostname',
      }),
      retyped(onlyIn(ContainerConfig, 'ContainerInspect'), 'Hostname', {
        toOlder: (_name, config, context) => apart(config, context),
        words: 'Hostname is split at the first dot into Hostname and Domainname',
      }),
    ],
    examples: {
      'ContainerCreate requestUp body': [
        [APART, { Hostname: 'web.example.com', Domainname: '' }, { client: '1.22' }],
        [APART, APART, { client: '1.23' }],
      ],
      'ContainerInspect responseDown body.Config': [
        [{ Hostname: 'web.example.com', Domainname: '' }, APART, { client: '1.22' }],
        [{ Hostname: 'web', Domainname: '' }, { Hostname: 'web', Domainname: '' }, { client: '1.22' }],
      ],
    },
  },
] satisfies Change[]
