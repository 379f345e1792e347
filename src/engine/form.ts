import { boundedSearch, type Call, tooManyParameters } from '../api/read-call.ts'
import { percentEncoded } from '../config/text.ts'
import { type BytesIn, takeBody } from '../http/client/read-body.ts'
import type { ClientRequest } from '../http/client/request.ts'
import type { ClientResponse } from '../http/client/response.ts'
import type { Headers } from '../http/headers.ts'
import type { Limits } from '../http/limits.ts'
import { givesName } from './replaced/address.ts'

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
const WITH_FORMS = new Set(['POST', 'PUT', 'PATCH'])

/**
 * Whether engines read parameters from the body, which take precedence over the query (net/http ParseForm; seen on
 * 28.5: a `signal` in the body wins). Where engines expect JSON, they reject a form.
 */
export function saysByForm(call: Call, request: ClientRequest): boolean {
  const { match, method } = call
  if (!WITH_FORMS.has(method) || match?.operation.request === 'json') return false
  if (match === undefined ? !givesName(call) : match.operation.response === 'hijack') return false
  return isForm(request.headers.get('content-type'))
}

export const isForm = (contentType?: string): boolean => mediaType(contentType) === FORM

/** Engines use its parts for parameters missing in the query (net/http FormValue, with any method). */
export const isMultipartForm = (contentType?: string): boolean => mediaType(contentType) === MULTIPART

/**
 * Parses a media type like Go (mime.ParseMediaType): it trims and lowercases Unicode, and header bytes may be UTF-8 (a
 * leading no-break space, a dotted İ).
 */
function mediaType(contentType = ''): string {
  const type = Buffer.from(contentType.split(';', 1)[0] ?? '', 'latin1').toString()
  return type.replaceAll('\u0130', 'i').replaceAll('\u0085', ' ').trim().toLowerCase()
}

/** Reads the form into the query, where validation, rules and policy see it, and removes the headers of the body. */
export async function withForm(
  call: Call,
  request: ClientRequest,
  response: ClientResponse,
  headers: Headers,
  limits: Limits,
  count: BytesIn,
): Promise<Call> {
  // Engines peek at a context before they look for a form (build_routes.go:wrapOutputBufferedUntilRequestRead).
  if (call.match?.operation.name === 'ImageBuild') {
    headers.set('Content-Type', 'application/x-tar')
    return call
  }
  const body = await takeBody(request, response, limits, count)
  for (const name of ['Content-Type', 'Content-Length', 'Transfer-Encoding']) headers.delete(name)
  if (body.length === 0) return call
  const parts = [asQuery(body), call.search.slice(1)].filter((part) => part !== '')
  const search = `?${parts.join('&')}`
  if (boundedSearch(search) !== search) throw tooManyParameters()
  return { ...call, search }
}

/** The same bytes, escaped where a request line does not allow them (RFC 9112, 3.2). */
const asQuery = (body: Buffer): string => body.toString('latin1').replace(/[^\x21-\x7e]|#/g, percentEncoded)
