import { expect, it } from 'vitest'
import { changes, deviations } from '../../rules/index.ts'
import type { JsonObject, JsonValue } from '../../src/api/json/json.ts'
import { walker } from '../../src/api/shapes/shape.ts'
import { shapes } from '../../src/api/shapes/shapes.ts'
import { operationRules } from '../../src/translate/operation-rules.ts'

/** An object at the path, whose members have their names in small letters. */
const atPath = (path: string): JsonValue =>
  path.split('.').reduceRight<JsonValue>((inner, step) => {
    if (step === '[]') return [inner]
    return { [step === '{}' ? 'key' : step.toLowerCase()]: inner }
  }, {})

const places = shapes.flatMap((shape) => shape.places.filter(({ side, path }) => side === 'request' && path !== ''))
const rules = { changes: [...changes, ...deviations], shapes }

it('every object of a request that has rules is found when the members on the way to it are spelled in small letters', () => {
  const lost = places.filter(({ operation, path }) => {
    const body = atPath(path)
    operationRules(rules, operation).respell(body)
    const found: JsonObject[] = []
    walker(path)(body, (object) => found.push(object))
    return found.length === 0
  })
  expect(places.length).toBeGreaterThan(20)
  expect(lost).toEqual([])
})
