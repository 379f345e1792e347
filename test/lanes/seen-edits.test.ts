import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editObject } from '../../src/lanes/byte-editor.ts'
import type { Touches } from '../../src/translate/edits.ts'
import { Headers } from '../../src/translate/headers.ts'
import { isObject, type JsonObject, type JsonValue, parseJson, writeJson } from '../../src/translate/json.ts'
import type { ResponseMessage, ResponseStep, StepContext } from '../../src/translate/message.ts'
import { type SeenEdits, seenEditsOf } from '../../src/translate/seen.ts'

type Step = Touches & { readonly run: ResponseStep }
const context = {} as StepContext

const inside = (body: JsonValue | undefined, ...names: readonly string[]): JsonObject | undefined => {
  let value = body
  for (const name of names) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return isObject(value) ? value : undefined
}
const sees = (paths: readonly string[], edit: (body: JsonValue | undefined) => void): Step => ({
  sees: paths,
  run: ({ body }) => edit(body),
})
const out = (path: string): Step => {
  const names = path.split('.')
  const last = names.pop() ?? ''
  const run: ResponseStep = ({ body }) => {
    const object = inside(body, ...names)
    if (object !== undefined) delete object[last]
  }
  return { takesOut: path, run }
}
const respelled = (path: string, spell: (value: JsonValue) => JsonValue | undefined): Step => {
  const names = path.split('.')
  const last = names.pop() ?? ''
  const run: ResponseStep = ({ body }) => {
    const object = inside(body, ...names)
    const value = object?.[last]
    const other = value === undefined ? undefined : spell(value)
    if (object !== undefined && other !== undefined) object[last] = other
  }
  return { respells: path, spell, run }
}
const fill = (path: string, value: JsonValue): Step => {
  const names = path.split('.')
  const last = names.pop() ?? ''
  return sees([path], (body) => {
    const object = inside(body, ...names)
    if (object !== undefined && object[last] === undefined) object[last] = structuredClone(value)
  })
}

/** One by another across objects, what is missing, edits of the same member before and after. */
const steps: readonly Step[] = [
  out('out'),
  respelled('up', (value) => (typeof value === 'string' ? `${value}\u20ac` : undefined)),
  fill('new', ['"']),
  respelled('new', (value) => (Array.isArray(value) ? [...value, 2] : undefined)),
  out('in.out'),
  fill('in.out', 0),
  fill('in.a', null),
  sees(['in.a', 'in.deep.b', 'up'], (body) => {
    const [into, deep] = [inside(body, 'in'), inside(body, 'in', 'deep')]
    if (into !== undefined && deep?.['b'] !== undefined) into['a'] = deep['b']
    if (deep !== undefined && isObject(body) && body['up'] === true) deep['b'] = 1.5
  }),
  sees(['list'], (body) => {
    if (isObject(body) && Array.isArray(body['list'])) body['list'].push('one more')
  }),
  out('gone.x'),
]
const seen = seenEditsOf(steps) as SeenEdits

const show =
  ({ steps }: SeenEdits) =>
  (body: JsonObject): void => {
    const message: ResponseMessage = { status: 200, headers: new Headers(), body }
    for (const step of steps) step(message, context)
  }
const inBytes = (text: string, by = seen): string | undefined =>
  editObject(Buffer.from(text), by.edits, show(by))?.toString()

function byParsing(text: string, all = steps): JsonValue {
  const message: ResponseMessage = { status: 200, headers: new Headers(), body: parseJson(text) }
  for (const step of all) step.run(message, context)
  return parseJson(writeJson(message.body ?? null))
}

const names = fc.constantFrom('out', 'up', 'new', 'in', 'a', 'deep', 'b', 'list', 'gone', 'x', '"', '\u00e9')
const { object } = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.constantFrom(null, true, false, 0, 1.5, [], {}),
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
  object: fc.dictionary(names, tie('value'), { maxKeys: 8, noNullPrototype: true }),
}))
const spelled = fc
  .record({ object, space: fc.constantFrom(0, 1, '\t') })
  .map(({ object, space }) => JSON.stringify(object, null, space))

describe('an object of which steps see a few members', () => {
  it('is in its bytes what the steps make of all of it, however it is spelled; or it is left to the parser', () => {
    let count = 0
    fc.assert(
      fc.property(spelled, (text) => {
        const got = inBytes(text)
        if (got === undefined) return
        count++
        expect(parseJson(got)).toEqual(byParsing(text))
      }),
      { numRuns: 5000 },
    )
    expect(count).toBeGreaterThan(1500)
  })

  it.each([
    ['{"a":1}', '{"a":1,"new":["\\"",2]}'],
    ['{"out":{"}":1},"a":1,"out":2}', '{"a":1,"new":["\\"",2]}'],
    ['{ "new" : [1e2 ] , "in":{"x":1.0 }}', '{ "new" : [100,2] , "in":{"x":1.0 ,"out":0,"a":null}}'],
    ['{"new":1,"in":{"a":2,"deep":{"b":"\\u003c"}}}', '{"new":1,"in":{"a":"<","deep":{"b":"\\u003c"},"out":0}}'],
    ['{"new":1,"up":true,"in":{"deep":{"c":1}}}', '{"new":1,"up":true,"in":{"deep":{"c":1,"b":1.5},"out":0,"a":null}}'],
    ['{"new":1,"list":[{"]":1}]}', '{"new":1,"list":[{"]":1},"one more"]}'],
    ['{"new":9223372036854771712,"b":[{"a":1}]}', '{"new":9223372036854771712,"b":[{"a":1}]}'],
    ['{"gone":{"x":1,"y":2},"new":null}', '{"gone":{"y":2},"new":null}'],
  ])('%s becomes %s', (text, expected) => {
    expect(inBytes(text)).toBe(`${expected}\n`)
  })

  it.each([
    ['has nothing that stays', '{"out":1}'],
    ['has nothing', '{}'],
    ['has an object with nothing in it that something is added to', '{"new":1,"in":{}}'],
    ['has a member twice that is seen', '{"new":1,"new":2}'],
    ['has an object twice in which members are seen', '{"new":1,"in":{"a":1},"in":{"a":2}}'],
    ['has an object and something else by the same name', '{"new":1,"in":{"a":1},"in":null}'],
    ['has no object where members are seen', '{"new":1,"in":[{"a":1}]}'],
    ['loses a member that is seen', '{"new":1,"in":{"a":1,"out":2},"up":1,"x":2,"in2":3,"y":4,"list":5}'],
    ['is no JSON where members are seen', '{"new":nope}'],
    ['has a name in another spelling', '{"\\u006eew":1}'],
  ])('is left to the parser where it %s', (_what, text) => {
    const later = seenEditsOf([...steps, out('in.out')]) as SeenEdits
    expect(inBytes(text, later)).toBeUndefined()
  })

  it('is left to the parser where a step sets what it did not say', () => {
    const sets = (edit: (body: JsonObject) => void): string | undefined => {
      const by = seenEditsOf([sees(['in.a'], (body) => edit(body as JsonObject))]) as SeenEdits
      return inBytes('{"in":{"b":1},"c":2}', by)
    }
    expect(sets((body) => (body['in'] = { a: 1 }))).toBeUndefined()
    expect(sets((body) => (body['c'] = 1))).toBeUndefined()
    expect(sets((body) => ((body['in'] as JsonObject)['b'] = 2))).toBeUndefined()
    expect(sets((body) => ((body['in'] as JsonObject)['a'] = 2))).toBe('{"in":{"b":1,"a":2},"c":2}\n')
  })
})

describe('what steps come to that are no edits', () => {
  it.each<[string, readonly Step[]]>([
    ['one does not say what it sees', [out('a'), { run: () => undefined }]],
    ['one sees what is in a list', [fill('a.[].b', 1)]],
    ['one sees what is in a map', [fill('a.{}.b', 1)]],
    ['one sees all of the body', [sees([''], () => undefined)]],
    ['none is anything but an edit', [out('a'), out('b')]],
  ])('is left to the parser where %s', (_what, some) => {
    expect(seenEditsOf(some)).toBeUndefined()
  })

  it('has edits of what is seen, of what that is in, and of what is in it among the steps', () => {
    const some = [out('in'), fill('in.a', 1), out('in.a.{}.b'), out('other'), out('inn')]
    const { edits, steps } = seenEditsOf(some) as SeenEdits
    expect(steps.length).toBe(3)
    expect(
      edits.members.flatMap((named = []) => named.map(({ name, edit }) => [Buffer.from(name).toString(), edit.kind])),
    ).toEqual([
      ['in', 'seen'],
      ['inn', 'out'],
      ['other', 'out'],
    ])
  })
})
