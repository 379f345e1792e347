import { parseJson, writeJson } from '../translate/json.ts'
import type { ResponseMessage } from '../translate/message.ts'
import type { Carriage } from './carriage.ts'
import { type TranslateSome, translateList } from './list.ts'
import type { Asked } from './remembered.ts'
import { comparesSteps } from './steps.ts'

/** The client has left: nobody waits for what is being translated. */
class NobodyWaits extends Error {}

/**
 * Translates the body of a list element by element, where its plan allows it; undefined where it does not, or where the
 * body is something else than a list of objects, of which nothing has been done then. `gone`: the client left before it
 * was done. `asked`: set where the answer may be remembered.
 */
export async function finishList(
  carriage: Carriage,
  asked: Asked | undefined,
  head: ResponseMessage,
  body: Buffer,
): Promise<Buffer | 'gone' | undefined> {
  const { plan, answers, context, pace } = carriage
  if (!plan.response.elementwise || comparesSteps(carriage, 'response', body.length)) return undefined
  const before = asked === undefined ? undefined : answers.lastList(asked)
  const list = await translateList(body, before, translateSome(carriage, head), pace).catch((cause: unknown) => {
    if (cause instanceof NobodyWaits) return 'gone' as const
    throw cause
  })
  if (list === undefined || list === 'gone') return list
  if (asked !== undefined && context.personal === false) answers.keep(asked, list)
  return list.written
}

const translateSome =
  ({ plan, context, req }: Carriage, { status, headers }: ResponseMessage): TranslateSome =>
  (text, count) => {
    if (req.socket.destroyed) throw new NobodyWaits()
    const body = parsed(text)
    if (!Array.isArray(body) || body.length !== count) return undefined
    const message: ResponseMessage = { status, headers, body }
    for (const step of plan.response.brief) step(message, context)
    return body.map(writeJson)
  }

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined // the whole is done at once then, and ends as that ends
    throw cause
  }
}
