import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changes, deviations } from '../../rules/index.ts'
import { findOperation } from '../../src/api/operations.ts'
import { shapes } from '../../src/api/shapes.ts'
import { apiVersion, splitPrefix } from '../../src/api/version.ts'
import { readFacts } from '../../src/engine/discovery.ts'
import { Plans } from '../../src/translate/compile.ts'
import { Headers } from '../../src/translate/headers.ts'
import { isObject, type JsonValue, parseJson, writeJson } from '../../src/translate/json.ts'
import type { EmulationContext, ResponseMessage, ResponseStep } from '../../src/translate/message.ts'
import { recordingOf } from '../support/golden-run.ts'

const policies = (['engine', 'spec'] as const).map(
  (profile) => ({ newerFields: 'drop', losses: 'warn', profile, announce: undefined }) as const,
)
const plansOf = new Map(policies.map((policy) => [policy, new Plans({ changes, shapes, deviations }, policy)]))
const CLIENTS = [18, 19, 20, 21, 22, 23, 24, 28, 30, 35, 40, 41, 43, 44, 46, 48, 51, 52]
const recordings = readdirSync(join(import.meta.dirname, '../golden/recorded'))
  .map((file) => /^(.+)@1\.(\d+)\.json$/.exec(file))
  .filter((found) => found !== null)
  .map(([, engine = '', minor = '']) => ({ engine, minor: Number(minor) }))

/** What a client gets when these steps have run; `dropped` for a record that it does not get. */
function written(steps: readonly ResponseStep[], text: string, context: EmulationContext): string {
  const message: ResponseMessage = { status: 200, headers: new Headers(), body: parseJson(text) }
  let outcome = ''
  for (const step of steps) outcome = step(message, context) ?? outcome
  return `${outcome} ${message.body === undefined ? '' : writeJson(message.body)}`
}

const ways = (minor: number) =>
  policies.flatMap((policy) =>
    CLIENTS.flatMap((client) => [minor, Math.max(minor, 51)].map((highest) => [policy, client, highest] as const)),
  )

function compared(engine: string, minor: number): { compared: number; taken: number } {
  const counts = { compared: 0, taken: 0 }
  const facts = readFacts({
    Version: engine,
    ApiVersion: `1.${minor}`,
    MinAPIVersion: '1.12',
    Os: 'linux',
    Arch: 'amd64',
  })
  for (const { method, path, status, values } of Object.values(recordingOf(engine, `1.${minor}`).exchanges)) {
    const [pathname = '', search = ''] = splitPrefix(path).rest.split('?')
    const match = findOperation(method, pathname)
    if (match === undefined || status >= 300) continue
    const operation = match.operation.name
    for (const [policy, client, highest] of ways(minor)) {
      const target = apiVersion(Math.min(client, minor))
      const plan = plansOf.get(policy)?.get(operation, apiVersion(client), target, apiVersion(highest))
      if (plan === undefined) continue
      if (plan.response.body.length === 0) continue
      for (const value of values.filter((one): one is JsonValue => isObject(one) || Array.isArray(one))) {
        const context = (): EmulationContext =>
          ({
            ...{ operation, client: plan.client, target: plan.target, engine: facts, policy },
            call: { params: match.params, query: new URLSearchParams(search) },
            ...{ memory: new Map(), lose: () => undefined, ignore: () => undefined },
          }) as unknown as EmulationContext
        const text = writeJson(value)
        const whole = written(plan.response.body, text, context())
        expect([operation, client, written(plan.response.brief, text, context())]).toEqual([operation, client, whole])
        counts.compared++
        if (plan.response.brief.some((step, i) => step !== plan.response.body[i])) counts.taken++
      }
    }
  }
  return counts
}

describe('steps on a body that is only written any more', () => {
  it.each(recordings)(
    'make of all that $engine answered at 1.$minor the same text as the others',
    ({ engine, minor }) => {
      expect(compared(engine, minor).compared).toBeGreaterThan(0)
    },
  )

  it('are others than those for a body that is looked at further', () => {
    expect(compared('28.5', 41).taken).toBeGreaterThan(50)
  })
})
