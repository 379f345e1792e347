import type { JsonValue } from '../../src/api/json/json.ts'
import { below, type Shape } from '../../src/api/shapes/shape.ts'
import { AskedHostConfig } from './places.ts'

export const THROTTLES = ['BlkioDeviceReadBps', 'BlkioDeviceWriteBps', 'BlkioDeviceReadIOps', 'BlkioDeviceWriteIOps']

/** The devices that a request throttles. */
export const throttled: readonly Shape[] = THROTTLES.map((member) => below(AskedHostConfig, `${member}.[]`))

/** The document's example has `"Rate": "1000"`, but every daemon requires a uint64. */
export const rateAsNumber = (rate: JsonValue): JsonValue | undefined =>
  typeof rate === 'string' && /^\d{1,19}$/.test(rate) ? JSON.rawJSON(rate) : undefined
