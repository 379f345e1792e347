import { ProxyError } from '../../src/api/errors.ts'
import { fromInteger, integer, isUnset, type JsonObject, type JsonValue } from '../../src/api/json/json.ts'
import type { StepContext } from '../../src/translate/message.ts'

const PERIOD = 100_000n // microseconds, as in engines (daemon_unix.go:getCPUResources)

/** Turns NanoCpus into a quota per period, which engines have from 1.7 (1.19) on. */
export function nanoCpusAsQuota(value: JsonValue, object: JsonObject, context: StepContext): boolean {
  for (const [member, name] of Object.entries({ CpuPeriod: 'CPU Period', CpuQuota: 'CPU Quota' }))
    if (!isUnset(object[member]))
      throw new ProxyError('validation', `Conflicting options: Nano CPUs and ${name} cannot both be set.`)
  const nano = integer(value)
  if (nano === undefined || nano < 0n || context.engine.highest < 19) return false
  object['CpuPeriod'] = fromInteger(PERIOD)
  object['CpuQuota'] = fromInteger((nano * PERIOD) / 1_000_000_000n)
  return true
}
