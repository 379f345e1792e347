import type { Exchange } from '../proxy/exchange.ts'
import { asJson, writeJson } from '../translate/json.ts'
import type { ResponseMessage } from '../translate/message.ts'
import type { SeenEdits } from '../translate/seen.ts'
import { ByteEditor, editObject } from './byte-editor.ts'
import { type TranslateSome, translateList } from './list.ts'
import type { Pace } from './pace.ts'
import type { Asked } from './remembered.ts'
import { comparesSteps } from './steps.ts'

/** The client has left: nobody waits for what is being translated. */
class NobodyWaits extends Error {}

/** Translates an object in its bytes, where its plan allows it. Undefined where it does not, or where the body is something else. */
export function editInBytes(
  exchange: Exchange,
  asked: Asked | undefined,
  head: ResponseMessage,
  body: Buffer,
): Buffer | undefined {
  const { elementwise, edits, seenEdits } = exchange.plan.response
  if (asked === undefined || elementwise) return undefined // where steps are compared nothing is `asked`
  const written = edits === undefined ? editSeen(exchange, head, body, seenEdits) : editObject(body, edits)
  if (written !== undefined && exchange.context.personal === false)
    exchange.answers.keep(asked, { came: body, written })
  return written
}

/** Steps that see a few members get a body that has no others. What they do to status and headers must come to nothing. */
function editSeen(
  { context }: Exchange,
  { status, headers }: ResponseMessage,
  bytes: Buffer,
  seen: SeenEdits | undefined,
): Buffer | undefined {
  if (seen === undefined) return undefined
  return editObject(bytes, seen.edits, (body) => {
    const message: ResponseMessage = { status, headers, body }
    for (const step of seen.steps) step(message, context)
  })
}

/**
 * Translates a list element by element, where its plan allows it. Undefined where it does not, or where the body is something
 * else, of which nothing has been done then. `gone`: the client left before it was done. `asked`: set where the answer may
 * be remembered.
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
  const elements = plan.response.edits?.elements
  const translate = elements === undefined ? translateSome(exchange, head) : new ByteEditor(body, elements)
  const list = await translateList(body, before, translate, paceOf(exchange)).catch((cause: unknown) => {
    if (cause instanceof NobodyWaits) return 'gone' as const
    throw cause
  })
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
    if (clientResponse.gone) throw new NobodyWaits()
  },
})

const translateSome =
  ({ plan, context }: Exchange, { status, headers }: ResponseMessage): TranslateSome =>
  (text, count) => {
    const body = asJson(text)
    if (!Array.isArray(body) || body.length !== count) return undefined
    const message: ResponseMessage = { status, headers, body }
    for (const step of plan.response.brief) step(message, context)
    return body.map(writeJson)
  }
