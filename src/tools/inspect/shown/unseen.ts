import { type JsonValue, mapTexts } from '../../../api/json/json.ts'
import { operationNamed } from '../../../api/operations.ts'
import type { Entry } from '../../../audit/entry/entry.ts'
import { gatherFromHeaders } from '../../../audit/redact/headers.ts'
import { scrub, scrubber } from '../../../audit/redact/text.ts'
import { defined } from '../../../config/defined.ts'
import type { ClientRequest } from '../../../http/client/request.ts'
import { PassingMessage } from './message.ts'
import type { CallDetails, CallSummary } from './view.ts'

/** A call that ended before an observer saw it, built from its audit record. */
export function unseen(id: number, entry: Entry, request: ClientRequest): CallDetails {
  const secrets = new Set<string>()
  gatherFromHeaders(request.fields, secrets)
  const record = clean(entry.report, secrets)
  const { method, path, prefix, query = '', operation, error, status, duration, bytesIn = 0, bytesOut = 0 } = record
  const target = `${prefix === undefined ? '' : `/v${prefix}`}${path}${query}`
  const summary: CallSummary = {
    id,
    at: new Date(Date.now() - (duration?.total ?? 0)).toISOString(),
    method,
    endpoint: operation === undefined ? path : endpointOf(operation),
    target,
    ...defined({ operation, client: prefix, status, error: error?.code }),
    ...{ milliseconds: duration?.total ?? 0, open: false, changes: 0, losses: 0, bytesIn, bytesOut },
  }
  const userAgent = request.field('user-agent')
  return {
    summary,
    record,
    applied: {},
    clientRequest: new PassingMessage(`${method} ${target}`, request.fields, 'bytes', {
      operation,
      limit: 0,
      secrets,
    }).view(secrets),
    ...defined({ userAgent: userAgent && scrub(userAgent, secrets) }),
  }
}

export const endpointOf = (operation: string): string =>
  operationNamed(operation as Parameters<typeof operationNamed>[0]).path.replace(/\*{1,2}\}/g, '}')

/** Removes the call's secrets from every string: paths and names may quote them. */
export const clean = <T>(value: T, secrets: ReadonlySet<string>): T =>
  mapTexts(value as JsonValue, scrubber(secrets)) as T
