import { type JsonObject, type JsonValue, memberAt, objectOf } from '../../src/api/json/json.ts'
import { words } from '../../src/config/text.ts'
import { Answer, type EmulationContext, type RequestMessage, type StepContext } from '../../src/translate/message.ts'
import { bodyOf } from '../../src/translate/ops/calls/looked-up.ts'
import { inspectPath, isTrue } from '../../src/translate/ops.ts'
import { ZERO_TIME } from '../by-hand/state-status.ts'

/** The container whose stats are read: inspected before, because records are translated without further calls. */
export const containerOf = (context: StepContext): JsonObject => objectOf(context.memory.get(inspectPath(context)))

export const NO_THROTTLING = { periods: 0, throttled_periods: 0, throttled_time: 0 }

/** A new object with each call, because the steps edit it. */
export const noCpu = (): JsonObject => ({
  cpu_usage: { total_usage: 0, percpu_usage: null, usage_in_kernelmode: 0, usage_in_usermode: 0 },
  system_cpu_usage: 0,
  throttling_data: { ...NO_THROTTLING },
})

const BLKIO = words(`
  io_service_bytes_recursive io_serviced_recursive io_queue_recursive io_service_time_recursive io_wait_time_recursive
  io_merged_recursive io_time_recursive sectors_recursive
`)

/** The record of engine 1.9 for a stopped container (recording 1.9.1 at 1.21, stats-exited). */
const zeros = (): JsonValue => ({
  read: ZERO_TIME,
  precpu_stats: noCpu(),
  cpu_stats: noCpu(),
  memory_stats: { usage: 0, max_usage: 0, stats: null, failcnt: 0, limit: 0 },
  blkio_stats: Object.fromEntries(BLKIO.map((name) => [name, null])),
})

/** Answers a single reading (`stream=0`) of a stopped container, for which the engine would wait until it starts. */
export async function answerForStopped(_message: RequestMessage, context: EmulationContext): Promise<void> {
  const stream = context.call.query.get('stream')
  if (stream === null || isTrue(stream)) return // absent means true
  await bodyOf(inspectPath(context), context)
  if (memberAt(containerOf(context), 'State', 'Running') !== false) return
  throw new Answer(200, context.translateResponse('ContainerStats', zeros()))
}
