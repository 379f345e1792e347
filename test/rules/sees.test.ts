import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changes } from '../../rules/index.ts'
import { findOperation } from '../../src/api/operations.ts'
import { splitPrefix } from '../../src/api/version.ts'
import { type PlacedStep, stepsOf } from '../../src/translate/change.ts'
import { Headers } from '../../src/translate/headers.ts'
import { isObject, type JsonObject, type JsonValue, parseJson, writeJson } from '../../src/translate/json.ts'
import type { EmulationContext, ResponseMessage, ResponseStep } from '../../src/translate/message.ts'
import { recordingOf } from '../support/golden-run.ts'

/** A body that fails whoever looks at, sets or lists anything but the members at these paths. */
function watched(object: JsonObject, paths: readonly string[], where = ''): JsonObject {
  const check = (name: string | symbol): string => {
    const path = `${where}${String(name)}`
    if (!paths.some((seen) => seen === path || seen.startsWith(`${path}.`))) expect.fail(`it did not say ${path}`)
    return path
  }
  return new Proxy(object, {
    get: (target, name) => {
      if (typeof name === 'symbol') return Reflect.get(target, name)
      const path = check(name)
      const value = target[name]
      return paths.includes(path) || !isObject(value) ? value : watched(value, paths, `${path}.`)
    },
    has: (target, name) => Reflect.has(target, check(name).slice(where.length)),
    set: (target, name, value) => Reflect.set(target, check(name).slice(where.length), value),
    deleteProperty: (target, name) => Reflect.deleteProperty(target, check(name).slice(where.length)),
    defineProperty: (target, name, to) => Reflect.defineProperty(target, check(name).slice(where.length), to),
    getOwnPropertyDescriptor: (target, name) =>
      Reflect.getOwnPropertyDescriptor(target, check(name).slice(where.length)),
    ownKeys: () => expect.fail(`it lists the members of ${where === '' ? 'the body' : where}`),
  })
}

function run(step: ResponseStep, body: JsonObject, sees: readonly string[], client: number): string {
  const message: ResponseMessage = { status: 200, headers: new Headers(), body: watched(body, sees) }
  const { body: given } = message
  const context = { client, target: client, engine: { highest: 54 }, operation: 'ContainerInspect' }
  expect(step(message, context as unknown as EmulationContext)).toBeUndefined()
  expect([message.status, message.headers.raw(), message.body === given]).toEqual([200, [], true])
  return writeJson(body)
}

const steps = changes
  .flatMap((change) => stepsOf(change).map((step) => ({ id: change.id, step })))
  .filter(({ step }) => step.sees !== undefined)
const recordings = readdirSync(join(import.meta.dirname, '../golden/recorded'))
  .map((file) => /^(.+)@1\.(\d+)\.json$/.exec(file))
  .filter((found) => found !== null)
  .map(([, engine = '', minor = '']) => ({ engine, minor }))

const isOnAnswers = (step: PlacedStep): step is PlacedStep & { readonly kind: 'step'; readonly run: ResponseStep } =>
  step.kind === 'step' && step.leg.startsWith('response') && step.part === 'body'

describe('steps that say which members they see', () => {
  it('are on bodies of answers', () => {
    expect(steps.length).toBeGreaterThan(40)
    for (const { id, step } of steps) expect([id, isOnAnswers(step)]).toEqual([id, true])
  })

  let changed = 0
  it.each(recordings)('see no others in all that $engine answered at 1.$minor', ({ engine, minor }) => {
    for (const { method, path, status, values } of Object.values(recordingOf(engine, `1.${minor}`).exchanges)) {
      const [pathname = ''] = splitPrefix(path).rest.split('?')
      const operation = status < 300 ? findOperation(method, pathname)?.operation.name : undefined
      for (const { step } of steps) {
        if (step.operation !== operation || !isOnAnswers(step) || step.sees?.some((seen) => /[[{]/.test(seen))) continue
        for (const value of values.filter((one): one is JsonObject & JsonValue => isObject(one)))
          for (const client of [20, 22, 24, 30, 40, 44, 51]) {
            const text = writeJson(value)
            const after = run(step.run, parseJson(text) as JsonObject, step.sees ?? [], client)
            if (after !== text) changed++
          }
      }
    }
  })

  it('are tried on some thousand bodies that they change', () => expect(changed).toBeGreaterThan(1000))

  it.each<[string, (body: JsonObject) => void]>([
    ['looks at', (body) => void body['B']],
    ['sets', (body) => void Object.assign(body, { B: 1 })],
    ['takes out', (body) => void delete body['B']],
    ['asks for', (body) => void ('B' in body)],
    ['lists', (body) => void Object.keys(body)],
    ['looks inside at', (body) => void (body['In'] as JsonObject)['B']],
  ])('fail here where one %s another', (_what, act) => {
    const step: ResponseStep = ({ body }) => act(body as JsonObject)
    expect(() => run(step, { A: 1, B: 2, In: { A: 1, B: 2 } }, ['A', 'In.A'], 22)).toThrow(/it did not say|it lists/)
  })
})
