import type { Socket } from 'node:net'
import type { Registry } from 'prom-client'
import type { EngineFacts } from '../api/engine-facts.ts'
import { formatVersion, isNewer, NEWEST } from '../api/version.ts'
import { BadConfig } from '../config/bad-config.ts'
import type { ReplacedContainers } from '../engine/replaced/replaced-containers.ts'
import { type Address, formatAddress } from '../http/address.ts'
import { listenAll } from '../http/listen/listen.ts'
import { type Admin, openAdmin } from './admin.ts'
import type { Core, Dependencies, Handed } from './core.ts'
import type { Opened } from './inspector.ts'
import { closed, drain } from './load/drain.ts'
import { makeParts } from './parts.ts'
import type { Config } from './settings/settings.ts'

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
  /** Reloads certificates and policy; open connections stay. A worker is given its policy by the primary. */
  reload(policy?: Handed['policy']): Promise<void>
  /** Stops accepting, waits up to the grace period for open calls, then closes the remaining connections. */
  close(): Promise<void>
}

/** Starts a bridge. Rejects with a readable error if an address cannot be used; the engine may start later. */
export async function startBridge(config: Config, dependencies: Dependencies): Promise<Bridge> {
  const { log, handed } = dependencies
  if (config.workers > 1 && handed === undefined)
    throw new BadConfig([`--workers ${config.workers}: only \`enginebridge serve\` supports several processes`])
  const state = { draining: false }
  const parts = await makeParts(config, dependencies, () => state.draining)
  const { core, listening, listeners, secrets, access } = parts
  const { metrics, discovery, inspector, replacedContainers } = core
  let admin: Admin | undefined
  const servers = listeners.map(({ server }) => server)
  const closeAll = async (): Promise<void> => {
    await Promise.all([...servers.map(closed), admin?.close(), inspector?.close()])
    parts.close()
  }
  try {
    const addresses = handed?.listening.map(({ address }) => address) ?? (await listenAll(servers, listening, config))
    if (handed === undefined) admin = await openAdmin(config, metrics.registry, discovery)
    const inspect = await inspector?.listen()
    greet(core, config)
    return {
      ...{ addresses, admin: admin?.address, inspect, metrics: metrics.registry, replacedContainers },
      ready: () => discovery.ask(),
      take: (listener, connection) => void servers[listener]?.emit('connection', connection),
      reload: async (policy = {}) => {
        await (handed === undefined ? access?.reload() : access?.use(policy))
        await secrets.listeners?.reload()
        await secrets.engine?.reload()
      },
      close: async () => {
        state.draining = true
        await drain(listeners, metrics, config.grace * 1000, log, () => {
          core.audit.cuts = true
        })
        await closeAll()
      },
    }
  } catch (cause) {
    await closeAll()
    throw cause
  }
}

/** Queries the engine at startup to log early which changes apply; the engine may also start later. */
function greet({ log, discovery, replacedContainers }: Core, config: Config): void {
  const announced = config['announce-api']
  if (announced !== undefined && isNewer(announced, NEWEST))
    log.warn(
      `--announce-api ${formatVersion(announced)}: the rules end with ${formatVersion(NEWEST)}; clients of newer versions are served as of ${formatVersion(NEWEST)}. Look for a newer enginebridge`,
    )
  // Repairs what a killed bridge left half done before the first call.
  const ready = discovery.ask().then((facts) => replacedContainers.mapsIds(facts))
  ready.catch((cause: Error) =>
    log.warn(`no engine at ${formatAddress(config.engine)} yet (${cause.message}); calls get 503 until there is one`),
  )
}
