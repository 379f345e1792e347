import { createServer as createHttpServer } from 'node:http'
import type { Socket } from 'node:net'
import type { TlsOptions } from 'node:tls'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { changes, deviations, readings } from '../../rules/index.ts'
import type { EngineFacts } from '../api/engine-facts.ts'
import { shapes } from '../api/shapes/shapes.ts'
import { Validation } from '../api/validation/validation.ts'
import { type ApiVersion, formatVersion, isNewer, LOWEST, NEWEST, offered, removesItself } from '../api/version.ts'
import type { AuditSink } from '../audit/audit.ts'
import { makeAuditing } from '../audit/auditing.ts'
import { auditMetrics } from '../audit/metrics/audit-metrics.ts'
import { Metrics } from '../audit/metrics/metrics.ts'
import { MalformedRequests } from '../audit/record/malformed.ts'
import type { AuditLog } from '../audit/sink.ts'
import type { Observer } from '../audit/watched.ts'
import { ownVersion } from '../config/version.ts'
import { askEngineAt } from '../engine/ask.ts'
import { AutoRemoval } from '../engine/auto-removal.ts'
import { Discovery } from '../engine/discovery.ts'
import { EndpointNetworks } from '../engine/endpoint-networks.ts'
import { type Peers, ReplacedContainers } from '../engine/replaced/replaced-containers.ts'
import { ReplacementStore } from '../engine/replaced/store.ts'
import { type Address, type EngineAddress, formatAddress } from '../http/address.ts'
import { Deadlines } from '../http/deadlines.ts'
import { Connector } from '../http/engine/connector.ts'
import { EnginePool } from '../http/engine/pool.ts'
import type { SshForward } from '../http/engine/ssh.ts'
import { limitsOf } from '../http/limits.ts'
import { exposure, protectionOf } from '../http/listen/exposure.ts'
import { type Listening, listeningOf } from '../http/listen/inherited.ts'
import { listen, listenAt, socketAccess } from '../http/listen/listen.ts'
import { openTls, type Secrets } from '../http/listen/secrets.ts'
import { createListener, type Listener } from '../http/listener.ts'
import type { Access } from '../policy/access.ts'
import type { BoundChange } from '../translate/change.ts'
import { Plans } from '../translate/compile.ts'
import type { TranslationPolicy } from '../translate/message.ts'
import { ResponseCache } from '../translate/run/response-cache.ts'
import { TimeSlicer } from '../translate/run/time-slicer.ts'
import { adminHandler, adminHosts } from './admin.ts'
import { checkOrigin } from './hosts.ts'
import type { Inspector, MakeInspector, Opened } from './inspector.ts'
import type { Door, Journey } from './journey.ts'
import { Admission } from './load/admission.ts'
import { closed, drain } from './load/drain.ts'
import { asksWhetherReady, sayWhetherReady } from './local/readiness.ts'
import { serve } from './serve.ts'
import type { Config } from './settings/settings.ts'
import { socketMountsOf } from './settings/socket-mounts.ts'
import { WHAT_TO_DO } from './settings/transport.ts'
import { KnownClients } from './steps/known-clients.ts'

export interface Dependencies {
  readonly log: Logger
  readonly audit: AuditSink & Partial<Pick<AuditLog, 'status'>>
  readonly observers?: readonly Observer[]
  /** Replaces the changes of rules/; the demo passes wrapped ones to observe them. */
  readonly rules?: readonly BoundChange[]
  /** Listeners that the primary process holds; set in workers, which receive their connections from it. */
  readonly handed?: readonly Listening[]
  readonly peers?: Peers
  /** Required by `--inspect`. */
  readonly inspector?: MakeInspector
}

export interface Bridge {
  /** Listening addresses, in the order of the configuration. */
  readonly addresses: readonly Address[]
  readonly admin: Address | undefined
  readonly metrics: Registry
  readonly replacedContainers: ReplacedContainers
  /** Queries the engine. */
  ready(): Promise<Pick<EngineFacts, 'release'>>
  /** Serves a connection that the primary accepted on the listener with that number. */
  take(listener: number, connection: Socket): void
  /** The inspector's address; undefined without `--inspect`. */
  readonly inspect: Opened | undefined
  /** Reloads certificates and policy; open connections stay. */
  reload(): Promise<void>
  /** Stops accepting, waits up to the grace period for open calls, then closes the remaining connections. */
  close(): Promise<void>
}

/** Starts a bridge. Rejects with a readable error if an address cannot be used; the engine may start later. */
export async function startBridge(
  config: Config,
  { log, audit, observers = [], rules = changes, handed, peers, inspector: makeInspector }: Dependencies,
): Promise<Bridge> {
  if (config.workers > 1 && handed === undefined)
    throw new Error(`--workers ${config.workers}: only \`enginebridge serve\` supports several processes`)
  const limits = limitsOf(config)
  const secrets = await openTls(config, log)
  const listening = handed ?? listeningOf(config.listen, process.env)
  const access = await openAccess(config, listening, log)
  const forward = await forwardTo(config.engine, limits.connectMs, log)
  const connector = new Connector(config.engine, secrets.engine, limits.connectMs, forward)
  const { auditing, observers: recorders } = await makeAuditing(config, audit, log)
  const engine = new EnginePool(connector, limits)
  const state = { draining: false }
  const metrics = new Metrics()
  metrics.describe({ version: ownVersion(), node: process.version })
  if (audit.status !== undefined) auditMetrics(metrics.registry, audit.status)
  const discovery = new Discovery(engine, (facts) =>
    log.info(
      {
        engine: facts.release,
        product: facts.product,
        lowest: formatVersion(facts.lowest),
        highest: formatVersion(facts.highest),
      },
      `the engine speaks ${formatVersion(facts.lowest)} to ${formatVersion(facts.highest)}; clients may speak ${formatVersion(LOWEST)} to ${formatVersion(offered(config['announce-api'], facts.highest))}`,
    ),
  )
  const policy = policyOf(config, listening)
  const inspector = await openInspector(config, { discovery, changes: [...rules, ...deviations] }, makeInspector, log)
  const autoRemoval = new AutoRemoval({ engine, limits }, log)
  const journey: Journey = {
    engine,
    discovery,
    plans: new Plans({ changes: rules, shapes, deviations, readings }, policy),
    audit: auditing,
    observers: [...recorders, ...observers, ...(inspector === undefined ? [] : [inspector.observe])],
    unobserved: inspector?.unobserved,
    metrics,
    policy,
    limits,
    responseCache: new ResponseCache(config['remember-answers']),
    timeSlicer: new TimeSlicer(),
    replacedContainers: new ReplacedContainers(
      (facts, method, path) => askEngineAt({ engine, limits }, facts.highest, method, path),
      {
        log,
        ...(peers === undefined ? {} : { peers }),
        ...(config.state === 'off' ? {} : { store: new ReplacementStore(config.state, config.engine) }),
      },
    ),
    autoRemoval,
    validation: config.validation === 'off' ? undefined : new Validation(config.validation, config['newer-fields']),
    infos: new WeakMap(),
    endpoints: new EndpointNetworks(),
    engineApi: config['engine-api'],
    recordStreams: config['record-streams'],
    corsHeader: config['api-cors-header'],
    log,
    draining: () => state.draining,
    admission: admissionOf(config),
    knownClients: config['known-clients'] === 'on' ? new KnownClients() : undefined,
  }
  const listeners = listening.map(({ address }) => doorOf(journey, config, address, secrets, access))
  const admin =
    config.admin === undefined || handed !== undefined
      ? undefined
      : createHttpServer(adminHandler(metrics.registry, discovery, adminHosts(config)))
  const servers = [...listeners.map(({ server }) => server), ...(admin === undefined ? [] : [admin])]
  const closeAll = async (): Promise<void> => {
    await Promise.all([...servers.map(closed), inspector?.close()])
    secrets.close()
    autoRemoval.close()
    engine.close()
    forward?.close()
  }
  try {
    const addresses = await Promise.all(
      listeners.map(({ server }, i) =>
        handed === undefined ? listenAt(server, at(listening, i), socketAccess(config)) : at(listening, i).address,
      ),
    )
    const adminAddress =
      admin === undefined || config.admin === undefined ? undefined : await listen(admin, config.admin)
    const inspect = await inspector?.listen()
    greet({ discovery, replacedContainers: journey.replacedContainers, autoRemoval, log }, config)
    return {
      addresses,
      admin: adminAddress,
      metrics: metrics.registry,
      replacedContainers: journey.replacedContainers,
      ready: () => discovery.ask(),
      take: (listener, connection) => void at(listeners, listener).server.emit('connection', connection),
      inspect,
      reload: async () => {
        await secrets.reload()
        await access?.reload()
      },
      close: async () => {
        state.draining = true
        await drain(listeners, metrics, config.grace * 1000, log)
        await closeAll()
      },
    }
  } catch (cause) {
    await closeAll()
    throw cause
  }
}

/** Starts the ssh forwarder if the engine is reached over ssh. */
async function forwardTo(address: EngineAddress, connectMs: number, log: Logger): Promise<SshForward | undefined> {
  if (address.kind !== 'ssh') return undefined
  const { SshForward: Forward } = await import('../http/engine/ssh.ts')
  return new Forward(address, connectMs, (words) => log.warn(`ssh: ${words}`))
}

const admissionOf = ({ 'max-calls': calls, rate }: Config): Admission | undefined =>
  calls === undefined && rate === undefined ? undefined : new Admission({ calls, rate })

/** Loads the configured access policy; undefined without one, which allows everything. */
async function openAccess(config: Config, listening: readonly Listening[], log: Logger): Promise<Access | undefined> {
  const { policy } = config
  if (policy === undefined || policy === 'off') return undefined
  const { Access: Policy } = await import('../policy/access.ts')
  const mode = config['policy-mode']
  const names = listening.map(({ address }) => formatAddress(address))
  const access = await Policy.open(policy, mode, names, log)
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

/** Builds the entry point of one address: TCP listeners get TLS and the checks against web pages. */
function doorOf(
  journey: Journey,
  config: Config,
  address: Address,
  secrets: Secrets,
  policy: Access | undefined,
): Listener {
  const name = formatAddress(address)
  const access = policy?.at(name)
  const unversioned = unversionedAt(config, name)
  if (address.kind === 'unix') return listenerOf(journey, { name, checkOrigin: undefined, access, unversioned })
  const reason = exposure(address, protectionOf(config))
  if (reason !== undefined && config.insecure !== true) throw new Error(`${reason}. ${WHAT_TO_DO}`)
  if (reason !== undefined) journey.log.warn(`INSECURE: ${name} is ${reason}`)
  const rules = {
    allowed: config['allowed-hosts'],
    checksHost: secrets.listeners === undefined || config['allowed-hosts'].length > 0,
    origin: config['api-cors-header'],
  }
  const checks: Door['checkOrigin'] = (headers, target) => checkOrigin(rules, headers, target)
  const door: Door = { name, checkOrigin: checks, access, unversioned }
  const listener = listenerOf(journey, door, secrets.listeners?.options())
  secrets.listeners?.serve(listener.server)
  return listener
}

/** The listener's own `--unversioned-api`, else the one for all listeners. */
function unversionedAt({ 'unversioned-api': said }: Config, name: string): ApiVersion | undefined {
  const own = said.find(({ listener }) => listener !== undefined && formatAddress(listener) === name)
  return (own ?? said.find(({ listener }) => listener === undefined))?.version
}

function listenerOf(journey: Journey, door: Door, secure?: TlsOptions | undefined): Listener {
  const { limits, log, draining } = journey
  const malformed = new MalformedRequests(journey, door.name)
  return createListener(
    {
      limits,
      deadlines: new Deadlines(Math.min(limits.headerMs || limits.idleMs, limits.idleMs || limits.headerMs)),
      draining,
      call: (request, response) =>
        asksWhetherReady(request)
          ? sayWhetherReady(journey, door, request, response)
          : serve(journey, door, request, response),
      malformed: (socket, bytes, { message, code }, told) =>
        malformed.note({ socket, bytes, reason: message, code, status: told }),
      // An error after the response was sent (a sink that throws) must end this connection, not the process.
      failed: (err) => log.error({ err }, 'finishing a call failed'),
    },
    secure,
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

function at<T>(list: readonly T[], index: number): T {
  const found = list[index]
  if (found === undefined) throw new RangeError(`nothing at ${index}`)
  return found
}

interface Greeted {
  readonly discovery: Discovery
  readonly replacedContainers: ReplacedContainers
  readonly autoRemoval: AutoRemoval
  readonly log: Logger
}

/** Queries the engine at startup to log early which changes apply; the engine may also start later. */
function greet({ discovery, replacedContainers, autoRemoval, log }: Greeted, config: Config): void {
  const announced = config['announce-api']
  if (announced !== undefined && isNewer(announced, NEWEST))
    log.warn(
      `--announce-api ${formatVersion(announced)}: the rules end with ${formatVersion(NEWEST)}; clients of newer versions are served as of ${formatVersion(NEWEST)}. Look for a newer enginebridge`,
    )
  // Repairs what a killed bridge left half done before the first call.
  const ready = discovery.ask().then(async (facts) => {
    await replacedContainers.ready(facts)
    if (!removesItself(facts.highest)) await autoRemoval.recover(facts)
  })
  ready.catch((cause: Error) =>
    log.warn(`no engine at ${formatAddress(config.engine)} yet (${cause.message}); calls get 503 until there is one`),
  )
}
