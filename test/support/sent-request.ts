import { changes, readings } from '../../rules/index.ts'
import { ProxyError } from '../../src/api/errors.ts'
import type { JsonValue } from '../../src/api/json/json.ts'
import { type OperationName, operationNamed } from '../../src/api/operations.ts'
import { shapes } from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import { Headers } from '../../src/http/headers.ts'
import type { LossPolicy, RequestMessage } from '../../src/translate/message.ts'
import { Plans } from '../../src/translate/plans.ts'
import { contextWith, linux } from './step-context.ts'

export interface Call {
  readonly on: OperationName
  readonly client?: number
  readonly engine?: number
  readonly losses?: LossPolicy
  readonly body?: JsonValue
  readonly query?: string
  /** Default: the client's, or the engine's lowest. */
  readonly target?: number
  /** The engine's operating system; default: linux. */
  readonly os?: string
}

const underPolicy = (losses: LossPolicy) => {
  const policy = { newerFields: 'drop', losses, profile: 'engine', announce: undefined } as const
  return { policy, plans: new Plans({ changes, readings, shapes }, policy) }
}
const under = { ignore: underPolicy('ignore'), warn: underPolicy('warn'), strict: underPolicy('strict') }

/** Translates a call with all rules; returns it as the engine gets it, with the losses reported. */
export async function send({
  on,
  client = 18,
  engine = 41,
  losses = 'warn',
  body,
  query = '',
  os = 'linux',
  ...given
}: Call) {
  const highest = apiVersion(engine)
  const lowest = apiVersion(engine > 41 ? 24 : 12)
  const target = apiVersion(given.target ?? Math.max(client, lowest))
  const versions = { client: apiVersion(client), target }
  const { plans, policy } = under[losses]
  const { request } = plans.get(on, { client: versions.client, target, highest })
  const { method, path } = operationNamed(on)
  const message: RequestMessage = {
    method,
    path: path.replace('{name}', 'x'),
    params: { name: 'x' },
    query: new URLSearchParams(query),
    headers: new Headers([['Content-Type', 'application/json']]),
    body: structuredClone(body),
  }
  const said: string[] = []
  const context = contextWith({
    ...{ operation: on, ...versions, engine: { ...linux(highest, lowest), os }, policy },
    call: { params: message.params, query: new URLSearchParams(query) },
    lose: ({ what, onLoss }) => {
      if (onLoss === 'refuse' || losses === 'strict') throw new ProxyError('loss', what)
      said.push(what)
    },
    ignore: (what) => said.push(what),
    engineCall: async () => ({ status: 200, headers: new Headers(), body: { Id: 'sha256:01' }, error: '' }),
    engineInfo: async () => undefined,
    engineStart: async () => ({ status: 200, start: Buffer.alloc(0), error: '' }),
  })
  for (const step of request.steps) await step.run(message, context)
  return { body: message.body, query: Object.fromEntries(message.query), said }
}
