import type { Entry } from '../audit/record/entry.ts'
import type { Observer } from '../audit/watched.ts'
import type { Discovery } from '../engine/discovery.ts'
import type { Address } from '../http/address.ts'
import type { ClientRequest } from '../http/client/request.ts'
import type { BoundChange } from '../translate/change.ts'
import type { Config } from './settings/settings.ts'

/** Watches all calls of a bridge and serves a page that shows them (src/tools/inspect). */
export interface Inspector {
  readonly observe: Observer
  readonly unobserved: (entry: Entry, request: ClientRequest) => void
  /** Serves the page; resolves with what opens it. Rejects with a sentence. */
  listen(): Promise<Opened>
  close(): Promise<void>
}

export interface Opened {
  readonly address: Address
  readonly token: string
  /** What to open in a browser; undefined on a unix socket. */
  readonly url: string | undefined
}

interface Needs {
  readonly discovery: Discovery
  /** What changes are there, for their sentences. */
  readonly changes: readonly BoundChange[]
}

/** Makes the inspector of `--inspect`: the bridge is given it, because tools are built on the bridge. */
export type MakeInspector = (config: Config, address: Address, needs: Needs) => Promise<Inspector>
