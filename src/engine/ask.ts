import { asProxyError, errorText, ProxyError } from '../api/errors.ts'
import { type JsonValue, parseJson } from '../api/json/json.ts'
import { type ApiVersion, formatVersion } from '../api/version.ts'
import type { EngineCall, EngineRequest, ResponseSink } from '../http/engine/request.ts'
import { Headers } from '../http/headers.ts'
import type { Limits } from '../http/limits.ts'
import type { EngineAnswer, EngineStart } from '../translate/message.ts'

/** The engine to call, and limits for its responses. */
export interface Asking {
  readonly engine: { send(request: EngineRequest, sink: ResponseSink, patienceMs?: number): EngineCall }
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
export function askEngine({ engine, limits }: Asking, request: EngineRequest, patienceMs = 0): Promise<EngineAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<EngineAnswer>()
  const chunks: Buffer[] = []
  let size = 0
  let status = 0
  let headers = new Headers()
  const sending = engine.send(
    request,
    {
      head: (code, _reason, raw) => {
        status = code
        headers = Headers.fromRaw(raw)
      },
      data: (chunk) => {
        size += chunk.length
        if (size <= limits.responseBody) chunks.push(Buffer.from(chunk))
        else sending.abort()
      },
      // A throw here would leave the promise pending.
      end: () => {
        const text = Buffer.concat(chunks).toString()
        // Node 22 has no Promise.try.
        new Promise<EngineAnswer>((done) => done(readAnswer(status, headers, text))).then(resolve, reject)
      },
      failed: (cause) => reject(asProxyError(cause)),
    },
    patienceMs,
  )
  return promise
}

/** Reads the first bytes of a response, then aborts the call. */
export function askForStart(
  { engine }: Asking,
  request: EngineRequest,
  { bytes, signal }: { bytes: number; signal?: AbortSignal | undefined },
): Promise<EngineStart> {
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
      chunks.push(Buffer.from(chunk))
      if (size < bytes) return
      finish()
      sending.abort()
    },
    end: finish,
    failed: (cause) => reject(asProxyError(cause)), // ignored after `finish`
  })
  signal?.addEventListener('abort', () => sending.abort())
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
      throw new ProxyError('engine-broke-off', 'the engine sent a response that is not JSON', { cause })
    }
  }
  return { status, headers, body, error }
}
