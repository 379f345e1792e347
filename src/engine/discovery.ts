import { isDeepStrictEqual } from 'node:util'
import type { EngineFacts } from '../api/engine-facts.ts'
import { ProxyError } from '../api/errors.ts'
import { asJson, isObject, type JsonObject, type JsonValue, listOf, memberAt, stringOf } from '../api/json/json.ts'
import { type ApiVersion, formatVersion, isNewer, nearestVersion, parseVersion } from '../api/version.ts'
import { messageOf } from '../config/text.ts'
import type { EnginePool, LastClosed } from '../http/engine/pool.ts'
import type { EngineRequest } from '../http/engine/request.ts'
import { Headers } from '../http/headers.ts'
import { askForStart } from './ask.ts'

/** Docker's engine runs programs to answer, which can take long on a busy disk. */
const ANSWER_TIMEOUT_MS = 30_000
const VERSION_LIMIT_BYTES = 1 << 20
/** Of an error, which may be a page of a server in between. */
const MAX_WORDS = 200
const GET_VERSION: EngineRequest = {
  method: 'GET',
  path: '/version',
  headers: Headers.fromRaw(['Host', 'docker', 'Accept', 'application/json']),
  body: null,
}

/** How long facts are trusted after the last connection closed. */
const STILL_TRUSTED_MS = 600_000

/** Facts with the response they were read from. */
interface Known {
  readonly facts: EngineFacts
  /** The body of `GET /version`; a change means another engine. */
  readonly version: JsonObject
  /** State of the connections at that time. */
  readonly lastClosed: LastClosed
}

/**
 * Learns about the engine from `GET /version`. Facts hold while a connection stays open, because an engine that
 * restarts closes them all. Then the engine is asked again; the facts object stays the same if the response does and
 * the engine closed no connection.
 */
export class Discovery {
  readonly #connection: EnginePool
  readonly #changed: (facts: EngineFacts) => void
  readonly #timeoutMs: number
  readonly #trustedMs: number
  #known: Known | undefined
  /** The last request for the version failed. */
  #doubted = false
  #asking: Promise<EngineFacts> | undefined

  /** `changed` is called for each engine unlike the previous one. `timeoutMs`: timeout for a response; 0: 30 s. */
  constructor(
    connection: EnginePool,
    changed: (facts: EngineFacts) => void,
    timeoutMs: number,
    trustedMs = STILL_TRUSTED_MS,
  ) {
    this.#connection = connection
    this.#changed = changed
    this.#timeoutMs = timeoutMs || ANSWER_TIMEOUT_MS
    this.#trustedMs = trustedMs
  }

  /** May be outdated. */
  get lastKnown(): EngineFacts | undefined {
    return this.#known?.facts
  }

  /**
   * Asks the engine if no facts are known or all connections have closed. Rejects with a ProxyError.
   * `beside`: the call may proceed with trusted facts while the engine is asked. Only for short reads: with another
   * engine's facts, such a call at worst fails or shows a few wrong members, once. Podman takes a second for GET /version.
   */
  facts(beside: boolean): EngineFacts | Promise<EngineFacts> {
    const known = this.#known
    if (known === undefined) return this.ask()
    if (known.lastClosed === this.#connection.lastClosed) return known.facts
    const asking = this.ask()
    if (!beside || !this.#stillTrusted(known)) return asking
    asking.catch(() => undefined) // the next call awaits it and gets the error
    return known.facts
  }

  /** The bridge itself closed all connections, not long ago. */
  #stillTrusted({ lastClosed: { closedByEngine } }: Known): boolean {
    const { lastClosed } = this.#connection
    return (
      !this.#doubted &&
      closedByEngine === lastClosed.closedByEngine &&
      performance.now() - lastClosed.at < this.#trustedMs
    )
  }

  /** Asks the engine now. Concurrent calls share the response. */
  ask(): Promise<EngineFacts> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #ask(): Promise<EngineFacts> {
    try {
      const { lastClosed } = this.#connection
      const version = await getVersion(this.#connection, this.#timeoutMs)
      const known = this.#known
      const same = known !== undefined && isDeepStrictEqual(known.version, version)
      // Caches are keyed by the facts object, so it is kept while the engine is the same.
      const stays = same && known.lastClosed.closedByEngine === lastClosed.closedByEngine
      const facts = stays ? known.facts : readFacts(version)
      this.#known = { facts, version, lastClosed }
      this.#doubted = false
      if (!same) this.#changed(facts)
      return facts
    } catch (cause) {
      this.#doubted = true
      throw new ProxyError('engine-unknown', `cannot learn the engine's version: ${messageOf(cause)}`, { cause })
    }
  }
}

async function getVersion(engine: EnginePool, timeoutMs: number): Promise<JsonObject> {
  const late = AbortSignal.timeout(timeoutMs)
  const asking = askForStart(engine, GET_VERSION, { bytes: VERSION_LIMIT_BYTES, signal: late })
  const { status, start, error } = await asking.catch((cause: unknown) => {
    if (!late.aborted) throw cause
    throw new ProxyError('engine-timeout', `no response to GET /version within ${timeoutMs / 1000} s`)
  })
  const body = asJson(start.toString())
  if (status === 200 && isObject(body)) return body
  const words = error === '' ? '' : `: ${error.slice(0, MAX_WORDS)}`
  throw new ProxyError('engine-broke-off', `GET /version returned ${status} without a version${words}`)
}

/** Parses a `/version` body. Engines without a minimum (up to 1.12) speak exactly `ApiVersion`. */
export function readFacts(version: JsonObject): EngineFacts {
  const highest = parseVersion(stringOf(version['ApiVersion']))
  if (highest === undefined) throw new ProxyError('engine-broke-off', 'GET /version returned no ApiVersion')
  const lowest = parseVersion(stringOf(version['MinAPIVersion'])) ?? highest
  return {
    highest,
    lowest,
    release: stringOf(version['Version']),
    os: stringOf(version['Os']),
    arch: stringOf(version['Arch']),
    product: product(version['Components']),
  }
}

function product(components: JsonValue | undefined): string | undefined {
  const name = stringOf(memberAt(listOf(components)[0], 'Name'))
  return name === '' || name === 'Engine' ? undefined : name
}

/**
 * The version to speak to the engine: the client's if the engine supports it, else the nearest that the engine and
 * `--engine-api` allow. `atLeast`: minimums, of which the last that the engine supports counts.
 */
export function targetVersion(
  client: ApiVersion,
  engine: EngineFacts,
  allowed: (version: ApiVersion) => boolean,
  atLeast: readonly ApiVersion[] = [],
): ApiVersion {
  const least = atLeast.findLast((version) => !isNewer(version, engine.highest))
  const wanted = least !== undefined && isNewer(least, client) ? least : client
  const nearest = nearestVersion(wanted, engine.lowest, engine.highest, allowed)
  if (nearest !== undefined) return nearest
  throw new ProxyError(
    'engine-unknown',
    `the engine serves ${formatVersion(engine.lowest)} to ${formatVersion(engine.highest)}, and --engine-api allows none of these`,
  )
}
