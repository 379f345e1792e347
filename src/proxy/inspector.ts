import type { Logger } from 'pino'
import type { Observer } from '../audit/watched.ts'
import type { Discovery } from '../engine/discovery.ts'
import { type Address, formatAddress } from '../http/address.ts'
import { exposure } from '../http/listen/exposure.ts'
import type { Config } from './settings/settings.ts'

/** Observes all calls of a bridge and serves a page that shows them (src/tools/inspect). */
export interface Inspector {
  readonly observe: Observer
  /** Serves the page and resolves with its address. Rejects with a readable error. */
  listen(): Promise<Opened>
  close(): Promise<void>
}

export interface Opened {
  readonly address: Address
  readonly token: string
  /** For a person: the URL with the token; of a unix socket, which browsers cannot open, its address and the token. */
  readonly url: string
}

/** Creates the inspector for `--inspect`. Passed to the bridge as a parameter: src/tools depends on src/proxy. */
export type MakeInspector = (config: Config, address: Address, discovery: Discovery) => Promise<Inspector>

/** Creates the inspector if `--inspect` is set. */
export async function openInspector(
  config: Config,
  discovery: Discovery,
  make: MakeInspector | undefined,
  log: Logger,
): Promise<Inspector | undefined> {
  if (config.inspect === undefined) return undefined
  if (make === undefined) throw new Error('--inspect: this bridge was started without an inspector')
  if (exposure(config.inspect, 'none') !== undefined)
    log.warn(
      `INSECURE: the inspector is on ${formatAddress(config.inspect)}: what it shows, and its token, cross the network as plain text`,
    )
  return make(config, config.inspect, discovery)
}
