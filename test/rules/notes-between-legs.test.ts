import { describe, expect, it } from 'vitest'
import v1_22 from '../../rules/v1.22.ts'
import type { JsonValue } from '../../src/api/json/json.ts'
import { type OperationName, operationNamed } from '../../src/api/operations.ts'
import { shapes } from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import { Headers } from '../../src/http/headers.ts'
import { bindRules } from '../../src/translate/change.ts'
import { compile } from '../../src/translate/compile.ts'
import type { ResponseMessage, TranslationPolicy } from '../../src/translate/message.ts'
import { runWithoutEngine } from '../../src/translate/run/steps.ts'
import { contextWith, linux } from '../support/step-context.ts'

/** Steps that note something in the request for its answer: an example shows one leg, these show both. */
const changes = bindRules([v1_22].flat())
const policy: TranslationPolicy = { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined }

interface Call {
  readonly on: OperationName
  readonly client: number
  readonly engine: number
  readonly query: string
}

/** Sends a call's query through and then each answer; undefined for a record that is dropped. */
function exchange({ on, client, engine, query }: Call, answers: readonly JsonValue[]) {
  const highest = apiVersion(engine)
  const versions = { client: apiVersion(client), target: highest, highest }
  const plan = compile({ changes, shapes }, on, versions, policy)
  const message = {
    method: 'GET',
    path: operationNamed(on).path,
    params: {},
    query: new URLSearchParams(query),
    headers: new Headers(),
    body: undefined,
  }
  const context = contextWith({
    ...{ operation: on, client: versions.client, target: highest, engine: linux(highest), policy },
    call: { params: {}, query: new URLSearchParams(query) },
  })
  runWithoutEngine(plan.request.steps, message, context)
  const seen = answers.map((body) => {
    const answer: ResponseMessage = { status: 200, headers: new Headers(), body: structuredClone(body) }
    return runWithoutEngine(plan.response.body, answer, context) ? undefined : answer.body
  })
  return { query: message.query.toString(), seen }
}

const networks = ['bridge', 'host', 'web', 'web-2'].map((name, i) => ({ Name: name, Id: `${i}abc` }))
const namesOf = (value: JsonValue | undefined) => JSON.stringify(value).match(/(?<="Name":")[^"]+/g)

describe('filters of networks', () => {
  const asked = (client: number, engine: number, filters: JsonValue) => {
    const query = `filters=${encodeURIComponent(JSON.stringify(filters))}`
    const { seen, query: sent } = exchange({ on: 'NetworkList', client, engine, query }, [networks])
    return { sent, names: namesOf(seen[0]) }
  }

  it('of a 1.21 client take names in full, join with ids, and pass over unknown keys', () => {
    expect(asked(21, 41, { name: ['web'], id: ['1a'], bogus: ['1'] })).toEqual({ sent: '', names: ['host', 'web'] })
    expect(asked(21, 41, { bogus: ['1'] }).names).toHaveLength(4)
  })

  it('of a 1.22 client on engine 1.9 match in part and all together', () => {
    expect(asked(22, 21, { name: { web: true } })).toEqual({ sent: '', names: ['web', 'web-2'] })
    expect(asked(22, 21, { name: ['web'], id: ['2'] }).names).toEqual(['web'])
    expect(asked(22, 21, { type: ['builtin'] }).names).toEqual(['bridge', 'host'])
  })
})

describe('events of a 1.22 client on engine 1.9', () => {
  const started = { status: 'start', id: 'c1', from: 'busybox', time: 10, timeNano: 10_400_000_000 }
  const untagged = { status: 'untag', id: 'i1', time: 11, timeNano: 11_600_000_000 }
  const kept = (query: string) =>
    exchange({ on: 'SystemEvents', client: 22, engine: 21, query }, [started, untagged]).seen.map(
      (r) => r !== undefined,
    )

  it('come by the type that was asked for', () => {
    expect(kept('')).toEqual([true, true])
    expect(kept('filters={"type":["image"]}')).toEqual([false, true])
  })

  it('are none when volumes or networks were asked for', () => {
    expect(kept('filters={"type":{"volume":true}}')).toEqual([false, false])
    expect(kept('filters={"network":["web"]}')).toEqual([false, false])
  })

  it('keep to the fractions of the times that were asked for', () => {
    expect(kept('since=10.5&until=11.7')).toEqual([false, true])
    expect(kept('since=10.3&until=11.5')).toEqual([true, false])
  })
})

describe('the filter since of a 1.22 client on engine 1.9', () => {
  const list = [
    { Id: 'a', Status: 'Up 2 hours' },
    { Id: 'b', Status: 'Exited (0) 2 hours ago' },
  ]
  const ids = (query: string) => {
    const { seen, query: sent } = exchange({ on: 'ContainerList', client: 22, engine: 21, query }, [list])
    return { sent, ids: JSON.stringify(seen[0]).match(/(?<="Id":")[^"]+/g) }
  }

  it('shows running containers only, unless all were asked for', () => {
    expect(ids('filters={"since":["x"]}')).toEqual({ sent: 'since=x', ids: ['a'] })
    expect(ids('all=1&filters={"since":["x"]}').ids).toEqual(['a', 'b'])
  })
})
