import type { JsonObject, JsonValue } from '../../../src/api/json/json.ts'

const SCALARS: Readonly<Record<string, JsonValue>> = { string: 'x', int: 7, number: 7, bool: true }

const bare = (fact: string | undefined): string => (fact ?? '').replace(/[?!]/g, '')

/** A value with every member that a description has at a path and below. */
export function sampleAt(facts: ReadonlyMap<string, string>, path: string): JsonValue | undefined {
  const type = bare(facts.get(path))
  const at = (step: string): string => (path === '' ? step : `${path}.${step}`)
  if (type in SCALARS) return SCALARS[type]
  if (type === 'array') {
    const element = sampleAt(facts, at('[]'))
    return element === undefined ? [] : [element]
  }
  if (type === 'map') return { key: sampleAt(facts, at('{}')) ?? null }
  if (type === '') return undefined
  const object: JsonObject = {}
  for (const member of membersOf(facts, path)) object[member] = sampleAt(facts, at(member)) ?? null
  return object
}

export function membersOf(facts: ReadonlyMap<string, string>, path: string): string[] {
  const start = path === '' ? '' : `${path}.`
  const below = [...facts.keys()].filter((one) => one !== '' && one.startsWith(start))
  return [...new Set(below.map((one) => one.slice(start.length).split('.')[0] ?? ''))].filter((name) => name !== '')
}

/** A body with only `own` at the path, in the objects and lists that hold it; by default, a sample of the members described there. */
export function sampleOnly(
  facts: ReadonlyMap<string, string>,
  path: string,
  own: JsonValue | undefined = sampleAt(facts, path),
): JsonValue | undefined {
  const steps = path === '' ? [] : path.split('.')
  return steps.reduceRight<JsonValue | undefined>((value, step) => {
    if (value === undefined) return undefined
    if (step === '[]') return [value]
    return step === '{}' ? { key: value } : { [step]: value }
  }, own)
}

/** The value at a path of a body; in lists and maps, the first one. */
export function valueAt(body: JsonValue | undefined, path: string): JsonValue | undefined {
  let value = body
  for (const step of path === '' ? [] : path.split('.')) {
    if (value === null || typeof value !== 'object') return undefined
    if (step === '[]') value = Array.isArray(value) ? value[0] : undefined
    else value = step === '{}' ? Object.values(value)[0] : (value as JsonObject)[step]
  }
  return value
}
