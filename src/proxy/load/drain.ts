import type { Server as HttpServer } from 'node:http'
import type { Server } from 'node:net'
import { setImmediate as afterReads, setTimeout as sleep } from 'node:timers/promises'
import type { Metrics } from '../../audit/metrics/metrics.ts'
import type { Log } from '../../config/log.ts'
import type { Listener } from '../../http/listener.ts'

/** Interval for checking whether open calls have ended. */
const POLL_MS = 25
/** Interval for logging the progress. */
const TELL_MS = 2_000
/** Time for aborted calls to finish, so that their audit records are written. */
const END_MS = 2_000

/** Stops listening and closes all connections except tunnels. */
export function closed(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (server.listening) server.close(() => resolve())
  else resolve()
  if ('closeAllConnections' in server) (server as HttpServer).closeAllConnections()
  return promise
}

/** Responses of finished calls are still waiting to be read by their clients. */
const unwritten = (listeners: readonly Listener[]): boolean =>
  listeners.some(({ sockets }) => [...sockets].some(({ writableLength }) => writableLength > 0))

/**
 * Waits until no call is open, `graceMs` at most; then closes the remaining connections, tunnels included, and waits
 * for their calls to end. `cutting` is called before it closes them.
 */
export async function drain(
  listeners: readonly Listener[],
  metrics: Pick<Metrics, 'open' | 'tunnels'>,
  graceMs: number,
  log: Pick<Log, 'info' | 'warn'>,
  cutting: () => void,
): Promise<void> {
  for (const { server } of listeners) if (server.listening) server.close()
  // Time to read calls that have arrived, which get a 503. Closing now would reset their connections.
  await sleep(Math.min(POLL_MS, graceMs))
  await afterReads() // on a busy event loop the timer is due before sockets have been read
  for (const listener of listeners) listener.drain()
  const start = performance.now()
  const left = (): string => `${metrics.open} calls are open, ${metrics.tunnels} of them tunnels`
  let told = start
  if (metrics.open > 0) log.info({}, `draining: ${left()}`)
  while ((metrics.open > 0 || unwritten(listeners)) && performance.now() < start + graceMs) {
    await sleep(POLL_MS)
    if (performance.now() < told + TELL_MS) continue
    told = performance.now()
    log.info({}, `draining for ${Math.round((told - start) / 1000)} s: ${left()}`)
  }
  if (metrics.open > 0) log.warn({}, `after the grace period ${left()}; they are cut`)
  else log.info({}, 'drained: no call is open')
  cutting()
  for (const { sockets } of listeners) for (const socket of sockets) socket.destroy()
  const cut = performance.now()
  while (metrics.open > 0 && performance.now() < cut + END_MS) await sleep(POLL_MS)
  if (metrics.open > 0) log.warn({}, `${left()}, although they were cut ${END_MS / 1000} s ago`)
}
