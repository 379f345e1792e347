import { ProxyError } from '../http/errors.ts'
import { asJson, isObject, memberAt } from './json/json.ts'
import { type ApiVersion, isOlder, JSON_ERRORS_FROM } from './version.ts'

export { type ErrorCode, ProxyError } from '../http/errors.ts'

/** Undefined where the work fails: for what a call can do without. */
export const unlessFailed = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((cause: unknown) => {
    if (!(cause instanceof ProxyError)) throw cause
    return undefined
  })

/** Errors are text up to 1.23, JSON from 1.24 and without a version (moby CHANGELOG v1.24, httputils/errors.go). */
export type ErrorForm = 'text' | 'json'

export const errorForm = (client: ApiVersion): ErrorForm => (isOlder(client, JSON_ERRORS_FROM) ? 'text' : 'json')

/** The message of an engine's error body in either form; the untrimmed text if it has neither. */
export function errorText(body: string, contentType: string | undefined): string {
  if (contentType?.startsWith('application/json')) {
    const parsed = asJson(body)
    if (parsed === undefined) return body.trimEnd()
    if (typeof parsed === 'string') return parsed // predefined networks on 1.9–1.11
    if (isObject(parsed) && 'message' in parsed) return String(parsed['message'])
    if (isObject(parsed) && 'cause' in parsed) return String(parsed['cause']) // Podman
    const failure = memberAt(parsed, 'errorDetail', 'message') // of a push, on Podman
    if (typeof failure === 'string') return failure
  }
  return body.replace(/\r?\n$/, '')
}

/** An error body with its headers, byte for byte as Go's http.Error and httputils.MakeErrorHandler write it. */
export function renderError(text: string, form: ErrorForm): { body: string; headers: Record<string, string> } {
  if (form === 'json')
    return { body: `${JSON.stringify({ message: text })}\n`, headers: { 'Content-Type': 'application/json' } }
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' }
  return { body: `${text}\n`, headers }
}
