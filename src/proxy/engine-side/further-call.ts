import { type EngineFacts, isPodman } from '../../api/engine-facts.ts'
import { findOperation } from '../../api/operations.ts'
import type { EngineAnswer, RequestMessage, ResponseMessage, StepContext } from '../../translate/message.ts'
import type { Plans } from '../../translate/plans.ts'
import { runWithoutEngine } from '../../translate/run/steps.ts'

/**
 * Translates one further call to Podman: emulations send Docker's requests and read Docker's responses. Undefined for
 * Docker. `path`: without prefix and query; `context`: that of the client's call.
 */
export function podmanCall(
  plans: Plans,
  engine: EngineFacts,
  { method, path, query }: Pick<RequestMessage, 'method' | 'path' | 'query'>,
  context: StepContext,
) {
  const found = isPodman(engine) ? findOperation(method, path) : undefined
  if (found === undefined) return undefined
  const operation = found.operation.name
  const { highest } = engine
  const { request, response } = plans.get(operation, { client: highest, target: highest, highest, podman: true })
  const { client, target, policy } = context
  const own: StepContext = {
    ...{ operation, client, target, engine, policy, memory: new Map() },
    call: { params: found.params, query: new URLSearchParams(query) },
    lose: (loss) => context.lose(loss),
    ignore: () => undefined,
  }
  return {
    ask: (message: RequestMessage): void => void runWithoutEngine(request.steps, message, own),
    read: ({ status, headers, body, error }: EngineAnswer): EngineAnswer => {
      const text = status < 400 ? {} : { text: error }
      const message: ResponseMessage = { status, headers: headers.copy(), body, ...text }
      const steps = status < 400 ? [...response.head, ...response.body] : response.errors
      runWithoutEngine(steps, message, own)
      return { status: message.status, headers: message.headers, body: message.body, error: message.text ?? '' }
    },
  }
}
