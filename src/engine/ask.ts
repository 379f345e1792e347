import { errorText, ProxyError } from '../api/errors.ts'
import { asJson } from '../api/json/json.ts'
import { type ApiVersion, formatVersion } from '../api/version.ts'
import { ByteCollector } from '../http/byte-collector.ts'
import type { EngineCall, EngineRequest, ResponseSink } from '../http/engine/request.ts'
import { Headers, type ReadonlyHeaders } from '../http/headers.ts'
import type { Limits } from '../http/limits.ts'
import type { EngineAnswer, EngineStart, EngineStartOptions } from '../translate/message.ts'
import { RecordSplitter } from '../translate/run/record-splitter.ts'

/** The engine to call. */
interface Engine {
  send(request: EngineRequest, sink: ResponseSink, timeoutMs?: number): EngineCall
}

/** The engine to call, and limits for its responses. */
export interface Asking {
  readonly engine: Engine
  readonly limits: Limits
}

/** Headers of the bridge's own requests. */
export const TO_ENGINE: ReadonlyHeaders = new Headers([['Host', 'docker']])

/** Calls the engine outside of a client's call. */
export const askEngineAt = (
  needs: Asking,
  version: ApiVersion,
  method: string,
  path: string,
  timeoutMs = 0,
): Promise<EngineAnswer> =>
  askEngine(needs, { method, path: `/v${formatVersion(version)}${path}`, headers: TO_ENGINE, body: null }, timeoutMs)

/** Calls the engine and parses its response. `timeoutMs`: timeout for the response head; 0: none. */
export async function askEngine(
  { engine, limits }: Asking,
  request: EngineRequest,
  timeoutMs = 0,
  signal?: AbortSignal,
): Promise<EngineAnswer> {
  const limit = limits['max-response-body']
  const { start, ...answer } = await askForStart(engine, request, { bytes: limit + 1, timeoutMs, signal })
  if (start.length > limit)
    throw new ProxyError('engine-broke-off', `the engine's response is larger than ${limit} bytes`)
  // Podman says OK to a connect.
  const isText = request.method !== 'GET' && answer.headers.get('Content-Type')?.startsWith('text/plain') === true
  const isRead = answer.status < 400 && start.length > 0 && !isText
  const body = isRead ? asJson(start.toString()) : undefined
  if (isRead && body === undefined)
    throw new ProxyError('engine-broke-off', 'the engine sent a response that is not JSON')
  return { ...answer, body }
}

interface Start extends EngineStartOptions {
  readonly timeoutMs?: number
}

/** Reads the first bytes of a response, or its first record, then aborts the call. */
export function askForStart(
  engine: Engine,
  request: EngineRequest,
  { bytes, untilRecord, signal, timeoutMs }: Start,
): Promise<EngineStart & { readonly headers: ReadonlyHeaders }> {
  const { promise, resolve, reject } = Promise.withResolvers<EngineStart & { readonly headers: ReadonlyHeaders }>()
  const collector = new ByteCollector()
  const records = untilRecord ? new RecordSplitter(bytes) : undefined
  let enough = false
  let status = 0
  let headers: ReadonlyHeaders = new Headers()
  const finish = (start = collector.whole()): void => {
    const error = status >= 400 ? errorText(start.toString(), headers.get('Content-Type')) : ''
    resolve({ status, headers, start, error })
  }
  const sink: ResponseSink = {
    head: (code, _reason, received) => {
      status = code
      headers = received
    },
    data: (chunk) => {
      if (enough) return // the rest of what had been read when the call was aborted
      collector.add(chunk, true)
      const record = collector.size < bytes ? records?.push(chunk)[0] : undefined
      enough = record !== undefined || collector.size >= bytes
      if (!enough) return
      finish(record)
      sending.abort()
    },
    end: () => finish(),
    failed: reject, // ignored after `finish`
  }
  const sending = engine.send(request, sink, timeoutMs)
  if (signal === undefined) return promise
  const abort = (): void => sending.abort()
  signal.addEventListener('abort', abort)
  return promise.finally(() => signal.removeEventListener('abort', abort))
}
