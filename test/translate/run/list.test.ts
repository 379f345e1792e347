import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changes, deviations, readings } from '../../../rules/index.ts'
import { type JsonValue, parseJson, writeJson } from '../../../src/api/json/json.ts'
import { operationNames } from '../../../src/api/operations.ts'
import { shapes } from '../../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../../src/api/version.ts'
import { readFacts } from '../../../src/engine/discovery.ts'
import { Headers } from '../../../src/http/headers.ts'
import type { Plan } from '../../../src/translate/compile.ts'
import type { EmulationContext, ResponseMessage } from '../../../src/translate/message.ts'
import { Plans } from '../../../src/translate/plans.ts'
import { type TranslatedList, type TranslateSome, translateList } from '../../../src/translate/run/list.ts'
import { TimeSlicer } from '../../../src/translate/run/time-slicer.ts'

const engine = readFacts({ Version: '28.5.0', ApiVersion: '1.51', MinAPIVersion: '1.24', Os: 'linux', Arch: 'amd64' })
const policy = { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined } as const
const plans = new Plans({ changes, shapes, deviations, readings }, policy)

/** All that a step which works on one element may look at; whatever else it reached for is refused. */
function contextOf(plan: Plan): EmulationContext {
  const { operation, client, target } = plan
  const call = { params: {}, query: new URLSearchParams('size=1') }
  const lose = () => expect.fail('a step on single elements reports a loss')
  const given: Record<string, unknown> = { operation, client, target, engine, policy, call, lose, ignore: lose }
  return new Proxy(given, {
    get: (from, name) => {
      if (typeof name === 'string' && name in from) return from[name]
      return expect.fail(`a step on single elements looks at ${String(name)}`)
    },
  }) as unknown as EmulationContext
}

function translated(plan: Plan, body: JsonValue): JsonValue[] {
  const message: ResponseMessage = { status: 200, headers: new Headers(), body }
  const context = contextOf(plan)
  for (const step of plan.response.body) expect(step(message, context)).toBeUndefined()
  if (!Array.isArray(message.body)) expect.fail('no list any more')
  return message.body as JsonValue[]
}

const listPlan = (client: number, operation: 'ContainerList' | 'ImageList' | 'NetworkList' = 'ContainerList'): Plan =>
  plans.get(operation, apiVersion(client), apiVersion(Math.max(client, 24)), apiVersion(51))

const translateBy =
  (plan: Plan): TranslateSome =>
  (text, count) => {
    let body: JsonValue
    try {
      body = parseJson(text)
    } catch {
      return undefined
    }
    return Array.isArray(body) && body.length === count ? translated(plan, body).map(writeJson) : undefined
  }

const atOnce = (plan: Plan, text: string): string => `${writeJson(translated(plan, parseJson(text)))}\n`

/** Members that the steps of lists know, with any values, beside any others. */
const json = fc.jsonValue({ maxDepth: 3 })
const known = fc.constantFrom(...['Id', 'Status', 'State', 'Mounts', 'Image', 'Ports', 'Labels', 'RepoTags', 'IPAM'])
const member = fc.tuple(fc.oneof(known, fc.string()), json)
const endpoint = fc.record({ DriverOpts: json, IPAMConfig: json, IPAddress: fc.string() }, { requiredKeys: [] })
const container = fc
  .tuple(fc.array(member, { maxLength: 8 }), fc.dictionary(fc.string(), endpoint, { maxKeys: 2 }), fc.bigInt())
  .map(([members, Networks, long]) => {
    const object = Object.fromEntries(members)
    object['NetworkSettings'] = { Networks }
    return `${JSON.stringify(object).slice(0, -1)},"Big":${long}}`
  })
const space = fc.constantFrom('', '', ' ', '\n', '\t ', '\r\n')

interface Listed {
  readonly elements: readonly string[]
  readonly spaces: readonly string[]
}

const written = ({ elements, spaces }: Listed): string => {
  const gap = (i: number): string => spaces[i % spaces.length] ?? ''
  const inner = elements.map((element, i) => `${gap(i)}${element}${gap(i + 1)}`).join(',')
  return `${gap(0)}[${inner}]${gap(1)}`
}

const lists = fc.array(container, { minLength: 1, maxLength: 40 }).chain((elements) =>
  fc.record({
    first: fc.record({ elements: fc.constant(elements), spaces: fc.array(space, { minLength: 2, maxLength: 5 }) }),
    // The same list later: some gone, some new, some elsewhere, some twice.
    later: fc.record({
      elements: fc.array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...elements) }, container), { minLength: 1 }),
      spaces: fc.array(space, { minLength: 2, maxLength: 5 }),
    }),
    changedAt: fc.nat(elements.length - 1),
  }),
)

describe('a list that is translated element by element', () => {
  it('is byte for byte what translating it at once gives, also with what was remembered of another list', async () => {
    await fc.assert(
      fc.asyncProperty(lists, fc.constantFrom(18, 22, 24, 40), async ({ first, later, changedAt }, client) => {
        const plan = listPlan(client)
        expect(plan.response.elementwise).toBe(true)
        const changed = { ...first, elements: first.elements.with(changedAt, later.elements[0] ?? '{}') }
        let before: TranslatedList | undefined
        for (const list of [first, first, changed, later, first]) {
          const text = written(list)
          const now = await translateList(Buffer.from(text), before, translateBy(plan), new TimeSlicer())
          expect(now?.written.toString()).toBe(atOnce(plan, text))
          before = now
        }
      }),
      { numRuns: 150 },
    )
  })

  it('translates nothing again that was in the list before, wherever it stood there', async () => {
    const element = (id: number, state = 'running'): string =>
      `{"Id":"${String(id).padStart(64, '0')}","State":"${state}","Mounts":[]}`
    const plan = listPlan(22)
    const asked: number[] = []
    const counting: TranslateSome = (text, count) => {
      asked.push(count)
      return translateBy(plan)(text, count)
    }
    const ids = Array.from({ length: 100 }, (_, i) => i)
    const list = (elements: readonly string[]): Buffer => Buffer.from(`[${elements.join(',')}]\n`)
    let before = await translateList(list(ids.map((id) => element(id))), undefined, counting, new TimeSlicer())
    asked.length = 0
    // One changed, one gone, one new in front, the last two swapped.
    const next = [
      element(1000),
      ...ids.filter((id) => id !== 70 && id < 98).map((id) => element(id)),
      element(99),
      element(98),
    ]
    const later = list(next.map((text, i) => (i === 21 ? element(20, 'exited') : text)))
    before = await translateList(later, before, counting, new TimeSlicer())
    expect(asked).toEqual([1, 1])
    expect(before?.written.toString()).toBe(atOnce(plan, later.toString()))
  })

  it.each([
    ['no list', '{"a":1}'],
    ['an empty one', '[]'],
    ['nothing', ''],
    ['other values than objects', '[{"a":1},2]'],
    ['a list that ends early', '[{"a":1},{"b":2}'],
    ['a comma too many', '[{"a":1},]'],
    ['something after the end', '[{"a":1}] x'],
    ['brackets that do not match', '[{"a":[1}]]'],
    ['an element that is no JSON', '[{"a":1},{"b":nope}]'],
    ['two objects without a comma', '[{"a":1}{"b":2}]'],
    ['a byte order mark', '\ufeff[{"a":1}]'],
    ['a string without an end', '[{"a":"1}]'],
  ])('leaves %s to whoever takes it at once', async (_what, text) => {
    expect(
      await translateList(Buffer.from(text), undefined, translateBy(listPlan(22)), new TimeSlicer()),
    ).toBeUndefined()
  })

  it('keeps 64-bit integers and what is no UTF-8 as they are when taken at once', async () => {
    const plan = listPlan(22)
    const bytes = Buffer.concat([
      Buffer.from('[{"Id":"a","SizeRw":9223372036854771712,"Status":"'),
      Buffer.from([0xff, 0xe2, 0x82]),
      Buffer.from('"},{"Id":"b","Created":1.5e300}]'),
    ])
    const now = await translateList(bytes, undefined, translateBy(plan), new TimeSlicer())
    expect(now?.written.toString()).toBe(atOnce(plan, bytes.toString()))
    expect(now?.written.toString()).toContain('9223372036854771712')
  })
})

describe('steps of shapes that stand in the elements of lists', () => {
  const versions = [18, 19, 20, 22, 24, 30, 43, 44, 48, 52]
  const all = operationNames.flatMap((operation) =>
    versions.flatMap((client) =>
      [22, 24, 41, 46, 51, 54].flatMap((highest) =>
        // The least that engines of today serve, too: their steps by prefix run then.
        [...new Set([client, Math.max(client, 44)].map((target) => Math.min(target, highest)))].map((target) =>
          plans.get(operation, apiVersion(client), apiVersion(target), apiVersion(highest)),
        ),
      ),
    ),
  )
  const alone = all.filter(({ response }) => response.elementwise)

  it('do to a list what they do to each element alone, and look at nothing else', () => {
    expect(new Set(alone.map(({ operation }) => operation)).size).toBeGreaterThan(8)
    const few = fc.array(container, { minLength: 2, maxLength: 4 })
    fc.assert(
      fc.property(few, (elements) => {
        for (const plan of alone) {
          const whole = translated(
            plan,
            elements.map((text) => parseJson(text)),
          )
          const single = elements.flatMap((text) => translated(plan, [parseJson(text)]))
          expect(writeJson(whole)).toBe(writeJson(single))
        }
      }),
      { numRuns: 5 },
    )
  })

  it('are all that the lists of containers have between a client of 1.22 and engines of today', () => {
    for (const highest of [41, 46, 51, 54])
      for (const operation of ['ContainerList', 'ImageList', 'NetworkList'] as const) {
        for (const lowest of highest < 44 ? [24] : [24, 40, 44]) {
          // From 1.28 on the containers of each network are asked for one by one.
          if (operation === 'NetworkList' && lowest > 27) continue
          const plan = plans.get(operation, apiVersion(22), apiVersion(lowest), apiVersion(highest))
          expect([operation, lowest, highest, plan.response.elementwise]).toEqual([operation, lowest, highest, true])
        }
      }
  })
})
