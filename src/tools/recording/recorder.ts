import type { EngineFacts } from '../../api/engine-facts.ts'
import { parseJson } from '../../api/json/json.ts'
import type { BodyRecord } from '../../audit/record/record.ts'
import type { Observer } from '../../audit/watched.ts'
import { defined } from '../../config/defined.ts'
import { WatchedCall } from '../inspect/call.ts'
import { type CallDetails, headerOf, type Message } from '../inspect/shown/view.ts'
import { headerLine, type RecordedCall } from './format.ts'

/** `body`: limit for a recorded body in bytes. What clients type into tunnels is counted, not kept. */
const KEEPING = { body: 256 * 1024, input: false }

/** Observes every call of a bridge; `write` receives it when it has ended. */
export function recorder(write: (call: RecordedCall) => void): Observer {
  return (watched) =>
    new WatchedCall(0, watched, KEEPING, ({ open, details }) => {
      const call = open ? undefined : recordedCall(details)
      if (call !== undefined) write(call)
    })
}

/** The inspector's calls as a recording, without those that `record` would not have: still open, or not forwarded. */
export function toRecording(calls: readonly CallDetails[], engine: EngineFacts, version: string, start: Date): string {
  const lines = [headerLine(engine, version, start), ...calls.flatMap((call) => recordedCall(call) ?? [])]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

function recordedCall({ summary, record, tunnel, ...messages }: CallDetails): RecordedCall | undefined {
  const { client, at, milliseconds, method, target, operation, status } = summary
  if (summary.engine === undefined || client === undefined || summary.open) return undefined
  const { clientRequest, clientResponse, engineResponse } = messages
  const response = clientResponse ?? engineResponse
  return {
    ...{ at, milliseconds: Math.round(milliseconds), method, path: target, client },
    ...defined({ operation, userAgent: record.userAgent, contentType: headerOf(clientRequest, 'content-type') }),
    ...defined({ request: bodyOf(clientRequest), status, responseType: headerOf(response, 'content-type') }),
    ...defined({ response: bodyOf(response) }),
    ...defined({ tunnel: tunnel && { fromClient: tunnel.client.bytes, fromEngine: tunnel.engine.bytes } }),
  }
}

function bodyOf(message: Message | undefined): BodyRecord | undefined {
  if (message?.body === undefined) return undefined
  const { json, ...body } = message.body
  return json === undefined ? body : { ...body, json: parseJson(json) as never }
}
