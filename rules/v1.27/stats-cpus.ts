import { fromInteger, integer, isObject, type JsonObject } from '../../src/api/json/json.ts'

/** The number of processors for newer clients: the length of `percpu_usage`; undefined if it is empty. */
export function cpusListed(cpu: JsonObject): number | undefined {
  const usage = cpu['cpu_usage']
  const listed = isObject(usage) && Array.isArray(usage['percpu_usage']) ? usage['percpu_usage'].length : 0
  return listed > 0 ? listed : undefined
}

/**
 * Older clients count the processors in `percpu_usage`. Engines on cgroup v2 send only `online_cpus`: makes a list of that
 * length that adds up to the total.
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
