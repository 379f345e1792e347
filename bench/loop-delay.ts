import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * Loaded into a Node program under measurement (`--import`): on SIGUSR2 writes how late its event loop was since the last
 * time, in milliseconds, to the file that BENCH_LOOP_DELAY names.
 */
const INTERVAL_MS = 1
const delay = monitorEventLoopDelay({ resolution: INTERVAL_MS })
delay.enable()

// The histogram holds how long it was from one timer to the next: the time that was asked for is none of the delay.
const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - INTERVAL_MS)

process.on('SIGUSR2', () => {
  const { BENCH_LOOP_DELAY: file } = process.env
  if (file === undefined) throw new Error('BENCH_LOOP_DELAY names no file')
  writeFileSync(
    file,
    JSON.stringify({ p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), most: late(delay.max) }),
  )
  delay.reset()
})
