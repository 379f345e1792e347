import { isDeepStrictEqual } from 'node:util'
import { type ApiVersion, apiVersion, clampVersion, formatVersion, parseVersion } from '../api/version.ts'
import { Refusal } from '../errors.ts'
import type { EnginePool } from '../http/engine/pool.ts'
import { asJson, isObject, type JsonObject, type JsonValue } from '../translate/json.ts'
import type { EngineFacts } from '../translate/message.ts'

const ANSWER_TIMEOUT_MS = 10_000
const VERSION_LIMIT_BYTES = 1 << 20

/**
 * What the engine is, learnt from `GET /version`. Good for as long as a connection to it stays up: an engine that
 * restarts closes them all, and the next call asks again before anything is planned.
 */
export class Discovery {
  readonly #connection: EnginePool
  #facts: EngineFacts | undefined
  #asking: Promise<EngineFacts> | undefined

  readonly #changed: (facts: EngineFacts) => void

  /** `changed` hears of every engine that is another than the one before. */
  constructor(connection: EnginePool, changed: (facts: EngineFacts) => void = () => undefined) {
    this.#connection = connection
    this.#changed = changed
  }

  /** The last known facts, whether or not they still hold. */
  get lastKnown(): EngineFacts | undefined {
    return this.#facts
  }

  /** The engine's facts; asks when none are known or every connection has gone. Rejects with a Refusal. */
  facts(): EngineFacts | Promise<EngineFacts> {
    return this.#facts !== undefined && this.#connection.connected ? this.#facts : this.ask()
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
      const stayed = this.#connection.connected
      const said = readFacts(await getVersion(this.#connection))
      const known = this.#facts
      const same = isDeepStrictEqual(known, said)
      // What is remembered of an engine goes with its facts: who only asks whether it answers must not replace them.
      const facts = known !== undefined && same && stayed ? known : said
      this.#facts = facts
      if (!same) this.#changed(facts)
      return facts
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new Refusal('engine-unknown', `the engine is not known yet: ${reason}`, { cause })
    }
  }
}

function getVersion(connection: EnginePool): Promise<JsonObject> {
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
        if (size <= VERSION_LIMIT_BYTES) chunks.push(chunk)
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
 * that `allows` where `--engine-api` narrows the range.
 */
export function targetVersion(
  client: ApiVersion,
  engine: EngineFacts,
  engineApi: { allows(version: ApiVersion): boolean },
): ApiVersion {
  const nearest = clampVersion(client, engine.lowest, engine.highest)
  if (engineApi.allows(nearest)) return nearest
  for (let away = 1; away <= engine.highest - engine.lowest; away++) {
    for (const candidate of [nearest - away, nearest + away]) {
      if (candidate < engine.lowest || candidate > engine.highest) continue
      if (engineApi.allows(apiVersion(candidate))) return apiVersion(candidate)
    }
  }
  throw new Refusal(
    'engine-unknown',
    `the engine serves ${formatVersion(engine.lowest)} to ${formatVersion(engine.highest)}, and --engine-api allows none of these`,
  )
}
