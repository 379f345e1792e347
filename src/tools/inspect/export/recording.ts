import type { EngineFacts } from '../../../api/engine-facts.ts'
import { parseJson } from '../../../api/json/json.ts'
import type { BodyRecord } from '../../../audit/record/record.ts'
import { defined } from '../../../config/defined.ts'
import { type Header, headerOf, type RecordedCall } from '../../recording/format.ts'
import type { CallDetails, KeptBody, Message } from '../shown/view.ts'

/**
 * The calls in the format of `enginebridge record`, for `replay`. Omits calls that no engine received, as `record`
 * does.
 */
export function toRecording(
  calls: readonly CallDetails[],
  engine: EngineFacts,
  version: string,
  started: Date,
): string {
  const header: Header = headerOf(engine, version, started)
  const lines = calls.flatMap((call) => recordedCall(call) ?? [])
  return [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** Undefined for a call that no engine received, or that is still open. */
export function recordedCall({
  summary,
  clientRequest,
  clientResponse,
  engineResponse,
  tunnel,
  ...rest
}: CallDetails): RecordedCall | undefined {
  const { client, at, milliseconds, method, target, operation, status } = summary
  if (summary.engine === undefined || client === undefined || summary.open) return undefined
  const request = bodyOf(clientRequest)
  const response = bodyOf(clientResponse ?? engineResponse)
  return {
    ...{ at, milliseconds: Math.round(milliseconds), method, path: target, client },
    ...defined({ operation, userAgent: rest.userAgent, contentType: rest.contentType, request, status }),
    ...defined({ responseType: rest.responseType, response }),
    ...defined({ tunnel: tunnel && { fromClient: tunnel.client.bytes, fromEngine: tunnel.engine.bytes } }),
  }
}

const bodyOf = (message: Message | undefined): BodyRecord | undefined =>
  message?.body === undefined ? undefined : withJson(message.body)

function withJson({ json, ...body }: KeptBody): BodyRecord {
  return json === undefined ? body : { ...body, json: parseJson(json) as never }
}
