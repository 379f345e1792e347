import { asJson, writeJson } from '../../api/json/json.ts'
import type { ResponseMessage } from '../../translate/message.ts'
import { type TranslateSome, translateList } from '../../translate/run/list.ts'
import type { ResponseKey } from '../../translate/run/response-cache.ts'
import { comparesSteps } from '../../translate/run/steps.ts'
import type { TimeSlicer } from '../../translate/run/time-slicer.ts'
import type { Exchange } from '../exchange.ts'

class ClientGone extends Error {}

/**
 * Translates a list element by element if its plan allows it; undefined otherwise, and for bodies other than a list of
 * objects. `gone`: the client left before the end. `key`: set if the response can be cached.
 */
export async function finishList(
  exchange: Exchange,
  key: ResponseKey | undefined,
  head: ResponseMessage,
  body: Buffer,
): Promise<Buffer | 'gone' | undefined> {
  const { plan, responseCache, context } = exchange
  if (!plan.response.elementwise || comparesSteps(exchange, 'response', body.length)) return undefined
  const before = key === undefined ? undefined : responseCache.lastList(key)
  const list = await translateList(body, before, translateSome(exchange, head), slicerOf(exchange)).catch(
    (cause: unknown) => {
      if (cause instanceof ClientGone) return 'gone' as const
      throw cause
    },
  )
  if (list === undefined || list === 'gone') return list
  if (key !== undefined && context.personal === false) responseCache.keep(key, list)
  return list.written
}

/** Checks for a departed client at each time slice. */
const slicerOf = ({ timeSlicer, clientResponse }: Exchange): Pick<TimeSlicer, 'turn' | 'over'> => ({
  get over() {
    return timeSlicer.over
  },
  turn: async () => {
    await timeSlicer.turn()
    if (clientResponse.gone) throw new ClientGone()
  },
})

const translateSome =
  ({ plan, context }: Exchange, { status, headers }: ResponseMessage): TranslateSome =>
  (text, count) => {
    const body = asJson(text)
    if (!Array.isArray(body) || body.length !== count) return undefined
    const message: ResponseMessage = { status, headers, body }
    for (const step of plan.response.body) step(message, context)
    return body.map(writeJson)
  }
