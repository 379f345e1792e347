import type { ApiVersion } from '../api/version.ts'
import { malformedRequests } from '../audit/record/malformed.ts'
import { type Address, formatAddress } from '../http/address.ts'
import { Deadlines } from '../http/deadlines.ts'
import { exposure, protectionOf } from '../http/listen/exposure.ts'
import { createListener, type Listener } from '../http/listener.ts'
import type { TlsFiles } from '../http/tls/tls-files.ts'
import type { Secrets } from '../http/tls/tls-settings.ts'
import type { Access } from '../policy/access.ts'
import type { Core, Door } from './core.ts'
import { checkOrigin } from './hosts.ts'
import { asksWhetherReady, sayWhetherReady } from './local/readiness.ts'
import { serve } from './serve.ts'
import { WHAT_TO_DO } from './settings/contradictions.ts'
import type { Config } from './settings/settings.ts'

/** Builds the entry point of one address: TCP listeners get TLS and the checks against web pages. */
export function doorOf(
  core: Core,
  config: Config,
  address: Address,
  secrets: Secrets,
  policy: Access | undefined,
): Listener {
  const name = formatAddress(address)
  const door = { name, checkOrigin: undefined, access: policy?.at(name), unversioned: unversionedAt(config, name) }
  if (address.kind === 'unix') return listenerOf(core, door)
  const reason = exposure(address, protectionOf(config))
  if (reason !== undefined && config.insecure !== true) throw new Error(`${reason}. ${WHAT_TO_DO}`)
  if (reason !== undefined) core.log.warn(`INSECURE: ${name} is ${reason}`)
  const rules = {
    allowed: config['allowed-hosts'],
    checksHost: secrets.listeners === undefined || config['allowed-hosts'].length > 0,
    origin: config['api-cors-header'] || undefined, // blank: none, as for the response (serve.ts)
  }
  const checks: Door['checkOrigin'] = (headers, target) => checkOrigin(rules, headers, target)
  return listenerOf(core, { ...door, checkOrigin: checks }, secrets.listeners)
}

/** The listener's own `--unversioned-api`, else the one for all listeners. */
function unversionedAt({ 'unversioned-api': said }: Config, name: string): ApiVersion | undefined {
  const own = said.find(({ listener }) => listener !== undefined && formatAddress(listener) === name)
  return (own ?? said.find(({ listener }) => listener === undefined))?.version
}

function listenerOf(core: Core, door: Door, secure?: TlsFiles): Listener {
  const { limits, log, draining } = core
  return createListener(
    {
      limits,
      deadlines: new Deadlines(Math.min(limits['header-timeout'], limits['idle-timeout'])),
      draining,
      call: (request, response) =>
        asksWhetherReady(request)
          ? sayWhetherReady(core, door, request, response)
          : serve(core, door, request, response),
      malformed: malformedRequests(core, door.name),
      unread: (change) => {
        core.metrics.unread += change
      },
      // An error after the response was sent (an observer that throws) must end this connection, not the process.
      failed: (err) => log.error({ err }, 'finishing a call failed'),
    },
    secure,
  )
}
