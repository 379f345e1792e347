import { asProxyError, errorText, ProxyError } from '../api/errors.ts'
import { type JsonValue, parseJson } from '../api/json/json.ts'
import { type ApiVersion, formatVersion } from '../api/version.ts'
import type { EngineCall, EngineRequest, ResponseSink } from '../http/engine/request.ts'
import { Gathered } from '../http/gathered.ts'
import { Headers } from '../http/headers.ts'
import type { Limits } from '../http/limits.ts'
import type { EngineAnswer, EngineStart } from '../translate/message.ts'

/** The engine to call. */
interface Engine {
  send(request: EngineRequest, sink: ResponseSink, patienceMs?: number): EngineCall
}

/** The engine to call, and limits for its responses. */
export interface Asking {
  readonly engine: Engine
  readonly limits: Limits
}

/** Calls the engine outside of a client's call. */
export const askEngineAt = (
  needs: Asking,
  version: ApiVersion,
  method: string,
  path: string,
  patienceMs = 0,
): Promise<EngineAnswer> =>
  askEngine(
    needs,
    { method, path: `/v${formatVersion(version)}${path}`, headers: ['Host', 'docker'], body: null },
    patienceMs,
  )

/** Calls the engine and parses its response. `patienceMs`: timeout for the response head; 0: none. */
export const askEngine = ({ engine, limits }: Asking, request: EngineRequest, patienceMs = 0): Promise<EngineAnswer> =>
  collect(engine, request, { bytes: limits['max-response-body'] + 1, patienceMs }).then((collected) =>
    readAnswer(collected, limits['max-response-body']),
  )

/** Reads the first bytes of a response, then aborts the call. */
export const askForStart = (engine: Engine, request: EngineRequest, how: Start): Promise<EngineStart> =>
  collect(engine, request, how).then((collected) => ({ ...collected, error: errorOf(collected) }))

interface Start {
  /** The call is aborted after this many bytes. */
  readonly bytes: number
  readonly signal?: AbortSignal | undefined
  readonly patienceMs?: number
}

interface Collected {
  readonly status: number
  readonly headers: Headers
  /** At least the requested number of bytes, or all of the body. */
  readonly start: Buffer
}

function collect(engine: Engine, request: EngineRequest, { bytes, signal, patienceMs }: Start): Promise<Collected> {
  const { promise, resolve, reject } = Promise.withResolvers<Collected>()
  const gathered = new Gathered()
  let status = 0
  let headers = new Headers()
  const finish = (): void => resolve({ status, headers, start: gathered.whole() })
  const sink: ResponseSink = {
    head: (code, _reason, raw) => {
      status = code
      headers = Headers.fromRaw(raw)
    },
    data: (chunk) => {
      gathered.add(chunk, true)
      if (gathered.size < bytes) return
      finish()
      sending.abort()
    },
    end: finish,
    failed: (cause) => reject(asProxyError(cause)), // ignored after `finish`
  }
  const sending = engine.send(request, sink, patienceMs)
  signal?.addEventListener('abort', () => sending.abort())
  return promise
}

const errorOf = ({ status, headers, start }: Collected): string =>
  status >= 400 ? errorText(start.toString(), headers.get('Content-Type')) : ''

function readAnswer(collected: Collected, limit: number): EngineAnswer {
  const { status, headers, start } = collected
  if (start.length > limit)
    throw new ProxyError('engine-broke-off', `the engine's answer is larger than ${limit} bytes`)
  const body = status < 400 && start.length > 0 ? parsed(start.toString()) : undefined
  return { status, headers, body, error: errorOf(collected) }
}

function parsed(text: string): JsonValue {
  try {
    return parseJson(text)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new ProxyError('engine-broke-off', 'the engine sent a response that is not JSON', { cause })
  }
}
