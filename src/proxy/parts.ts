import type { Logger } from 'pino'
import { changes, deviations, readings } from '../../rules/index.ts'
import type { EngineFacts } from '../api/engine-facts.ts'
import { shapes } from '../api/shapes/shapes.ts'
import { Validation } from '../api/validation/validation.ts'
import { formatVersion, LOWEST, offered } from '../api/version.ts'
import type { AuditSink } from '../audit/audit.ts'
import { makeAuditing } from '../audit/auditing.ts'
import { auditMetrics } from '../audit/metrics/audit-metrics.ts'
import { Metrics } from '../audit/metrics/metrics.ts'
import type { AuditLog } from '../audit/sink.ts'
import type { Observer } from '../audit/watched.ts'
import { ownVersion } from '../config/process.ts'
import { askEngineAt } from '../engine/ask.ts'
import { AutoRemoval } from '../engine/auto-removal.ts'
import { Discovery } from '../engine/discovery.ts'
import { EndpointNetworks } from '../engine/endpoint-networks.ts'
import type { Peers } from '../engine/replaced/exclusive.ts'
import { ReplacedContainers } from '../engine/replaced/replaced-containers.ts'
import { ReplacementStore } from '../engine/replaced/store.ts'
import { type EngineAddress, formatAddress } from '../http/address.ts'
import { Connector } from '../http/engine/connector.ts'
import { EnginePool } from '../http/engine/pool.ts'
import type { SshForward } from '../http/engine/ssh.ts'
import { limitsOf } from '../http/limits.ts'
import { exposure } from '../http/listen/exposure.ts'
import { type Listening, listeningOf } from '../http/listen/inherited.ts'
import { openTls, type Secrets } from '../http/listen/secrets.ts'
import type { Access } from '../policy/access.ts'
import type { TranslationPolicy } from '../translate/message.ts'
import { Plans } from '../translate/plans.ts'
import { ResponseCache } from '../translate/run/response-cache.ts'
import { TimeSlicer } from '../translate/run/time-slicer.ts'
import type { Inspector, MakeInspector } from './inspector.ts'
import type { EngineInfos, Journey } from './journey.ts'
import { Admission } from './load/admission.ts'
import type { Config } from './settings/settings.ts'
import { socketMountsOf } from './settings/socket-mounts.ts'
import { KnownClients } from './steps/known-clients.ts'

export interface Dependencies {
  readonly log: Logger
  readonly audit: AuditSink & Partial<Pick<AuditLog, 'status'>>
  readonly observers?: readonly Observer[]
  /** Listeners that the primary process holds; set in workers, which receive their connections from it. */
  readonly handed?: readonly Listening[]
  readonly peers?: Peers
  /** Required by `--inspect`. */
  readonly inspector?: MakeInspector
}

/** What a bridge is made of. */
export interface Parts {
  readonly journey: Journey
  readonly listening: readonly Listening[]
  readonly secrets: Secrets
  readonly access: Access | undefined
  readonly autoRemoval: AutoRemoval
  readonly inspector: Inspector | undefined
  close(): void
}

/** Opens what the settings name. Rejects with a readable error if it cannot be used. */
export async function makeParts(config: Config, dependencies: Dependencies, draining: () => boolean): Promise<Parts> {
  const { log, audit, handed, observers = [] } = dependencies
  const limits = limitsOf(config)
  const secrets = await openTls(config, log)
  const listening = handed ?? listeningOf(config.listen, process.env)
  const access = await openAccess(config, listening, log)
  const forward = await forwardTo(config.engine, limits.connectMs, log)
  const connector = new Connector(config.engine, secrets.engine, limits.connectMs, forward)
  const { auditing, observers: recorders } = await makeAuditing(config, audit, log)
  const engine = new EnginePool(connector, limits)
  const discovery = new Discovery(engine, (facts) => sayFound(facts, config, log))
  const needs = { discovery, changes: [...changes, ...deviations] }
  const inspector = await openInspector(config, needs, dependencies.inspector, log)
  const autoRemoval = new AutoRemoval({ engine, limits }, log)
  const policy = policyOf(config, listening)
  const journey: Journey = {
    ...{ engine, limits, discovery, policy, autoRemoval, log, draining },
    ...fromSettings(config),
    plans: new Plans({ changes: [...changes, ...deviations], shapes, readings }, policy),
    audit: auditing,
    observers: [...recorders, ...observers, ...(inspector === undefined ? [] : [inspector.observe])],
    unobserved: inspector?.unobserved,
    metrics: metricsOf(audit),
    replacedContainers: replacedContainersOf(config, { engine, limits }, dependencies),
  }
  const close = (): void => {
    secrets.close()
    autoRemoval.close()
    engine.close()
    forward?.close()
  }
  return { journey, listening, secrets, access, autoRemoval, inspector, close }
}

const fromSettings = (config: Config) => ({
  infos: new WeakMap() as EngineInfos,
  responseCache: new ResponseCache(config['remember-answers']),
  timeSlicer: new TimeSlicer(),
  validation: config.validation === 'off' ? undefined : new Validation(config.validation, config['newer-fields']),
  endpoints: new EndpointNetworks(),
  engineApi: config['engine-api'],
  recordStreams: config['record-streams'],
  corsHeader: config['api-cors-header'],
  admission: new Admission({ calls: config['max-calls'], rate: config.rate }),
  knownClients: config['known-clients'] === 'on' ? new KnownClients() : undefined,
})

function metricsOf(audit: Dependencies['audit']): Metrics {
  const metrics = new Metrics()
  metrics.describe({ version: ownVersion(), node: process.version })
  if (audit.status !== undefined) auditMetrics(metrics.registry, audit.status)
  return metrics
}

/** For the bridge's own questions about replaced containers: calls may be waiting. */
const PATIENCE_MS = 60_000

const replacedContainersOf = (
  { state, engine }: Config,
  pool: Parameters<typeof askEngineAt>[0],
  { log, peers }: Dependencies,
): ReplacedContainers =>
  new ReplacedContainers((facts, method, path) => askEngineAt(pool, facts.highest, method, path, PATIENCE_MS), {
    log,
    ...(peers === undefined ? {} : { peers }),
    ...(state === 'off' ? {} : { store: new ReplacementStore(state, engine) }),
  })

function sayFound({ release, product, ...facts }: EngineFacts, config: Config, log: Logger): void {
  const [lowest, highest] = [formatVersion(facts.lowest), formatVersion(facts.highest)]
  const upTo = formatVersion(offered(config['announce-api'], facts.highest))
  log.info(
    { engine: release, product, lowest, highest },
    `the engine speaks ${lowest} to ${highest}; clients may speak ${formatVersion(LOWEST)} to ${upTo}`,
  )
}

/** Starts the ssh forwarder if the engine is reached over ssh. */
async function forwardTo(address: EngineAddress, connectMs: number, log: Logger): Promise<SshForward | undefined> {
  if (address.kind !== 'ssh') return undefined
  const { SshForward: Forward } = await import('../http/engine/ssh.ts')
  return new Forward(address, connectMs, (words) => log.warn(`ssh: ${words}`))
}

/** Loads the configured access policy; undefined without one, which allows everything. */
async function openAccess(config: Config, listening: readonly Listening[], log: Logger): Promise<Access | undefined> {
  const { policy } = config
  if (policy === undefined || policy === 'off') return undefined
  const { Access: Policy } = await import('../policy/access.ts')
  const mode = config['policy-mode']
  const names = listening.map(({ address }) => formatAddress(address))
  const access = await Policy.open({ said: policy, mode, listeners: names, log })
  log.info(`policy: ${policy}${mode === 'observe' ? ' (observe: nothing is refused)' : ''}`)
  return access
}

/** Starts the inspector if `--inspect` is set. */
async function openInspector(
  config: Config,
  needs: Parameters<MakeInspector>[2],
  make: MakeInspector | undefined,
  log: Logger,
): Promise<Inspector | undefined> {
  if (config.inspect === undefined) return undefined
  if (make === undefined) throw new Error('--inspect: this bridge was started without an inspector')
  if (exposure(config.inspect, 'none') !== undefined)
    log.warn(
      `INSECURE: the inspector is on ${formatAddress(config.inspect)}: what it shows, and its token, cross the network as plain text`,
    )
  return make(config, config.inspect, needs)
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
