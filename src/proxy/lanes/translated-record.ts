import { type JsonValue, parseJson, writeJson } from '../../api/json/json.ts'
import type { ResponseMessage, ResponseStep } from '../../translate/message.ts'
import { runEmulations, runSteps } from '../../translate/run/steps.ts'
import type { Exchange } from '../exchange.ts'
import { isProgress } from '../local/reply.ts'

export interface Translated {
  /** The engine's own bytes if nothing changed; undefined if the client's version does not have the record. */
  readonly text: string | Buffer | undefined
  /** The client's stream ends after this record. */
  readonly last: boolean
}

export function translateRecord(exchange: Exchange, head: ResponseMessage, bytes: Buffer): Translated {
  const message = passes(exchange) ? undefined : readRecord(head, bytes)
  return message === undefined ? { text: bytes, last: false } : stepped(exchange, message, bytes)
}

/** Records without steps stay as they are until the first container is replaced. */
const passes = ({ plan, context }: Exchange): boolean =>
  plan.response.body.length === 0 && context.replacedContainers?.begun !== true

/** Makes the record's further calls first. */
export async function emulateRecord(exchange: Exchange, head: ResponseMessage, bytes: Buffer): Promise<Translated> {
  const message = readRecord(head, bytes)
  if (message === undefined) return { text: bytes, last: false }
  await runEmulations(exchange, 'response', exchange.plan.response.emulations, message, bytes.length)
  return stepped(exchange, message, bytes)
}

/** Undefined for invalid JSON, which passes unchanged. */
function readRecord({ status, headers }: ResponseMessage, bytes: Buffer): ResponseMessage | undefined {
  let body: JsonValue
  try {
    body = parseJson(bytes.toString())
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined
    throw cause
  }
  return { status, headers, body }
}

function stepped(exchange: Exchange, message: ResponseMessage, bytes: Buffer): Translated {
  const came = isProgress(exchange) ? writeJson(message.body ?? null) : undefined
  const outcome = runSteps(exchange, 'response', recordSteps(exchange), message, bytes.length)
  if (outcome === 'drop') return { text: undefined, last: false }
  const text = message.body === undefined ? undefined : writeJson(message.body)
  // Progress that no step changed keeps its bytes.
  if (came !== undefined && text === came) return { text: bytes, last: false }
  return { text, last: outcome === 'last' }
}

function recordSteps({ plan }: Exchange): readonly ResponseStep[] {
  const { recordsOnceReplaced, body } = plan.response
  return recordsOnceReplaced === undefined ? body : [recordsOnceReplaced]
}
