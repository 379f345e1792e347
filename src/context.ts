import type { Aliases } from './aliases/aliases.ts'
import { type ApiVersion, formatVersion } from './api/version.ts'
import type { Entry } from './audit/audit.ts'
import type { EngineConnection, EngineRequest } from './engine/connection.ts'
import { errorText, Refusal } from './errors.ts'
import type { AnyPlan, Guard, Outgoing, Tap } from './lanes/carriage.ts'
import type { Limits } from './limits.ts'
import type { Call } from './read-call.ts'
import type { Exchange } from './translate/change.ts'
import type { Plans } from './translate/compile.ts'
import { Headers } from './translate/headers.ts'
import { isObject, type JsonObject, type JsonValue, parseJson, writeJson } from './translate/json.ts'
import type {
  EmulationContext,
  EngineAnswer,
  EngineFacts,
  EngineStart,
  ResponseMessage,
  TranslationPolicy,
} from './translate/message.ts'
import { AskedCall } from './translate/query.ts'

export interface ContextNeeds {
  readonly engine: EngineConnection
  readonly plans: Plans
  readonly policy: TranslationPolicy
  readonly limits: Limits
  readonly infos: EngineInfos
  readonly aliases: Aliases
}

/** A call that an emulation makes. */
type FurtherCall = EngineRequest & { readonly body: Buffer | null }

/** `GET /info` of each engine that was met; goes with the facts it belongs to. */
export type EngineInfos = WeakMap<EngineFacts, Promise<JsonObject | undefined>>

/** What steps and emulations of one call may see and do. */
export function makeContext(
  needs: ContextNeeds,
  call: Call,
  plan: AnyPlan,
  engine: EngineFacts,
  entry: Entry,
  tap: Tap | undefined,
  guard: Guard | undefined,
): EmulationContext {
  const { policy } = needs
  // Emulations name containers as their client does.
  const known = (path: string): string =>
    path.replace(
      /^(\/containers\/)([0-9a-f]{12,64})(?=\/|$|\?)/,
      (_all, start, said) => start + needs.aliases.toEngine(said),
    )
  const prepared = (method: string, path: string, said: JsonValue | undefined): FurtherCall => {
    const body = said === undefined ? null : Buffer.from(writeJson(said))
    const headers = ['Host', 'docker', ...(body === null ? [] : ['Content-Type', 'application/json'])]
    return { method, path: `/v${formatVersion(plan.target)}${known(path)}`, headers, body }
  }
  const shown = (request: FurtherCall): FurtherCall => {
    entry.asks(request, true)
    tap?.request(request, true)
    return request
  }
  const permitted = (request: FurtherCall): FurtherCall => {
    guard?.check(outgoing(request), true)
    return request
  }
  const memory = new Map<string, JsonValue>()
  let personal = false
  const context: EmulationContext = {
    operation: call.match?.operation.name ?? 'SystemPing',
    client: plan.client,
    target: plan.target,
    engine,
    policy,
    call: new AskedCall(call.match?.params ?? {}, call.search),
    get personal() {
      return personal
    },
    get memory() {
      personal = true
      return memory
    },
    get aliases() {
      personal = true
      return needs.aliases
    },
    afterwards: [],
    lose: ({ what, needs: version, change, onLoss }) => {
      personal = true
      if (onLoss === 'refuse' || (onLoss === 'warn' && policy.losses === 'strict')) {
        throw new Refusal('loss', `${what} is not supported by the engine: ${whyLost(version, plan, engine)}`)
      }
      const outcome = onLoss === 'warn' && policy.losses === 'warn' ? 'warned' : 'ignored'
      entry.losses.push({ what, needs: version, change, outcome })
    },
    ignore: (what) => {
      personal = true
      entry.ignored.push(what)
    },
    engineCall: async (method, path, options = {}) => {
      const query = options.query === undefined ? '' : `?${new URLSearchParams(options.query)}`
      const request = shown(permitted(prepared(method, `${path}${query}`, options.body)))
      return askEngine(needs, request).finally(() => entry.heard())
    },
    permit: (method, path, body) => void permitted(prepared(method, path, body)),
    engineInfo: () => {
      let info = needs.infos.get(engine)
      if (info === undefined) {
        // What the bridge wants to know of its engine is not what this client may know.
        const asking = askEngine(needs, shown(prepared('GET', '/info', undefined))).finally(() => entry.heard())
        info = asking.then(({ body }) => (isObject(body) ? body : undefined))
        needs.infos.set(engine, info)
        info.catch(() => needs.infos.delete(engine)) // the next call asks again
      }
      return info
    },
    engineStart: async (method, path, { body, bytes }) =>
      askForStart(needs, shown(permitted(prepared(method, path, body))), bytes).finally(() => entry.heard()),
    translateResponse: (operation, body) => {
      const other = needs.plans.get(operation, plan.client, plan.target, plan.highest)
      const message: ResponseMessage = { status: 200, headers: new Headers(), body }
      for (const step of other.response.body) step(message, { ...context, operation })
      return message.body ?? null
    },
  }
  return context
}

const outgoing = ({ method, path, body }: FurtherCall): Outgoing => ({
  method,
  path,
  contentType: body === null ? undefined : 'application/json',
  body: body ?? undefined,
})

/** A member is lost on an engine that does not have it yet, or is not asked for it (a pin), or has it no longer. */
function whyLost(version: ApiVersion, { client, target }: Exchange, engine: EngineFacts): string {
  const has = `the engine has API ${formatVersion(engine.highest)}`
  if (client >= version && target < version && version <= engine.highest)
    return `it needs API ${formatVersion(version)} and the engine is asked for ${formatVersion(target)}`
  return version > engine.highest
    ? `it needs API ${formatVersion(version)} and ${has}`
    : `it is gone from API ${formatVersion(version)} on and ${has}`
}

/** Asks the engine outside of any call. */
export const askEngineAt = (
  needs: Pick<ContextNeeds, 'engine' | 'limits'>,
  version: ApiVersion,
  method: string,
  path: string,
): Promise<EngineAnswer> =>
  askEngine(needs, {
    method,
    path: `/v${formatVersion(version)}${path}`,
    headers: ['Host', 'docker'],
    body: null,
  })

/** A whole call to the engine, for emulations. */
function askEngine(
  { engine, limits }: Pick<ContextNeeds, 'engine' | 'limits'>,
  request: EngineRequest,
): Promise<EngineAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<EngineAnswer>()
  const chunks: Buffer[] = []
  let size = 0
  let status = 0
  let headers = new Headers()
  const sending = engine.send(request, {
    head: (code, _reason, raw) => {
      status = code
      headers = Headers.fromRaw(raw)
    },
    data: (chunk) => {
      size += chunk.length
      if (size <= limits.responseBody) chunks.push(chunk)
      else sending.abort()
    },
    // What cannot be read rejects: thrown here, it would leave the call waiting.
    end: () => void Promise.try(readAnswer, status, headers, Buffer.concat(chunks).toString()).then(resolve, reject),
    failed: reject,
  })
  return promise
}

/** The beginning of an answer; the engine is stopped when it has come. */
function askForStart({ engine }: ContextNeeds, request: EngineRequest, bytes: number): Promise<EngineStart> {
  const { promise, resolve, reject } = Promise.withResolvers<EngineStart>()
  const chunks: Buffer[] = []
  let size = 0
  let status = 0
  let type: string | undefined
  const finish = (): void => {
    const start = Buffer.concat(chunks)
    resolve({ status, start, error: status >= 400 ? errorText(start.toString(), type) : '' })
  }
  const sending = engine.send(request, {
    head: (code, _reason, raw) => {
      status = code
      type = Headers.fromRaw(raw).get('Content-Type')
    },
    data: (chunk) => {
      size += chunk.length
      chunks.push(chunk)
      if (size < bytes) return
      finish()
      sending.abort()
    },
    end: finish,
    failed: reject, // after `finish` it changes nothing
  })
  return promise
}

function readAnswer(status: number, headers: Headers, text: string): EngineAnswer {
  const error = status >= 400 ? errorText(text, headers.get('Content-Type')) : ''
  let body: JsonValue | undefined
  if (status < 400 && text !== '') {
    try {
      body = parseJson(text)
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause
      throw new Refusal('engine-broke-off', 'the engine answered something that is no JSON', { cause })
    }
  }
  return { status, headers, body, error }
}
