import type { Exchange } from '../proxy/exchange.ts'
import { asJson, writeJson } from '../translate/json.ts'
import type { ResponseMessage } from '../translate/message.ts'
import { type TranslateSome, translateList } from './list.ts'
import type { Pace } from './pace.ts'
import type { Asked } from './remembered.ts'
import { comparesSteps } from './steps.ts'

class ClientGone extends Error {}

/**
 * Translates a list element by element where its plan allows it; undefined otherwise, and for a body that is no list of
 * objects. `gone`: the client left before it was done. `asked`: set where the answer may be remembered.
 */
export async function finishList(
  exchange: Exchange,
  asked: Asked | undefined,
  head: ResponseMessage,
  body: Buffer,
): Promise<Buffer | 'gone' | undefined> {
  const { plan, answers, context } = exchange
  if (!plan.response.elementwise || comparesSteps(exchange, 'response', body.length)) return undefined
  const before = asked === undefined ? undefined : answers.lastList(asked)
  const list = await translateList(body, before, translateSome(exchange, head), paceOf(exchange)).catch(
    (cause: unknown) => {
      if (cause instanceof ClientGone) return 'gone' as const
      throw cause
    },
  )
  if (list === undefined || list === 'gone') return list
  if (asked !== undefined && context.personal === false) answers.keep(asked, list)
  return list.written
}

/** A client that left is noticed at each turn. */
const paceOf = ({ pace, clientResponse }: Exchange): Pick<Pace, 'turn' | 'over'> => ({
  get over() {
    return pace.over
  },
  turn: async () => {
    await pace.turn()
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
