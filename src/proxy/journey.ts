import type { Logger } from 'pino'
import type { EngineFacts } from '../api/engine-facts.ts'
import type { JsonObject } from '../api/json/json.ts'
import type { Validation } from '../api/validation/validation.ts'
import type { ApiVersion } from '../api/version.ts'
import type { Auditing } from '../audit/audit.ts'
import type { Entry } from '../audit/entry/entry.ts'
import type { Metrics } from '../audit/metrics/metrics.ts'
import type { Observer } from '../audit/watched.ts'
import type { Discovery } from '../engine/discovery.ts'
import type { EndpointNetworks } from '../engine/endpoint-networks.ts'
import type { ReplacedContainers } from '../engine/replaced/replaced-containers.ts'
import type { ClientRequest } from '../http/client/request.ts'
import type { EnginePool } from '../http/engine/pool.ts'
import type { Headers } from '../http/headers.ts'
import type { Limits } from '../http/limits.ts'
import type { AccessPolicy } from '../policy/guard.ts'
import type { ContainerRemoval, TranslationPolicy } from '../translate/message.ts'
import type { Plans } from '../translate/plans.ts'
import type { ResponseCache } from '../translate/run/response-cache.ts'
import type { TimeSlicer } from '../translate/run/time-slicer.ts'
import type { Admission } from './load/admission.ts'
import type { EngineApi } from './settings/values.ts'
import type { KnownClients } from './steps/known-clients.ts'

/** `GET /info` of each engine seen, unless it failed; keyed by the engine's facts. */
export type EngineInfos = WeakMap<EngineFacts, Promise<JsonObject | undefined>>

/** Parts of the bridge that serving a call needs. */
export interface Journey {
  readonly engine: EnginePool
  readonly discovery: Discovery
  readonly plans: Plans
  readonly audit: Auditing
  /** Observers of the traffic, besides the audit. */
  readonly observers: readonly Observer[]
  /**
   * Called for calls that ended before an observer could see them (denied, redirected); undefined without listeners.
   */
  readonly unobserved: ((entry: Entry, request: ClientRequest) => void) | undefined
  readonly policy: TranslationPolicy
  readonly limits: Limits
  readonly responseCache: ResponseCache
  readonly timeSlicer: TimeSlicer
  /** Undefined: validation is off. */
  readonly validation: Validation | undefined
  readonly infos: EngineInfos
  readonly endpoints: EndpointNetworks
  readonly replacedContainers: ReplacedContainers
  readonly autoRemoval: ContainerRemoval
  readonly metrics: Metrics
  readonly engineApi: EngineApi
  /** `--api-cors-header`: the value of Access-Control-Allow-Origin. */
  readonly corsHeader: string | undefined
  readonly recordStreams: 'translate' | 'untouched'
  readonly log: Logger
  readonly draining: () => boolean
  readonly admission: Admission
  /** Undefined: all clients get the same version information. */
  readonly knownClients: KnownClients | undefined
}

/** The listener that a call came in on. */
export interface Door {
  /** Its address, for the audit record. */
  readonly name: string
  /**
   * Blocks web pages by `Host`, target and `Origin`; undefined on sockets that browsers cannot reach. Throws a
   * ProxyError.
   */
  readonly checkOrigin: ((headers: Headers, target: string) => void) | undefined
  /** Version of calls without a version prefix; undefined: the engine's highest. */
  readonly unversioned: ApiVersion | undefined
  /** Undefined: everything is allowed. */
  readonly access: AccessPolicy | undefined
}
