import { isObject, type JsonObject } from '../../src/api/json/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { type Filters, readFilters } from '../../src/translate/ops/calls/filter-values.ts'
import { isTrue } from '../../src/translate/ops.ts'

const MEMBERS = [
  ['is-automated', 'is_automated'],
  ['is-official', 'is_official'],
] as const

/** 25 unless the client sends another limit (registry/service.go:DefaultSearchLimit @v1.12.6). */
const limitOf = (query: URLSearchParams): number => Number(query.get('limit') || 25)

export function badLimit({ query }: RequestMessage): string | undefined {
  const limit = limitOf(query)
  const isGood = Number.isInteger(limit) && limit >= 1 && limit <= 100
  return isGood ? undefined : `500 Limit ${query.get('limit')} is outside the range of [1, 100]`
}

function isWanted(item: JsonObject, filters: Filters): boolean {
  const stars = filters.get('stars') ?? []
  if (!stars.every((least) => Number(item['star_count'] ?? 0) >= Number(least))) return false
  return MEMBERS.every(([filter, member]) => {
    const values = filters.get(filter)
    return values === undefined || values.some((value) => isTrue(value) === (item[member] === true))
  })
}

export function searchResult(message: ResponseMessage, { call }: StepContext): void {
  if (!Array.isArray(message.body)) return
  const filters = readFilters(call.query)
  message.body = message.body.filter((item) => !isObject(item) || isWanted(item, filters)).slice(0, limitOf(call.query))
}
