import type { Logger } from 'pino'
import { changes, deviations, readings } from '../../rules/index.ts'
import { BoundedMap } from '../api/bounded-map.ts'
import type { EngineFacts } from '../api/engine-facts.ts'
import type { JsonObject } from '../api/json/json.ts'
import { shapes } from '../api/shapes/shapes.ts'
import { Validation } from '../api/validation/validation.ts'
import { type ApiVersion, formatVersion, LOWEST, offered, removesItself } from '../api/version.ts'
import type { AuditSink } from '../audit/audit.ts'
import { makeAuditing } from '../audit/auditing.ts'
import { auditMetrics } from '../audit/metrics/audit-metrics.ts'
import { Metrics } from '../audit/metrics/metrics.ts'
import type { AuditLog } from '../audit/sink.ts'
import type { Observer } from '../audit/watched.ts'
import { ownVersion } from '../config/process.ts'
import { type Asking, askEngineAt } from '../engine/ask.ts'
import { AutoRemoval } from '../engine/auto-removal.ts'
import { Discovery } from '../engine/discovery.ts'
import type { Peers } from '../engine/replaced/exclusive.ts'
import { ReplacedContainers } from '../engine/replaced/replaced-containers.ts'
import { ReplacementStore } from '../engine/replaced/store.ts'
import type { EnginePool } from '../http/engine/pool.ts'
import type { ReadonlyHeaders } from '../http/headers.ts'
import type { Limits } from '../http/limits.ts'
import type { Listening } from '../http/listen/inherited.ts'
import type { PolicyFile } from '../policy/file/rules.ts'
import type { AccessPolicy } from '../policy/guard.ts'
import type { TranslationPolicy } from '../translate/message.ts'
import { Plans } from '../translate/plans.ts'
import { ResponseCache } from '../translate/run/response-cache.ts'
import { TimeSlicer } from '../translate/run/time-slicer.ts'
import { type MakeInspector, openInspector } from './inspector.ts'
import { admission } from './load/admission.ts'
import type { Config } from './settings/settings.ts'
import { socketMountsOf } from './settings/socket-mounts.ts'
import { allowedVersions } from './settings/values.ts'
import { KnownClients } from './steps/known-clients.ts'

/** All bridges of a process share this object, because operationRules caches by it. */
const rules = { changes: [...changes, ...deviations], shapes, readings }

const MAX_ENDPOINTS = 1000

/** What the primary process has opened and read: its workers must not serve by files that have changed since. */
export interface Handed {
  /** Its listeners, whose connections it passes on. */
  readonly listening: readonly Listening[]
  readonly policy: PolicyFile | undefined
  /** The content of `--audit-policy`. */
  readonly auditPolicy: unknown
}

export interface Dependencies {
  readonly log: Logger
  readonly audit: AuditSink & Partial<Pick<AuditLog, 'status'>>
  readonly observers?: readonly Observer[]
  /** Set in workers. */
  readonly handed?: Handed
  readonly peers?: Peers
  /** Required by `--inspect`. */
  readonly inspector?: MakeInspector
}

/** The listener that a call came in on. */
export interface Door {
  /** Its address, for the audit record. */
  readonly name: string
  /** Blocks web pages by `Host`, target and `Origin`; undefined where browsers cannot connect. Throws a ProxyError. */
  readonly checkOrigin: ((headers: ReadonlyHeaders, target: string) => void) | undefined
  /** Version of calls without a version prefix; undefined: the engine's highest. */
  readonly unversioned: ApiVersion | undefined
  /** Undefined: everything is allowed. */
  readonly access: AccessPolicy | undefined
}

/** The parts of a bridge that serving a call needs. */
export type Core = Awaited<ReturnType<typeof makeCore>>

export async function makeCore(
  config: Config,
  { log, audit, observers = [], handed, peers, inspector: makeInspector }: Dependencies,
  engine: EnginePool,
  listening: readonly Listening[],
  draining: () => boolean,
) {
  const limits: Limits = config
  const asking = { engine, limits }
  const { auditing, observers: recorders } = await makeAuditing(config, audit, log, handed?.auditPolicy)
  const autoRemoval = new AutoRemoval(asking, log)
  const found = (facts: EngineFacts): void => {
    sayFound(facts, config, log)
    if (!removesItself(facts.highest)) void autoRemoval.recover(facts)
  }
  const discovery = new Discovery(engine, found, config['answer-timeout'])
  const inspector = await openInspector(config, discovery, makeInspector, log)
  const policy = policyOf(config, listening)
  return {
    ...{ log, engine, limits, discovery, policy, inspector, draining },
    plans: new Plans(rules, policy),
    audit: auditing,
    /** Observers of the traffic, besides the audit. */
    observers: [...recorders, ...observers, ...(inspector === undefined ? [] : [inspector.observe])],
    metrics: metricsOf(audit),
    responseCache: new ResponseCache(config['remember-answers']),
    timeSlicer: new TimeSlicer(),
    /** Undefined: validation is off. */
    validation: config.validation === 'off' ? undefined : new Validation(config.validation, config['newer-fields']),
    /** `GET /info` of each engine seen, unless it failed; keyed by the engine's facts. */
    infos: new WeakMap<EngineFacts, Promise<JsonObject | undefined>>(),
    endpoints: new BoundedMap<string, string>(MAX_ENDPOINTS),
    replacedContainers: replacedContainersOf(config, asking, log, peers),
    autoRemoval,
    engineApi: allowedVersions(config['engine-api']),
    /** The value of Access-Control-Allow-Origin. */
    corsHeader: config['api-cors-header'],
    recordStreams: config['record-streams'],
    admit: admission(config),
    /** Undefined: all clients get the same version information. */
    knownClients: config['known-clients'] === 'on' ? new KnownClients() : undefined,
  }
}

function sayFound({ release, product, ...facts }: EngineFacts, config: Config, log: Logger): void {
  const [lowest, highest] = [formatVersion(facts.lowest), formatVersion(facts.highest)]
  const upTo = formatVersion(offered(config['announce-api'], facts.highest))
  log.info(
    { engine: release, product, lowest, highest },
    `the engine speaks ${lowest} to ${highest}; clients may speak ${formatVersion(LOWEST)} to ${upTo}`,
  )
}

function policyOf(config: Config, listening: readonly Listening[]): TranslationPolicy {
  const losses = { strict: 'strict', warn: 'warn', off: 'ignore' } as const
  return {
    newerFields: config['newer-fields'],
    losses: losses[config.validation],
    profile: config.profile,
    announce: config['announce-api'],
    startHostConfig: config['start-hostconfig'],
    socketMounts: socketMountsOf(config, listening),
  }
}

function metricsOf(audit: Dependencies['audit']): Metrics {
  const metrics = new Metrics()
  metrics.describe({ version: ownVersion(), node: process.version })
  if (audit.status !== undefined) auditMetrics(metrics.registry, audit.status)
  return metrics
}

/** For the bridge's own questions about replaced containers: calls may be waiting. */
const TIMEOUT_MS = 60_000

const replacedContainersOf = (
  { state, engine }: Config,
  asking: Asking,
  log: Logger,
  peers: Peers | undefined,
): ReplacedContainers =>
  new ReplacedContainers((facts, method, path) => askEngineAt(asking, facts.highest, method, path, TIMEOUT_MS), {
    log,
    peers,
    store: state === 'off' ? undefined : new ReplacementStore(state, engine),
  })
