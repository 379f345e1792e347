import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changes, deviations } from '../../rules/index.ts'
import { findOperation, operationNames } from '../../src/api/operations.ts'
import { shapes } from '../../src/api/shapes.ts'
import { apiVersion, splitPrefix } from '../../src/api/version.ts'
import { ByteEditor, editObject } from '../../src/lanes/byte-editor.ts'
import { translateList } from '../../src/lanes/list.ts'
import { Pace } from '../../src/lanes/pace.ts'
import { type Plan, Plans } from '../../src/translate/compile.ts'
import { type Edits, editsOf } from '../../src/translate/edits.ts'
import { Headers } from '../../src/translate/headers.ts'
import { isObject, type JsonObject, type JsonValue, parseJson, writeJson } from '../../src/translate/json.ts'
import type { EmulationContext, ResponseMessage } from '../../src/translate/message.ts'
import type { SeenEdits } from '../../src/translate/seen.ts'
import { recordingOf } from '../support/golden-run.ts'

const policy = { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined } as const
const plans = new Plans({ changes, shapes, deviations }, policy)
const CLIENTS = [18, 19, 20, 21, 22, 23, 24, 25, 28, 30, 32, 35, 40, 41, 43, 44, 46, 48, 51, 52]
const ENGINES = [22, 24, 41, 46, 51, 54]
const all = operationNames.flatMap((operation) =>
  CLIENTS.flatMap((client) =>
    ENGINES.flatMap((highest) =>
      [...new Set([client, Math.max(client, 24), Math.max(client, 44)])].map((target) =>
        plans.get(operation, apiVersion(client), apiVersion(Math.min(target, highest)), apiVersion(highest)),
      ),
    ),
  ),
)
const edited = all.filter(({ response }) => response.edits !== undefined || response.seenEdits !== undefined)

/** Steps that can be done in bytes look at nothing but the body. */
const nothing = new Proxy({}, { get: (_, name) => expect.fail(`looks at ${String(name)}`) }) as EmulationContext

function contextOf({ client, target, highest }: Plan): EmulationContext {
  const context = { client, target, engine: { highest }, policy } as unknown as EmulationContext
  return new Proxy(context, { get: (from, name) => Reflect.get(name in from ? from : nothing, name) })
}

function byParsing(plan: Plan, text: string): JsonValue {
  const message: ResponseMessage = { status: 200, headers: new Headers(), body: parseJson(text) }
  for (const step of plan.response.body) expect(step(message, contextOf(plan))).toBeUndefined()
  return parseJson(writeJson(message.body ?? null))
}

/** As the lanes do it; undefined where they leave it to the parser. */
async function inBytes(plan: Plan, text: string): Promise<string | undefined> {
  const { edits, seenEdits } = plan.response
  const bytes = Buffer.from(text)
  if (seenEdits !== undefined) return editObject(bytes, seenEdits.edits, seeing(plan, seenEdits))?.toString()
  if (edits === undefined) return undefined
  if (edits.elements === undefined) return editObject(bytes, edits)?.toString()
  return (await translateList(bytes, undefined, new ByteEditor(bytes, edits.elements), new Pace()))?.written.toString()
}

function seeing(plan: Plan, { steps }: SeenEdits): (body: JsonObject) => void {
  return (body) => {
    const message: ResponseMessage = { status: 200, headers: new Headers(), body }
    for (const step of steps) expect(step(message, contextOf(plan))).toBeUndefined()
    expect([message.status, message.headers.raw(), message.body === body]).toEqual([200, [], true])
  }
}

const same = (text: string): string => writeJson(parseJson(text))

describe('bodies that are edited in their bytes', () => {
  const recordings = readdirSync(join(import.meta.dirname, '../golden/recorded'))
    .map((file) => /^(.+)@1\.(\d+)\.json$/.exec(file))
    .filter((found) => found !== null)
    .map(([, engine = '', minor = '']) => ({ engine, minor }))

  let seen = 0
  it.each(recordings)('are what parsing makes of all that $engine answered at 1.$minor', async ({ engine, minor }) => {
    for (const { method, path, status, values } of Object.values(recordingOf(engine, `1.${minor}`).exchanges)) {
      const [pathname = ''] = splitPrefix(path).rest.split('?')
      const operation = status < 300 ? findOperation(method, pathname)?.operation.name : undefined
      for (const plan of edited.filter((one) => one.operation === operation))
        for (const value of values.filter((one): one is JsonValue => isObject(one) || Array.isArray(one))) {
          const text = writeJson(value)
          const got = await inBytes(plan, text)
          const where = [operation, plan.client, plan.highest]
          if (plan.response.edits?.elements !== undefined && text === '[]') expect(got).toBeUndefined()
          else if (got !== undefined) expect([...where, parseJson(got)]).toEqual([...where, byParsing(plan, text)])
          else expect([...where, plan.response.seenEdits]).not.toEqual([...where, undefined])
          if (got !== undefined && plan.response.seenEdits !== undefined) seen++
        }
    }
  })

  it('are some thousand in which steps see a few members', () => expect(seen).toBeGreaterThan(2000))

  it.each([
    ['20.10', 41],
    ['28.5', 41],
    ['26.1', 45],
  ])('are all that %s says of its containers at 1.%i to clients from 1.22 on', async (engine, minor) => {
    const inspects = Object.values(recordingOf(engine, `1.${minor}`).exchanges).filter(
      ({ path, status }) => status === 200 && /\/containers\/[^/]+\/json$/.test(path),
    )
    expect(inspects.length).toBeGreaterThan(5)
    for (const client of [22, 24, 30, 39]) {
      const plan = plans.get('ContainerInspect', apiVersion(client), apiVersion(minor), apiVersion(minor))
      for (const { path, values } of inspects)
        for (const value of values)
          expect([client, path, await inBytes(plan, writeJson(value))]).not.toContain(undefined)
    }
  })

  it('are the lists of containers for clients from 1.22 on, before engines of today', () => {
    for (const client of [22, 24, 30, 40, 43])
      for (const highest of client < 30 ? [41, 51] : [51]) {
        const target = Math.max(client, highest === 51 ? 24 : 12)
        const plan = plans.get('ContainerList', apiVersion(client), apiVersion(target), apiVersion(highest))
        expect([client, highest, plan.response.edits === undefined]).toEqual([client, highest, false])
      }
  })
})

/** Members that are edited, with values of all kinds, among others; spelled with and without spaces and escapes. */
const names = fc.constantFrom('a', 'b', 'out', 'up', 'in', 'all', 'list', '"', '\\', '\u00e9', '__proto__', 'o\nt')
const tree = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.double({ noNaN: true }),
    fc.constant(null),
    fc.boolean(),
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
  object: fc.dictionary(names, tie('value'), { maxKeys: 6 }),
}))
const spelled = fc
  .record({ value: tree.object, space: fc.constantFrom(0, 1, '\t') })
  .map(({ value, space }) => JSON.stringify(value, null, space))
const edits = editsOf([
  { takesOut: 'out' },
  { takesOut: 'in.out' },
  { takesOut: 'in.b' },
  { takesOut: 'all.{}.out' },
  { takesOut: 'list.[].out' },
  { takesOut: 'list.[].in.a' },
  { respells: 'up', spell: (value) => (typeof value === 'string' ? value.toUpperCase() : undefined) },
  { respells: 'in.up', spell: (value) => (value === null ? { 'new "': ['\u20ac'] } : undefined) },
  { respells: 'out.a' },
]) as Edits

/** The same edits, done to values. */
function done(text: string): string {
  const body = parseJson(text) as JsonObject
  const without = (object: unknown, ...members: string[]): void => {
    if (isObject(object as JsonValue)) for (const member of members) delete (object as Record<string, unknown>)[member]
  }
  const inside = (object: unknown, member: string): unknown =>
    isObject(object as JsonValue) && Object.hasOwn(object as object, member)
      ? (object as Record<string, unknown>)[member]
      : undefined
  const [into, each, list] = ['in', 'all', 'list'].map((member) => inside(body, member))
  without(body, 'out')
  without(into, 'out', 'b')
  if (isObject(each as JsonValue)) for (const one of Object.values(each as object)) without(one, 'out')
  if (Array.isArray(list))
    for (const one of list) {
      without(one, 'out')
      without(inside(one, 'in'), 'a')
    }
  const up = inside(body, 'up')
  if (typeof up === 'string') body['up'] = up.toUpperCase()
  if (isObject(into as JsonValue) && inside(into, 'up') === null)
    (into as Record<string, unknown>)['up'] = { 'new "': ['\u20ac'] }
  return writeJson(body)
}

describe('an object that is edited in its bytes', () => {
  it('is what editing its values gives, however it is spelled; or it is left to the parser', () => {
    let count = 0
    fc.assert(
      fc.property(spelled, (text) => {
        const got = editObject(Buffer.from(text), edits)?.toString()
        if (got === undefined)
          expect(text).toMatch(/\\/) // an escape in a name
        else {
          count++
          expect(same(got)).toBe(done(text))
        }
      }),
      { numRuns: 2000 },
    )
    expect(count).toBeGreaterThan(500)
  })

  it('keeps what is not edited as it is spelled: order, numbers, escapes, members that stand there twice', () => {
    const text =
      '{"2":1.50,"1":9223372036854771712,"out":{"}":"\\"]"},"a":"\\u003c\\/","a":1e400,"list":[{"out":1},{"x" : 2 }]}'
    const kept = '{"2":1.50,"1":9223372036854771712,"a":"\\u003c\\/","a":1e400,"list":[{},{"x" : 2 }]}\n'
    expect(editObject(Buffer.from(text), edits)?.toString()).toBe(kept)
  })

  it.each([
    ['{"out":1}', '{}'],
    ['{"out":1,"a":2}', '{"a":2}'],
    ['{"a":2,"out":1}', '{"a":2}'],
    ['{"out":1,"out":[2],"a":2,"out":"3","out":null,"b":4,"out":-1.5e3}', '{"a":2,"b":4}'],
    ['{"in":{"b":1,"out":2},"out":{"in":1}}', '{"in":{}}'],
    ['{"all":{"out":{"out":1},"x":{"a":1,"out":1}}}', '{"all":{"out":{},"x":{"a":1}}}'],
    ['{"up":"a"}', '{"up":"A"}'],
  ])('%s becomes %s', (text, expected) => {
    expect(editObject(Buffer.from(text), edits)?.toString()).toBe(`${expected}\n`)
  })

  it.each([
    '',
    '[]',
    '"a"',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1}x',
    '{a:1}',
    '{"out":}',
    '{"a":1,}',
    '{"a":1 "b":2}',
    '{"\\u006fut":1}',
    '{"up":nope}',
    '{"list":[{"out":1}',
  ])('leaves %j to the parser', (text) => {
    expect(editObject(Buffer.from(text), edits)).toBeUndefined()
  })
})

describe('what steps on a body come to', () => {
  it.each([
    ['a step that does anything else', [{ takesOut: 'a' }, {}]],
    ['another spelling that takes more than the value', [{ respells: 'a' }]],
    ['another spelling of what something goes out of', [{ takesOut: 'a.b' }, { respells: 'a', spell: () => 1 }]],
    ['all values and one of them', [{ takesOut: 'a.{}.b' }, { takesOut: 'a.c' }]],
  ])('is left to the parser for %s', (_what, steps) => {
    expect(editsOf(steps)).toBeUndefined()
  })
})
