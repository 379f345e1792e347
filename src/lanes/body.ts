import type { PlainLane } from './carriage.ts'
import { collect, exchange, passThrough, type Receive } from './receive.ts'
import { answersWithWarnings } from './reply.ts'
import { buildRequest } from './request.ts'
import { finishBody } from './whole-answer.ts'

/**
 * Whole JSON: the parts that the plan touches are read whole, within limits, translated and written again. A part that
 * it does not touch streams through, so this lane also carries a translated question with an untouched answer.
 */
export const bodyLane: PlainLane = async (carriage) => {
  const { plan, limits } = carriage
  const receive: Receive = (head) =>
    plan.response.needsBody || plan.response.emulations.length > 0 || answersWithWarnings(carriage)
      ? collect(carriage, head, limits.responseBody, (body) => finishBody(carriage, head.status, head.headers, body))
      : passThrough(carriage, head)
  const request = buildRequest(carriage)
  await exchange(carriage, request instanceof Promise ? await request : request, receive)
}
