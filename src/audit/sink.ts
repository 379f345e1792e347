import { pino } from 'pino'
import type { AuditSink } from './audit.ts'

export interface FlushingSink extends AuditSink {
  flush(): Promise<void>
}

/** `-` is standard output, `off` nowhere, anything else a file that is appended to. Throws when it cannot be opened. */
export function auditSink(target: string): FlushingSink {
  if (target === 'off') return { write: () => undefined, flush: async () => undefined }
  const destination = pino.destination(
    target === '-' ? { dest: 1, sync: false } : { dest: target, append: true, mkdir: true, sync: false },
  )
  const log = pino(
    {
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
    },
    destination,
  )
  return {
    write: (record) => void log.info(record, 'call'),
    flush: () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      destination.flush((error) => (error ? reject(error) : resolve()))
      return promise
    },
  }
}
