import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changes, deviations, readings } from '../../../rules/index.ts'
import { type JsonValue, parseJson, writeJson } from '../../../src/api/json/json.ts'
import { operationNames } from '../../../src/api/operations.ts'
import { shapes } from '../../../src/api/shapes/shapes.ts'
import { readFacts } from '../../../src/engine/discovery.ts'
import { Headers } from '../../../src/http/headers.ts'
import type { Plan } from '../../../src/translate/compile.ts'
import type { EmulationContext, ResponseMessage } from '../../../src/translate/message.ts'
import { Plans } from '../../../src/translate/plans.ts'
import { translateList } from '../../../src/translate/run/list.ts'
import { versionsOf } from '../../support/versions.ts'

const engine = readFacts({ Version: '28.5.0', ApiVersion: '1.51', MinAPIVersion: '1.24', Os: 'linux', Arch: 'amd64' })
const policy = { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined } as const
const plans = new Plans({ changes: [...changes, ...deviations], shapes, readings }, policy)

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
  for (const step of plan.response.body)
    if (step.run(message, context) !== undefined) expect.fail('an element is dropped')
  if (!Array.isArray(message.body)) expect.fail('no list any more')
  return message.body as JsonValue[]
}

const listPlan = (client: number, operation: 'ContainerList' | 'ImageList' | 'NetworkList' = 'ContainerList'): Plan =>
  plans.get(operation, versionsOf(client, Math.max(client, 24), 51))

const inParts = async (plan: Plan, bytes: Buffer): Promise<string | undefined> => {
  const slicer = { over: false, turn: () => Promise.resolve() }
  const done = await translateList(
    bytes,
    (elements) => translated(plan, elements),
    slicer,
    () => false,
  )
  return done?.toString()
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

/** Beside each element a text of that many characters, so that a list is of several batches. */
const filler = fc.integer({ min: 0, max: 9000 }).map((length) => `{"Id":"${'x'.repeat(length)}"}`)
const lists = fc
  .tuple(
    fc.array(fc.tuple(container, filler), { minLength: 1, maxLength: 20 }),
    fc.array(space, { minLength: 2, maxLength: 5 }),
  )
  .map(([elements, spaces]) => {
    const gap = (i: number): string => spaces[i % spaces.length] ?? ''
    const inner = elements.flat().map((element, i) => `${gap(i)}${element}${gap(i + 1)}`)
    return `${gap(0)}[${inner.join(',')}]${gap(1)}`
  })

describe('a list that is translated in parts', () => {
  it('is byte for byte what translating it at once gives', { tags: 'slow' }, async () => {
    await fc.assert(
      fc.asyncProperty(lists, fc.constantFrom(18, 22, 24, 40), async (text, client) => {
        const plan = listPlan(client)
        expect(plan.response.elementwise).toBe(true)
        expect(await inParts(plan, Buffer.from(text))).toBe(atOnce(plan, text))
      }),
      { numRuns: 150 },
    )
  })

  it('is worked on in time slices, until its client leaves', async () => {
    const element = (id: number): string => `{"Id":"${String(id).padStart(64, '0')}","State":"running"}`
    const came = Buffer.from(`[${Array.from({ length: 1000 }, (_, id) => element(id)).join(',')}]`)
    const state = { turns: 0, over: true, turn: async () => void state.turns++ }
    const sizes: number[] = []
    const translate = (elements: JsonValue[]): JsonValue => {
      sizes.push(elements.length)
      return elements
    }
    const whole = await translateList(came, translate, state, () => false)
    expect(whole?.toString()).toBe(`${came}\n`)
    const slices = sizes.length
    expect(state.turns).toBe(slices)
    expect(Math.max(...sizes)).toBeLessThan(200)
    const left = (): boolean => state.turns > slices + 2
    expect(await translateList(came, translate, state, left)).toBe('gone')
    expect(state.turns).toBe(slices + 3)
  })

  it.each([
    ['no list', '{"a":1}'],
    ['an empty one', '[]'],
    ['nothing', ''],
    ['a list that ends early', '[{"a":1},{"b":2}'],
    ['a comma too many', '[{"a":1},]'],
    ['something after the end', '[{"a":1}] x'],
    ['brackets that do not match', '[{"a":[1}]]'],
    ['an element that is no JSON', '[{"a":1},{"b":nope}]'],
    ['two objects without a comma', '[{"a":1}{"b":2}]'],
    ['a byte order mark', '\ufeff[{"a":1}]'],
    ['a string without an end', '[{"a":"1}]'],
  ])('leaves %s to whoever takes it at once', async (_what, text) => {
    expect(await inParts(listPlan(22), Buffer.from(text))).toBeUndefined()
  })

  it('keeps 64-bit integers and what is no UTF-8 as they are when taken at once', async () => {
    const plan = listPlan(22)
    const bytes = Buffer.concat([
      Buffer.from('[{"Id":"a","SizeRw":9223372036854771712,"Status":"'),
      Buffer.from([0xff, 0xe2, 0x82]),
      Buffer.from('"},{"Id":"b","Created":1.5e300}]'),
    ])
    const now = await inParts(plan, bytes)
    expect(now).toBe(atOnce(plan, bytes.toString()))
    expect(now).toContain('9223372036854771712')
  })
})

describe('steps of shapes that stand in the elements of lists', () => {
  const versions = [18, 19, 20, 22, 24, 30, 43, 44, 48, 52]
  const all = operationNames.flatMap((operation) =>
    versions.flatMap((client) =>
      [22, 24, 41, 46, 51, 54].flatMap((highest) =>
        // The least that engines of today serve, too: their steps by prefix run then.
        [...new Set([client, Math.max(client, 44)].map((target) => Math.min(target, highest)))].map((target) =>
          plans.get(operation, versionsOf(client, target, highest)),
        ),
      ),
    ),
  )
  const alone = all.filter(({ response }) => response.elementwise)

  it('do to a list what they do to each element alone, and look at nothing else', { tags: 'slow' }, () => {
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
          // Compared first: an assertion costs as much as the translation.
          const [one, other] = [writeJson(whole), writeJson(single)]
          if (one !== other) expect(one, plan.operation).toBe(other)
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
          const plan = plans.get(operation, versionsOf(22, lowest, highest))
          expect([operation, lowest, highest, plan.response.elementwise]).toEqual([operation, lowest, highest, true])
        }
      }
  })
})
