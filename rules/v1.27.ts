import { fromInteger, integer, isObject, type JsonObject, type JsonValue } from '../src/api/json/json.ts'
import { below } from '../src/api/shapes/shape.ts'
import { CpuStats, MemoryStats, StatsRecord } from '../src/api/shapes/shapes.ts'
import type { StepContext } from '../src/translate/message.ts'
import { added, addedAll, type Changes, filled, omittedWhenEmpty, retyped } from '../src/translate/ops.ts'
import { ZERO_TIME } from './by-hand/state-status.ts'

const LAST_READ = 'stats.last-read'

/** The number of processors for newer clients: the length of `percpu_usage`; undefined if it is empty. */
function cpusListed(cpu: JsonObject): number | undefined {
  const usage = cpu['cpu_usage']
  const listed = isObject(usage) && Array.isArray(usage['percpu_usage']) ? usage['percpu_usage'].length : 0
  return listed > 0 ? listed : undefined
}

/**
 * Older clients count the processors in `percpu_usage`. Engines on cgroup v2 send only `online_cpus`: makes a list of that
 * length that adds up to the total.
 */
function withCpus(usage: JsonValue, online: JsonValue | undefined): JsonValue | undefined {
  const count = integer(online)
  if (count === undefined || count <= 0n || !isObject(usage) || Array.isArray(usage['percpu_usage'])) return undefined
  const total = integer(usage['total_usage']) ?? 0n
  const share = total / count
  const cpus = Array.from({ length: Number(count) }, (_, i) => (i === 0 ? total - share * (count - 1n) : share))
  return { ...usage, percpu_usage: cpus.map(fromInteger) }
}

/** The time of the record before; remembers that of this one. */
function lastRead({ read }: JsonObject, { memory }: StepContext): JsonValue {
  const last = memory.get(LAST_READ) ?? ZERO_TIME
  if (typeof read === 'string') memory.set(LAST_READ, read)
  return last
}

export default {
  '1.27/stats-online-cpus': {
    summary: 'Stats have the number of online processors.',
    see: 'docs/api/version-history.md v1.27; api/types/stats.go:CPUStats @v17.03.2',
    ops: [
      added(CpuStats, 'online_cpus', {
        sample: 2,
        up: cpusListed,
        upSamples: [[{ cpu_usage: { percpu_usage: [3, 4] } }, 2]],
      }),
      // On responseDown the last op runs first, while online_cpus is still there.
      retyped(CpuStats, 'cpu_usage', {
        toOlder: (usage, cpu) => withCpus(usage, cpu['online_cpus']),
        samples: [
          [{ total_usage: 7 }, { total_usage: 7, percpu_usage: [4, 3] }, { with: { online_cpus: 2 } }],
          [{ percpu_usage: [9] }, { percpu_usage: [9] }, { with: { online_cpus: 2 } }],
        ],
      }),
    ],
  },
  '1.27/stats-extra': {
    from: '1.25', // the members came with engine 1.13
    summary: 'Stats have the time of the previous reading, and members that only Windows fills.',
    see: 'docs/api/version-history.md v1.27; api/types/stats.go @v1.13.0',
    ops: [
      added(StatsRecord, 'preread', { sample: ZERO_TIME, up: lastRead, upSamples: [[{ read: 't' }, ZERO_TIME]] }),
      ...addedAll(StatsRecord, ['name', 'id'], { sample: 'x' }),
      added(StatsRecord, 'num_procs', { sample: 1, up: 0 }),
      added(StatsRecord, 'storage_stats', { sample: { a: 1 }, up: {} }),
      ...addedAll(MemoryStats, ['commitbytes', 'commitpeakbytes', 'privateworkingset'], { sample: 1 }),
      // The same engine began to omit counters of zero: in the previous reading of the first record, for a stopped
      // container, and failcnt nearly always.
      ...['usage', 'max_usage', 'failcnt', 'limit'].map((counter) => omittedWhenEmpty(MemoryStats, counter, 0)),
      omittedWhenEmpty(MemoryStats, 'stats', null),
      omittedWhenEmpty(CpuStats, 'system_cpu_usage', 0),
      filled(below(CpuStats, 'cpu_usage'), 'percpu_usage', null),
    ],
  },
} satisfies Changes
