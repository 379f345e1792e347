import { asProxyError, ProxyError } from '../../api/errors.ts'
import { writeJson } from '../../api/json/json.ts'
import type { Entry } from '../../audit/entry/entry.ts'
import type { CallObserver } from '../../audit/observer.ts'
import type { ClientResponse } from '../../http/client/response.ts'
import type { HeldAnswer } from '../../translate/message.ts'

/** Sends a complete response whose head is sent before its body is known. */
export async function answerHeld(
  { later, abandon }: HeldAnswer,
  response: ClientResponse,
  entry: Entry,
  observer: CallObserver | undefined,
): Promise<void> {
  const left = new Promise<undefined>((resolve) => {
    response.onGone(() => {
      entry.clientLeft()
      abandon()
      resolve(undefined)
    })
  })
  const headers = ['Content-Type', 'application/json']
  entry.opened(200)
  observer?.response('clientResponse', { status: 200, headers })
  response.head(200, 'OK', headers)
  response.flush()
  try {
    const body = await Promise.race([later, left])
    if (body === undefined) return
    const bytes = Buffer.from(`${writeJson(body)}\n`)
    entry.sent(bytes.length)
    observer?.body('clientResponse', bytes)
    response.end(bytes)
  } catch (cause) {
    const refusal = asProxyError(cause)
    if (refusal instanceof ProxyError) entry.failed(refusal.code, refusal.message)
    response.cut()
  }
}
