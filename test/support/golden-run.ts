import { isObject, type JsonValue } from '../../src/api/json/json.ts'
import type { OperationName } from '../../src/api/operations.ts'
import { findOperation } from '../../src/api/operations.ts'
import type { ApiVersion } from '../../src/api/version.ts'
import { Headers } from '../../src/http/headers.ts'
import type { Plan } from '../../src/translate/compile.ts'
import type { EmulationContext, RequestMessage, ResponseMessage } from '../../src/translate/message.ts'
import type { Plans } from '../../src/translate/plans.ts'
import { runWithoutEngine } from '../../src/translate/run/steps.ts'
import { asWritten } from './as-written.ts'
import { answerOf, type Recorded, type Recording, searchOf, streamOf, structuredCloneOf } from './golden-recording.ts'
import { contextWith, linux } from './step-context.ts'

interface Run {
  readonly plans: Plans
  readonly operation: OperationName
  readonly client: ApiVersion
  readonly target: ApiVersion
  readonly highest: ApiVersion
  /** The engine that answers, also the further calls of emulations. */
  readonly engine: Recording
  /** The old client's own call. */
  readonly asked: Recorded
}

/** A recorded answer as the client gets it. The steps of the request run first: those of the answer may need their notes. */
export async function throughTheBridge(run: Run, answer: Recorded): Promise<JsonValue[]> {
  const plan = run.plans.get(run.operation, run)
  const context = contextFor(run)
  await runRequest(plan, run.asked, context)
  const values: JsonValue[] = []
  for (const value of answer.values) {
    const got = await runResponse(plan, answer.status, value, context)
    if (got !== undefined) values.push(got)
  }
  return values
}

async function runRequest(plan: Plan, asked: Recorded, context: EmulationContext): Promise<void> {
  if (plan.request.needsBody) return // the recorded answers belong to other requests
  const { path, query } = searchOf(asked)
  const message: RequestMessage = {
    method: asked.method,
    path,
    params: context.call.params,
    query,
    headers: new Headers(),
    body: undefined,
  }
  for (const step of plan.request.steps) await step.run(message, context)
}

async function runResponse(
  plan: Plan,
  status: number,
  value: JsonValue,
  context: EmulationContext,
): Promise<JsonValue | undefined> {
  const message: ResponseMessage = { status, headers: new Headers(), body: structuredCloneOf(value) }
  for (const step of [...plan.response.head, ...plan.response.body])
    if ((await step.run(message, context)) === 'drop') return undefined
  return asWritten(message.body)
}

function contextFor(run: Run): EmulationContext {
  const { path, query } = searchOf(run.asked)
  const context = contextWith({
    ...{ operation: run.operation, client: run.client, target: run.target, engine: linux(run.highest, run.target) },
    policy: { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined },
    call: { params: findOperation(run.asked.method, path)?.params ?? {}, query },
    engineCall: async (method, path) => answerOf(run.engine, method, path),
    engineInfo: async () => {
      const { body } = answerOf(run.engine, 'GET', '/info')
      return isObject(body) ? body : undefined
    },
    engineStart: async (method, path) => streamOf(run.engine, method, path),
    translateResponse: (operation, body) => {
      const message: ResponseMessage = { status: 200, headers: new Headers(), body }
      const plan = run.plans.get(operation, run)
      const dropped = runWithoutEngine(plan.response.body, message, { ...context, operation })
      return dropped ? null : (message.body ?? null)
    },
  })
  return context
}
