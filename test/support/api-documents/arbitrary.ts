import fc from 'fast-check'
import type { JsonValue } from '../../../src/api/json/json.ts'
import { membersOf } from './sample.ts'

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/)
const SCALARS: Readonly<Record<string, fc.Arbitrary<JsonValue>>> = {
  string: word,
  int: fc.nat(1000),
  number: fc.nat(1000),
  bool: fc.boolean(),
}

/** Bodies of the types that a description has, with any of its members. */
export function bodiesOf(facts: ReadonlyMap<string, string>, path = ''): fc.Arbitrary<JsonValue> {
  const type = (facts.get(path) ?? '').replace(/[?!]/g, '')
  const at = (step: string): string => (path === '' ? step : `${path}.${step}`)
  const scalar = SCALARS[type]
  if (scalar !== undefined) return scalar
  if (type === 'array') return fc.array(bodiesOf(facts, at('[]')), { maxLength: 2 })
  if (type === 'map') return fc.dictionary(word, bodiesOf(facts, at('{}')), { maxKeys: 2, noNullPrototype: true })
  const record = Object.fromEntries(membersOf(facts, path).map((name) => [name, bodiesOf(facts, at(name))]))
  return fc.record(record, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<JsonValue>
}
