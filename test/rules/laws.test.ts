import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changes, deviations } from '../../rules/index.ts'
import { ProxyError } from '../../src/api/errors.ts'
import { isObject, isUnset, type JsonObject, type JsonValue, parseJson, writeJson } from '../../src/api/json/json.ts'
import { type OperationName, operationNamed, operationNames } from '../../src/api/operations.ts'
import { shapes } from '../../src/api/shapes/shapes.ts'
import { type ApiVersion, apiVersion, formatVersion } from '../../src/api/version.ts'
import { Headers } from '../../src/http/headers.ts'
import type { BoundChange, PlacedStep } from '../../src/translate/change.ts'
import type { Plan } from '../../src/translate/compile.ts'
import type { TranslationPolicy } from '../../src/translate/message.ts'
import { Plans } from '../../src/translate/plans.ts'
import { runWithoutEngine } from '../../src/translate/run/steps.ts'
import { bodies } from '../support/arbitrary.ts'
import { asWritten } from '../support/as-written.ts'
import { isEmpty } from '../support/empty-plan.ts'
import { contextWith, linux } from '../support/step-context.ts'

const policy: TranslationPolicy = { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined }
const plans = {
  engine: new Plans({ changes: [...changes, ...deviations], shapes }, policy),
  spec: new Plans({ changes: [...changes, ...deviations], shapes }, { ...policy, profile: 'spec' }),
}
const versions = Array.from({ length: 39 }, (_, i) => apiVersion(18 + i))
const RUNS = { numRuns: 40 }

const contextOf = ({ client, target, highest, operation }: Omit<Plan, 'changes' | 'request' | 'response'>) =>
  contextWith({
    ...{ operation, client, target, engine: linux(highest, target), policy },
    call: { params: {}, query: new URLSearchParams() },
    lose: ({ what }) => {
      throw new ProxyError('loss', what)
    },
  })

/** The steps of an answer over a body; undefined when it is dropped. */
function answered(plan: Plan, body: JsonValue): JsonValue | undefined {
  const message = { status: 200, headers: new Headers(), body: structured(body) as JsonValue | undefined }
  const context = contextOf(plan)
  const dropped = runWithoutEngine([...plan.response.head, ...plan.response.body], message, context)
  return dropped ? undefined : asWritten(message.body)
}

/** The steps of a request over a body; a refusal is none of these laws' business. */
function asked(plan: Plan, body: JsonValue): JsonValue | undefined {
  const { method, path } = operationNamed(plan.operation)
  const query = new URLSearchParams()
  const message = {
    method,
    path,
    params: {},
    query,
    headers: new Headers(),
    body: structured(body) as JsonValue | undefined,
  }
  const context = contextOf(plan)
  try {
    runWithoutEngine(plan.request.steps, message, context)
  } catch (cause) {
    if (!(cause instanceof ProxyError)) throw cause
    fc.pre(false)
  }
  return message.body
}

/** A copy: structuredClone does not keep exact numbers. */
const structured = (body: JsonValue): JsonValue => parseJson(writeJson(body))
const text = (body: JsonValue | undefined): string => (body === undefined ? 'nothing' : writeJson(sorted(body)))

/** The order of members means nothing to these laws but the one about it. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]))
}

const plan = (
  operation: OperationName,
  client: ApiVersion,
  engine: ApiVersion,
  profile: 'engine' | 'spec' = 'engine',
): Plan => plans[profile].get(operation, { client, target: engine, highest: engine })

const OLD = versions.filter((version) => version <= 22)
const ANSWERS = [
  'ContainerInspect',
  'SystemInfo',
  'SystemVersion',
  'ImageInspect',
  'SystemEvents',
  'ContainerStats',
] as const
const REQUESTS = ['ContainerCreate', 'ContainerExec', 'NetworkCreate', 'VolumeCreate'] as const

const anyField = (): boolean => true

describe('plans of equal versions', () => {
  it.each(versions.map((version) => [formatVersion(version), version] as const))('are empty: %s', (_text, version) => {
    // What /version and a ping say of the versions is the bridge's own.
    const own: readonly string[] = ['SystemVersion', 'SystemPing', 'SystemPingHead']
    const full = operationNames.filter((name) => !own.includes(name) && !isEmpty(plan(name, version, version)))
    expect(full).toEqual([])
    const changed = operationNames.filter((name) => plan(name, version, version).changes.length > 0)
    expect(changed).toEqual([])
  })
})

describe.each(ANSWERS.map((name) => [name] as const))('answers to %s', (operation) => {
  it.each([22, 41, 51].map((engine) => [engine] as const))(
    'brought down twice from 1.%i are what they are once',
    (engine) => {
      fc.assert(
        fc.property(
          bodies(operation, 'response', anyField),
          fc.constantFrom(...OLD),
          fc.constantFrom('engine', 'spec'),
          (body, client, profile) => {
            const down = plan(operation, client, apiVersion(engine), profile)
            const once = answered(down, body)
            fc.pre(once !== undefined)
            expect(text(answered(down, once))).toBe(text(once))
          },
        ),
        RUNS,
      )
    },
  )

  it('keep unknown members, every digit of a number, and the order of what stays', () => {
    fc.assert(
      fc.property(
        bodies(operation, 'response', anyField),
        fc.constantFrom(...OLD),
        fc.constantFrom(22, 41, 51),
        (body, client, engine) => {
          const seen = answered(plan(operation, client, apiVersion(engine)), body)
          fc.pre(seen !== undefined)
          expectKept(body, seen)
        },
      ),
      RUNS,
    )
  })
})

/** Unknown members are as they were; members of both objects stand in the same order. */
function expectKept(before: JsonValue | undefined, after: JsonValue | undefined): void {
  if (!isObject(before) || !isObject(after)) return
  for (const [name, value] of Object.entries(before)) {
    if (name.startsWith('Zz')) expect(text(after[name]), name).toBe(text(value))
    else expectKept(value, after[name])
  }
  const unknown = (object: JsonObject): string[] => Object.keys(object).filter((name) => name.startsWith('Zz'))
  expect(unknown(after)).toEqual(unknown(before))
}

describe.each(REQUESTS.map((name) => [name] as const))('requests for %s', (operation) => {
  const since = operation === 'NetworkCreate' || operation === 'VolumeCreate' ? 21 : 18

  it('taken up and down again lose nothing that both versions can express', () => {
    const same = ({ versions: held, by }: { versions?: string; by?: readonly string[] }): boolean =>
      (held === undefined || held === '1.21+') && by === undefined
    const low = fc.constantFrom(...OLD.filter((version) => version >= since && version < 22))
    fc.assert(
      fc.property(
        bodies(operation, 'request', since === 21 ? same : (field) => same(field) && field.versions === undefined),
        low,
        (body, older) => {
          const newer = apiVersion(22)
          const up = asked(plan(operation, older, newer), body)
          fc.pre(up !== undefined)
          const back = asked(plan(operation, newer, older), up)
          expectNothingLost(body, back)
        },
      ),
      RUNS,
    )
  })

  it('keep unknown members and every digit of a number', () => {
    fc.assert(
      fc.property(
        bodies(operation, 'request', anyField),
        fc.constantFrom(...OLD),
        fc.constantFrom(22, 41, 51),
        (body, client, engine) => {
          const sent = asked(plan(operation, client, apiVersion(engine)), body)
          expectKept(body, sent)
        },
      ),
      RUNS,
    )
  })
})

/** The bridge's own word in /version. */
const OWN = 'ApiVersion'

/** Every member that says something is there as it was. */
function expectNothingLost(before: JsonValue | undefined, after: JsonValue | undefined): void {
  if (isObject(before)) {
    for (const [name, value] of Object.entries(before))
      if (name !== OWN) expectNothingLost(value, isObject(after) ? after[name] : undefined)
    return
  }
  // What Go leaves out when it is empty is there all the same.
  if (!isUnset(before) || !isUnset(after)) expect(text(after)).toBe(text(before))
}

describe('answers there and back', () => {
  it.each(ANSWERS.map((name) => [name] as const))(
    '%s: brought down and up again lose nothing that both versions can express',
    (operation) => {
      const same = ({ versions: held, by }: { versions?: string; by?: readonly string[] }): boolean =>
        held === undefined && by === undefined
      fc.assert(
        fc.property(
          bodies(operation, 'response', same),
          fc.constantFrom(...OLD.filter((version) => version < 22)),
          (body, older) => {
            const newer = apiVersion(22)
            const down = answered(plan(operation, older, newer), body)
            fc.pre(down !== undefined)
            expectNothingLost(body, answered(plan(operation, newer, older), down))
          },
        ),
        RUNS,
      )
    },
  )
})

/** A step over a body, and over what came of it, as written; a refusal ends it. */
function onceAndTwice(change: BoundChange, step: PlacedStep, body: string): [once: string, twice: string] {
  const [newer, older] = [change.from, apiVersion(change.from - 1)]
  const up = step.leg === 'requestUp' || step.leg === 'responseDown'
  const [client, target] = up ? [older, newer] : [newer, older]
  const here = contextOf({ client, target, highest: target, operation: step.operation })
  const context = { ...here, lose: () => undefined }
  const common = { headers: new Headers(), body: parseJson(body) }
  const message = { ...common, method: 'POST', path: '', params: {}, query: new URLSearchParams(), status: 200 }
  const run = (): string => {
    try {
      if (!step.callsEngine) step.run(message, context)
    } catch (cause) {
      if (!(cause instanceof ProxyError)) throw cause
      return 'refused'
    }
    return message.body === undefined ? 'nothing' : writeJson(message.body)
  }
  const once = run()
  return [once, once === 'refused' ? once : run()]
}

const inOrder = (written: string): string => (written[0] === '{' ? text(parseJson(written)) : written)

describe('ops that add, take away and set defaults', () => {
  const kinds = /is new$|is gone$|left out when empty$|another default$/
  const simple = changes.flatMap((change) =>
    change.ops
      .filter(({ description, adds }) => adds !== undefined && kinds.test(description))
      .flatMap((op) => op.steps(change).map((step) => ({ step, change, description: op.description }))),
  )

  it.each([
    ['ContainerInspect', 'response'],
    ['ContainerCreate', 'request'],
    ['SystemInfo', 'response'],
  ] as const)('applied twice are what they are once: %s', { tags: 'slow' }, (operation, side) => {
    const here = simple.filter(({ step }) => step.operation === operation && step.leg.startsWith(side))
    expect(here.length).toBeGreaterThan(20)
    const everyStep = fc.property(bodies(operation, side, anyField), (body) => {
      const written = writeJson(body)
      for (const { step, change, description } of here) {
        const [once, twice] = onceAndTwice(change, step, written)
        // Put in order only when they differ: a thousand large bodies are written here.
        if (twice !== once) expect(inOrder(twice), `${change.id}: ${description}`).toBe(inOrder(once))
      }
    })
    // The message names the change: a smaller body would say no more, and finding one outlasts the test.
    fc.assert(everyStep, { numRuns: 30, endOnFailure: true })
  })
})
