import { fromInteger, integer, isObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { containerOf } from '../emulate/stats-container.ts'

/** In the order of the engines' own struct (api/types/stats.go NetworkStats). */
const COUNTERS = [
  'rx_bytes',
  'rx_packets',
  'rx_errors',
  'rx_dropped',
  'tx_bytes',
  'tx_packets',
  'tx_errors',
  'tx_dropped',
] as const

/** `network` up to 1.20: each counter summed over all interfaces, zeros when there are none (versions/v1p20, daemon/stats.go). */
export function sumOfNetworks(record: JsonObject): JsonValue {
  const networks = isObject(record['networks']) ? Object.values(record['networks']).filter(isObject) : []
  return Object.fromEntries(
    COUNTERS.map((counter) => {
      const sum = networks.reduce((total, network) => total + (integer(network[counter]) ?? 0n), 0n)
      return [counter, fromInteger(sum)]
    }),
  )
}

/** `networks` from `network`: engines up to 1.8 have one interface. A container in the host's network has none. */
export function networksOf(record: JsonObject, context: StepContext): JsonValue | undefined {
  const network = record['network']
  if (!isObject(network)) return undefined
  const silent = COUNTERS.every((counter) => (integer(network[counter]) ?? 0n) === 0n)
  return silent && containerOf(context)?.['mode'] === 'host' ? undefined : { eth0: network }
}
