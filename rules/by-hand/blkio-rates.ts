import { isObject, type JsonValue, memberAt } from '../../src/api/json/json.ts'

export const THROTTLES = ['BlkioDeviceReadBps', 'BlkioDeviceWriteBps', 'BlkioDeviceReadIOps', 'BlkioDeviceWriteIOps']

/** The document's example has `"Rate": "1000"`, but every daemon requires a uint64. */
export function ratesAsNumbers(devices: JsonValue): JsonValue | undefined {
  if (!Array.isArray(devices)) return undefined
  for (const device of devices) {
    const rate = memberAt(device, 'Rate')
    if (isObject(device) && typeof rate === 'string' && /^\d{1,19}$/.test(rate)) device['Rate'] = JSON.rawJSON(rate)
  }
  return devices
}
