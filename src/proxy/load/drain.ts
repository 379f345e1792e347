import type { Server as HttpServer } from 'node:http'
import type { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../config/log.ts'
import type { Listener } from '../../http/listener.ts'

/** How often the end of open calls is looked for, in milliseconds. */
const POLL_MS = 25
/** How often its progress is logged. */
const TELL_MS = 2_000
/** How long what was cut may take to come to its end: its audit record is made then. */
const END_MS = 2_000

/** What is under way. */
interface Open {
  readonly open: number
  readonly tunnels: number
}

/** Stops listening, and cuts the connections that are not taken over. */
export function closed(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (server.listening) server.close(() => resolve())
  else resolve()
  if ('closeAllConnections' in server) (server as HttpServer).closeAllConnections()
  return promise
}

/** Whether answers of calls that are over still wait for their clients to take them. */
const unwritten = (listeners: readonly Listener[]): boolean =>
  listeners.some(({ sockets }) => [...sockets].some(({ writableLength }) => writableLength > 0))

/** Waits until no call is open, at most `graceMs`; then cuts what is left, tunnels included, and waits for the ends of that. */
export async function drain(
  listeners: readonly Listener[],
  metrics: Open,
  graceMs: number,
  log: Pick<Log, 'info' | 'warn'>,
): Promise<void> {
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
  for (const { sockets } of listeners) for (const socket of sockets) socket.destroy()
  const cut = performance.now()
  while (metrics.open > 0 && performance.now() < cut + END_MS) await sleep(POLL_MS)
  if (metrics.open > 0) log.warn({}, `${left()}, though they were cut ${END_MS / 1000} s ago`)
}
