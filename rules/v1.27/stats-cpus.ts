import { fromInteger, integer, isObject, type JsonObject } from '../../src/api/json/json.ts'

/** What a newer client counts by: as many as the engine lists readings for; left out when there are none. */
export function cpusListed(cpu: JsonObject): number | undefined {
  const usage = cpu['cpu_usage']
  const listed = isObject(usage) && Array.isArray(usage['percpu_usage']) ? usage['percpu_usage'].length : 0
  return listed > 0 ? listed : undefined
}

/**
 * An older client counts the processors by `percpu_usage`. Engines on cgroup v2 have no such list and say `online_cpus`
 * instead: make one that adds up to the total, so that its length is right.
 */
export function listCpus(cpu: JsonObject): void {
  const count = integer(cpu['online_cpus'])
  const usage = cpu['cpu_usage']
  if (count === undefined || count <= 0n || !isObject(usage) || Array.isArray(usage['percpu_usage'])) return
  const total = integer(usage['total_usage']) ?? 0n
  const share = total / count
  usage['percpu_usage'] = Array.from({ length: Number(count) }, (_, i) =>
    fromInteger(i === 0 ? total - share * (count - 1n) : share),
  )
}
