import { isDeepStrictEqual } from 'node:util'
import type { EngineFacts } from '../api/engine-facts.ts'
import { Refusal } from '../api/errors.ts'
import { asJson, isObject, type JsonObject, type JsonValue } from '../api/json/json.ts'
import { type ApiVersion, byNearness, formatVersion, isNewer, parseVersion } from '../api/version.ts'
import type { EnginePool, Gone } from '../http/engine/pool.ts'

const ANSWER_TIMEOUT_MS = 10_000
const VERSION_LIMIT_BYTES = 1 << 20

/** How long after the last connection was closed a call may still go by what was known before it. */
const STILL_TRUSTED_MS = 600_000

/** What the engine said of itself, and when. */
interface Known {
  readonly facts: EngineFacts
  /** All of `GET /version`: an engine is the same for as long as none of it changes. */
  readonly version: JsonObject
  /** Of the connections, when the engine was asked. */
  readonly gone: Gone
}

/**
 * What the engine is, learnt from `GET /version`. It holds for as long as a connection to the engine stays up: an engine that
 * restarts closes them all. After that the engine is asked again, and is the same (the same object) if it says the same and
 * has hung up on nobody.
 */
export class Discovery {
  readonly #connection: Pick<EnginePool, 'gone' | 'send'>
  readonly #changed: (facts: EngineFacts) => void
  readonly #trustedMs: number
  #known: Known | undefined
  /** The last question was not answered. */
  #doubted = false
  #asking: Promise<EngineFacts> | undefined

  /** `changed` hears of every engine that says something else than the one before. */
  constructor(
    connection: Pick<EnginePool, 'gone' | 'send'>,
    changed: (facts: EngineFacts) => void = () => undefined,
    trustedMs = STILL_TRUSTED_MS,
  ) {
    this.#connection = connection
    this.#changed = changed
    this.#trustedMs = trustedMs
  }

  /** The last known facts, whether or not they still hold. */
  get lastKnown(): EngineFacts | undefined {
    return this.#known?.facts
  }

  /**
   * The engine's facts; asks when none are known or all connections have gone. Rejects with a Refusal.
   * `beside`: whether the call may go while the engine is asked, where nothing speaks for another one. Only what reads and is
   * soon over may: by the facts of another engine it would be refused, or be told a few members too many or too few, once.
   */
  facts(beside: boolean): EngineFacts | Promise<EngineFacts> {
    const known = this.#known
    if (known === undefined) return this.ask()
    if (known.gone === this.#connection.gone) return known.facts
    const asking = this.ask()
    if (!beside || !this.#stillTrusted(known)) return asking
    asking.catch(() => undefined) // the next call waits, and is told
    return known.facts
  }

  /** All connections have gone, but only because the bridge closed them itself, and not long ago. */
  #stillTrusted({ gone: { byEngine } }: Known): boolean {
    const { gone } = this.#connection
    return !this.#doubted && byEngine === gone.byEngine && performance.now() - gone.at < this.#trustedMs
  }

  /** Asks the engine now, whatever is known. Calls that come meanwhile share the answer. */
  ask(): Promise<EngineFacts> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #ask(): Promise<EngineFacts> {
    try {
      const { gone } = this.#connection
      const version = await getVersion(this.#connection)
      const known = this.#known
      const same = isDeepStrictEqual(known?.version, version)
      // What is remembered of an engine goes with its facts: they stay one object while it is the same.
      const stays = known !== undefined && same && known.gone.byEngine === gone.byEngine
      const facts = stays ? known.facts : readFacts(version)
      this.#known = { facts, version, gone }
      this.#doubted = false
      if (!same) this.#changed(facts)
      return facts
    } catch (cause) {
      this.#doubted = true
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new Refusal('engine-unknown', `the engine is not known yet: ${reason}`, { cause })
    }
  }
}

function getVersion(connection: Pick<EnginePool, 'send'>): Promise<JsonObject> {
  const { promise, resolve, reject } = Promise.withResolvers<JsonObject>()
  const chunks: Buffer[] = []
  let size = 0
  let status = 0
  const timer = setTimeout(() => {
    reject(new Refusal('engine-timeout', `no answer to GET /version within ${ANSWER_TIMEOUT_MS / 1000} s`))
    sending.abort()
  }, ANSWER_TIMEOUT_MS)
  const sending = connection.send(
    { method: 'GET', path: '/version', headers: ['Host', 'docker', 'Accept', 'application/json'], body: null },
    {
      head: (code) => {
        status = code
      },
      data: (chunk) => {
        size += chunk.length
        if (size <= VERSION_LIMIT_BYTES) chunks.push(Buffer.from(chunk))
        else sending.abort()
      },
      end: () => {
        clearTimeout(timer)
        const body = asJson(Buffer.concat(chunks).toString())
        if (status === 200 && isObject(body)) resolve(body)
        else reject(new Refusal('engine-broke-off', `GET /version answered ${status} and no version`))
      },
      failed: (cause) => {
        clearTimeout(timer)
        reject(cause)
      },
    },
  )
  return promise
}

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

/** Facts from a `/version` body. An engine that reports no minimum (up to 1.12) speaks exactly its `ApiVersion`. */
export function readFacts(version: JsonObject): EngineFacts {
  const highest = parseVersion(text(version['ApiVersion']))
  if (highest === undefined) throw new Refusal('engine-broke-off', 'GET /version names no ApiVersion')
  const lowest = parseVersion(text(version['MinAPIVersion'])) ?? highest
  return {
    highest,
    lowest,
    release: text(version['Version']),
    os: text(version['Os']),
    arch: text(version['Arch']),
    product: product(version['Components']),
  }
}

function product(components: JsonValue | undefined): string | undefined {
  const first = Array.isArray(components) ? components[0] : undefined
  const name = isObject(first) ? text(first['Name']) : ''
  return name === '' || name === 'Engine' ? undefined : name
}

/**
 * The version to speak to the engine: the client's if the engine's range holds it, else the nearest bound; the nearest
 * that `allows` where `--engine-api` narrows the range. `atLeast`: a higher one, if the engine serves it.
 */
export function targetVersion(
  client: ApiVersion,
  engine: EngineFacts,
  engineApi: { allows(version: ApiVersion): boolean },
  atLeast: ApiVersion = client,
): ApiVersion {
  const wanted = isNewer(atLeast, client) && !isNewer(atLeast, engine.highest) ? atLeast : client
  for (const version of byNearness(wanted, engine.lowest, engine.highest)) if (engineApi.allows(version)) return version
  throw new Refusal(
    'engine-unknown',
    `the engine serves ${formatVersion(engine.lowest)} to ${formatVersion(engine.highest)}, and --engine-api allows none of these`,
  )
}
