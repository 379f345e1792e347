import type { Entry } from '../audit/entry/entry.ts'
import type { Observer } from '../audit/watched.ts'
import type { Discovery } from '../engine/discovery.ts'
import type { Address } from '../http/address.ts'
import type { ClientRequest } from '../http/client/request.ts'
import type { BoundChange } from '../translate/change.ts'
import type { Config } from './settings/settings.ts'

/** Observes all calls of a bridge and serves a page that shows them (src/tools/inspect). */
export interface Inspector {
  readonly observe: Observer
  readonly unobserved: (entry: Entry, request: ClientRequest) => void
  /** Serves the page and resolves with its address. Rejects with a readable error. */
  listen(): Promise<Opened>
  close(): Promise<void>
}

export interface Opened {
  readonly address: Address
  readonly token: string
  /** URL for a browser; undefined on a unix socket. */
  readonly url: string | undefined
}

interface Needs {
  readonly discovery: Discovery
  /** The changes, for their summaries. */
  readonly changes: readonly BoundChange[]
}

/**
 * Creates the inspector for `--inspect`. Passed to the bridge as a parameter because src/tools depends on src/proxy.
 */
export type MakeInspector = (config: Config, address: Address, needs: Needs) => Promise<Inspector>
