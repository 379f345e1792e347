import { buildRequest } from '../engine-side/engine-request.ts'
import { carry, collect, type Receive } from '../engine-side/engine-response.ts'
import type { Exchange } from '../exchange.ts'
import { answersWithWarnings } from '../local/reply.ts'
import { passThrough } from './pass.ts'
import { finishBody } from './translated-body.ts'

/**
 * Buffered JSON: reads the bodies that the plan touches, within limits, translates and rewrites them. Other bodies
 * stream through, so this lane also handles a translated request with an untouched response.
 */
export const bodyLane = (exchange: Exchange): Promise<void> => {
  const { plan, limits } = exchange
  const receive: Receive = (head) =>
    plan.response.needsBody || plan.response.emulations.length > 0 || answersWithWarnings(exchange)
      ? collect(exchange, head, limits.responseBody, (body) => finishBody(exchange, head.status, head.headers, body))
      : passThrough(exchange, head)
  const request = buildRequest(exchange)
  if (request instanceof Promise) return request.then((built) => carry(exchange, built, receive))
  return carry(exchange, request, receive)
}
