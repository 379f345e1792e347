import { ProxyError } from '../../src/api/errors.ts'
import { fromInteger, integer, isObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { KINDS } from '../by-hand/disk-usage.ts'

const NOTE = 'df.types'

const cacheOf = (usage: JsonObject): JsonObject[] =>
  Array.isArray(usage['BuildCache']) ? usage['BuildCache'].filter(isObject) : []

/** A record of the build cache has one parent (system_routes.go:getDiskUsage @v23.0). */
export function oneParent({ body }: ResponseMessage): void {
  if (!isObject(body)) return
  for (const record of cacheOf(body)) {
    const parents = record['Parents']
    delete record['Parents']
    record['Parent'] ??= Array.isArray(parents) ? (parents[0] ?? '') : ''
  }
}

/** The size of the build cache is the sum of its records; engines from 23.0 on omit a size of 0. */
export function builderSize({ body }: ResponseMessage): void {
  if (!isObject(body) || Object.hasOwn(body, 'BuilderSize')) return
  const size = cacheOf(body).reduce((sum, record) => sum + (integer(record['Size']) ?? 0n), 0n)
  body['BuilderSize'] = fromInteger(size)
}

export function newerUsage({ body }: ResponseMessage, { memory }: StepContext): void {
  if (!isObject(body)) return
  delete body['BuilderSize']
  for (const record of cacheOf(body)) {
    const parent = record['Parent']
    delete record['Parent']
    if (typeof parent === 'string' && parent !== '') record['Parents'] ??= [parent]
  }
  const types = memory.get(NOTE)
  if (Array.isArray(types)) blankOthers(body, types)
}

/** Empties the members of the types that the client did not request, as 28.5 does for type=image. */
function blankOthers(body: JsonObject, types: readonly JsonValue[]): void {
  if (!types.includes('image')) body['LayersSize'] = 0
  for (const { type, list } of KINDS) if (!types.includes(type)) body[list] = null
}

export function takeTypes({ query }: RequestMessage, { memory }: StepContext): void {
  const types = query.getAll('type')
  query.delete('type')
  const unknown = types.find((asked) => !KINDS.some(({ type }) => type === asked))
  if (unknown !== undefined) throw new ProxyError('bad-request', `unknown object type: ${unknown}`)
  if (types.length > 0) memory.set(NOTE, types)
}

export function ignoreTypes({ query }: RequestMessage, context: StepContext, change: BoundChange): void {
  if (!query.has('type')) return
  query.delete('type')
  context.ignore('query parameter type', change.id)
}
