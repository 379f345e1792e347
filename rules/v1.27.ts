import { fromInteger, integer, isObject, type JsonObject, type JsonValue } from '../src/api/json/json.ts'
import { below } from '../src/api/shapes/shape.ts'
import { CpuStats, MemoryStats, StatsRecord } from '../src/api/shapes/shapes.ts'
import type { StepContext } from '../src/translate/message.ts'
import { added, addedAll, type Changes, filled, omittedWhenEmpty, onEach } from '../src/translate/ops.ts'
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
function listCpus(cpu: JsonObject): void {
  const count = integer(cpu['online_cpus'])
  const usage = cpu['cpu_usage']
  if (count === undefined || count <= 0n || !isObject(usage) || Array.isArray(usage['percpu_usage'])) return
  const total = integer(usage['total_usage']) ?? 0n
  const share = total / count
  usage['percpu_usage'] = Array.from({ length: Number(count) }, (_, i) =>
    fromInteger(i === 0 ? total - share * (count - 1n) : share),
  )
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
      added(CpuStats, 'online_cpus', { sample: 2, up: cpusListed }),
      // On responseDown the last op runs first, while online_cpus is still there.
      onEach(CpuStats, 'percpu_usage is made if the engine omits it', { responseDown: listCpus }),
    ],
    examples: {
      'ContainerStats responseDown body.cpu_stats': [
        [
          { cpu_usage: { total_usage: 7, percpu_usage: [3, 4] }, online_cpus: 2 },
          { cpu_usage: { total_usage: 7, percpu_usage: [3, 4] } },
        ],
        [{ cpu_usage: { total_usage: 7 }, online_cpus: 2 }, { cpu_usage: { total_usage: 7, percpu_usage: [4, 3] } }],
      ],
      'ContainerStats responseUp body': [
        [
          { cpu_stats: { cpu_usage: { percpu_usage: [3, 4] } }, precpu_stats: { cpu_usage: {} } },
          { cpu_stats: { cpu_usage: { percpu_usage: [3, 4] }, online_cpus: 2 }, precpu_stats: { cpu_usage: {} } },
        ],
      ],
    },
  },
  '1.27/stats-extra': {
    from: '1.25', // the members came with engine 1.13
    summary: 'Stats have the time of the previous reading, and members that only Windows fills.',
    see: 'docs/api/version-history.md v1.27; api/types/stats.go @v1.13.0',
    ops: [
      added(StatsRecord, 'preread', { sample: ZERO_TIME, up: lastRead }),
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
    examples: {
      'ContainerStats responseUp body': [
        [{ read: 't' }, { read: 't', preread: ZERO_TIME, num_procs: 0, storage_stats: {} }],
      ],
    },
  },
} satisfies Changes
