import type { Call } from '../api/read-call.ts'
import { readBody } from '../http/client/read-body.ts'
import type { ClientRequest } from '../http/client/request.ts'
import type { Headers } from '../http/headers.ts'
import type { Limits } from '../http/limits.ts'
import { givesName } from './replaced/address.ts'

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
const WITH_FORMS = new Set(['POST', 'PUT', 'PATCH'])

/**
 * Whether engines will take the body for parameters, which they prefer to those of the query (net/http ParseForm; seen on
 * 28.5: a `signal` in the body wins). Where they expect JSON they refuse it themselves.
 */
export function saysByForm(call: Call, request: ClientRequest): boolean {
  const { match, method } = call
  if (!WITH_FORMS.has(method) || match?.operation.request === 'json') return false
  if (match === undefined ? !givesName(call) : match.operation.response === 'hijack') return false
  return isForm(request.field('content-type'))
}

export const isForm = (contentType?: string): boolean => mediaType(contentType) === FORM

/** Engines take its parts for parameters that the query lacks (net/http FormValue, which looks at no method). */
export const isMultipartForm = (contentType?: string): boolean => mediaType(contentType) === MULTIPART

/**
 * As Go reads a media type (mime.ParseMediaType): white space and small letters are Unicode's, of which the header's bytes
 * may be UTF-8 (a no-break space before it, a dotted İ in it).
 */
function mediaType(contentType = ''): string {
  const type = Buffer.from(contentType.split(';', 1)[0] ?? '', 'latin1').toString()
  return type.replaceAll('\u0130', 'i').replaceAll('\u0085', ' ').trim().toLowerCase()
}

/** The call with those parameters in its query, where validation, rules and policy see what the engine will. */
export async function withForm(call: Call, request: ClientRequest, limits: Limits): Promise<Call> {
  const body = await readBody(request, limits.requestBody, limits.bodyMs)
  if (body.length === 0) return call
  const parts = [asQuery(body), call.search.slice(1)].filter((part) => part !== '')
  return { ...call, search: `?${parts.join('&')}` }
}

/** The same bytes, in escapes where they may not stand in a request line (RFC 9112, 3.2). */
const asQuery = (body: Buffer): string =>
  body
    .toString('latin1')
    .replace(/[^\x21-\x7e]|#/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)

/** Takes off what said that there is a body. */
export function withoutForm(headers: Headers): void {
  for (const name of ['Content-Type', 'Content-Length', 'Transfer-Encoding']) headers.delete(name)
}
