import { type EngineFacts, isPodman } from '../../api/engine-facts.ts'
import { findOperation } from '../../api/operations.ts'
import { type Plan, withoutCalls } from '../../translate/compile.ts'
import type { EngineAnswer, RequestMessage, ResponseMessage, StepContext } from '../../translate/message.ts'
import type { Plans } from '../../translate/plans.ts'

/**
 * What Podman does otherwise in a call of the bridge's own: emulations ask as Docker is asked, and read its answers. Undefined
 * for Docker.
 */
export function podmanPlan(plans: Plans, engine: EngineFacts, method: string, path: string): Plan | undefined {
  const operation = isPodman(engine) ? findOperation(method, path)?.operation.name : undefined
  const { highest } = engine
  return operation && plans.get(operation, highest, highest, highest, { podman: true })
}

export function askAsPodman({ request }: Plan, message: RequestMessage, context: StepContext): void {
  for (const step of withoutCalls(request.steps)) step(message, context)
}

export function readAsDocker({ response }: Plan, answer: EngineAnswer, context: StepContext): EngineAnswer {
  const { status, headers, body, error } = answer
  const message: ResponseMessage = { status, headers, body, ...(status < 400 ? {} : { text: error }) }
  const steps = status < 400 ? [...response.head, ...response.body] : response.errors
  for (const step of withoutCalls(steps)) step(message, context)
  return { status: message.status, headers, body: message.body, error: message.text ?? '' }
}
