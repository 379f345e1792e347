import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Log } from '../../config/log.ts'
import type { Environment } from '../../config/process.ts'

/**
 * Reports the state of this service to systemd (sd_notify(3)); does nothing without systemd.
 * Node has no datagram sockets of the unix kind, which NOTIFY_SOCKET is: systemd's own `systemd-notify` sends the messages.
 * They come from a child, so the unit has `NotifyAccess=all`. The watchdog is fed from the event loop: a loop that stands
 * still stops feeding.
 */
export function notifier(env: Environment, log: Pick<Log, 'warn'>) {
  const tell = async (...messages: string[]): Promise<void> => {
    if ((env['NOTIFY_SOCKET'] ?? '') === '') return
    try {
      await promisify(execFile)('systemd-notify', [`--pid=${process.pid}`, ...messages], { env: { ...env } })
    } catch (err) {
      log.warn({ err }, 'cannot notify systemd (systemd-notify); Type=exec works without it')
    }
  }
  const every = Number(env['WATCHDOG_USEC'] ?? 0) / 1000 / 2
  const mine = env['WATCHDOG_PID'] === undefined || Number(env['WATCHDOG_PID']) === process.pid
  const timer = every > 0 && mine ? setInterval(() => void tell('WATCHDOG=1'), every) : undefined
  timer?.unref()
  return {
    ready: () => tell('READY=1'),
    stopping: () => tell('STOPPING=1'),
    close: () => clearInterval(timer),
  }
}
