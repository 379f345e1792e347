import { ProxyError } from '../../src/api/errors.ts'
import { isObject, type JsonValue } from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { takeFilter } from '../../src/translate/ops/calls/filter-values.ts'
import { isPredefined } from '../by-hand/endpoints.ts'
import { containersIn } from './looked-up-networks.ts'

const NOTE = 'networks.dangling'

const SPELLINGS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** Older engines refuse the filter: the bridge removes it and applies it to the answer. */
export function takeDangling({ query }: RequestMessage, { memory }: StepContext): void {
  const values = takeFilter(query, 'dangling')
  if (values === undefined || values.length === 0) return
  const [value] = values
  const wanted = value === undefined || values.length > 1 ? undefined : SPELLINGS.get(value)
  if (wanted === undefined) throw new ProxyError('validation', `invalid filter 'dangling=[${values.join(' ')}]'`)
  memory.set(NOTE, wanted)
}

/** Keeps the networks without containers, or those with; predefined ones are never dangling. */
export async function keepDangling(message: ResponseMessage, context: EmulationContext): Promise<void> {
  const wanted = context.memory.get(NOTE)
  if (typeof wanted !== 'boolean' || !Array.isArray(message.body)) return
  const kept: JsonValue[] = []
  for (const network of message.body) if ((await isDangling(network, context)) === wanted) kept.push(network)
  message.body = kept
}

async function isDangling(network: JsonValue, context: EmulationContext): Promise<boolean> {
  if (!isObject(network) || typeof network['Id'] !== 'string' || isPredefined(network['Name'])) return false
  return Object.keys(await containersIn(network['Id'], context)).length === 0
}
