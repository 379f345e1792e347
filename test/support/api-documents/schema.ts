import { Ajv, type AnySchema, type ValidateFunction } from 'ajv'
import type { OperationName } from '../../../src/api/operations.ts'
import { published } from './published.ts'
import { membersOf } from './sample.ts'

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  int: 'integer',
  number: 'number',
  bool: 'boolean',
}
const ajv = new Ajv({ strict: false, allErrors: true, allowUnionTypes: true, code: { optimize: false } })
const compiled = new Map<string, ValidateFunction>()

/** Checks a body against a version's document: types, not formats. Undefined where the document says nothing of it. */
export function validatorOf(
  operation: OperationName,
  part: 'request' | 'response',
  minor: number,
): ValidateFunction | undefined {
  const key = `${operation} ${part} ${minor}`
  const facts = published(minor).get(operation)?.[part]
  if (facts === undefined || facts.size === 0) return undefined
  const known = compiled.get(key) ?? ajv.compile(schemaAt(facts, ''))
  compiled.set(key, known)
  return known
}

/** Lists, maps and objects may be null, as Go writes those that it never made. */
function schemaAt(facts: ReadonlyMap<string, string>, path: string): AnySchema {
  const fact = facts.get(path) ?? ''
  const type = fact.replace(/[?!]/g, '')
  const at = (step: string): string => (path === '' ? step : `${path}.${step}`)
  const scalar = SCALARS[type]
  if (scalar !== undefined) return { type: fact.includes('?') ? [scalar, 'null'] : scalar }
  if (type === 'array') return { type: ['array', 'null'], items: schemaAt(facts, at('[]')) }
  if (type === 'map') return { type: ['object', 'null'], additionalProperties: schemaAt(facts, at('{}')) }
  const members = membersOf(facts, path)
  // An object of which nothing is said may be anything.
  if (type !== 'object' || members.length === 0) return {}
  return {
    type: ['object', 'null'],
    properties: Object.fromEntries(members.map((name) => [name, schemaAt(facts, at(name))])),
  }
}
