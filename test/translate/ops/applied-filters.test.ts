import { describe, expect, it } from 'vitest'
import { changes } from '../../../rules/index.ts'
import type { JsonValue } from '../../../src/api/json/json.ts'
import { shapes } from '../../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../../src/api/version.ts'
import { Headers } from '../../../src/http/headers.ts'
import { bindChange } from '../../../src/translate/change.ts'
import { compile } from '../../../src/translate/compile.ts'
import type { TranslationPolicy } from '../../../src/translate/message.ts'
import type { Filters } from '../../../src/translate/ops/calls/filter-values.ts'
import { filterApplied } from '../../../src/translate/ops.ts'
import { contextWith, linux } from '../../support/step-context.ts'

const policy: TranslationPolicy = { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined }
const client = apiVersion(28)
const highest = apiVersion(23)
const own = new Set(['1.24/ps-network-filter', '1.28/ps-publish-expose'])

const container = (id: string, network: string, port: number): JsonValue => ({
  Id: id,
  NetworkSettings: { Networks: { [network]: { NetworkID: network } } },
  Ports: [{ PublicPort: port, Type: 'tcp' }],
})

/** The query that the engine gets for a list of a newer client, and the body that the client gets of the engine's answer. */
function listed(
  query: string,
  answer: JsonValue,
  its = changes.filter(({ id }) => own.has(id)),
): { asked: string; body: JsonValue | undefined } {
  const rules = { changes: its, shapes }
  const plan = compile(rules, 'ContainerList', { client, target: highest, highest }, policy)
  const context = contextWith({
    ...{ operation: 'ContainerList', client, target: highest, engine: linux(highest), policy },
    call: { params: {}, query: new URLSearchParams(query) },
    lose: ({ what }) => expect.fail(what),
  })
  const common = { headers: new Headers(), params: {}, method: 'GET', path: '/containers/json' }
  const request = { ...common, query: new URLSearchParams(query), body: undefined }
  for (const step of plan.request.steps) step.run(request, context)
  const response = { status: 200, headers: new Headers(), body: answer as JsonValue | undefined }
  for (const step of plan.response.body) step.run(response, context)
  return { asked: String(request.query), body: response.body }
}

describe('filters that the engine does not have', () => {
  const both = 'limit=1&filters={"network":["n"],"publish":["80"]}'

  it('of two changes: the limit counts what both of them leave', () => {
    const [other, closed, wanted] = [container('a', 'm', 80), container('b', 'n', 81), container('c', 'n', 80)]
    const more = container('d', 'n', 80)
    expect(listed(both, [other, closed, wanted, more])).toEqual({ asked: 'all=1', body: [wanted] })
  })

  // Filters were parsed again for each container: 5000 ports blocked the bridge for 2 s on a list of 1000.
  it('are read once, however long the list is', () => {
    const read: number[] = []
    const keeps = (filters: Filters) => {
      read.push(filters.size)
      return () => true
    }
    const op = filterApplied('ContainerList', ['publish'], { keeps, samples: [] })
    const change = bindChange('1.28/x', { summary: '', see: '', ops: [op] })
    const all = [80, 81, 82].map((port) => container('a', 'n', port))
    expect(listed('filters={"publish":["80"]}', all, [change]).body).toEqual(all)
    expect(read).toEqual([1])
  })

  it('without a value: ask for nothing, and the limit stays with the engine', () => {
    const all = [container('a', 'm', 80), container('b', 'n', 81)]
    expect(listed('limit=2&filters={"network":[]}', all)).toEqual({ asked: 'limit=2', body: all })
  })
})
