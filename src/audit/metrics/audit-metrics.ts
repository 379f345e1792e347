import type { Registry } from 'prom-client'
import type { QueueStatus } from '../log/queue/queue.ts'
import { counted, measured } from './collected.ts'

type Row = readonly [
  register: typeof counted,
  name: string,
  help: string,
  of: (status: QueueStatus) => number | undefined,
]

const ROWS: readonly Row[] = [
  [counted, 'dropped_total', 'Audit records for which there was no room', ({ dropped }) => dropped],
  [counted, 'refused_total', 'Calls refused because their record could not be stored', ({ refused }) => refused],
  [measured, 'waiting', 'Audit records that are not written yet', ({ waiting }) => waiting],
  [measured, 'failing', '1 while the audit log cannot be written', ({ failing }) => Number(failing)],
  [measured, 'chain_seq', 'Number of the last record of the chain', ({ chained }) => chained],
]

/** Metrics of the audit logs, computed on collection. The label is the log's name in the settings. */
export function auditMetrics(registry: Registry, status: () => readonly QueueStatus[]): void {
  for (const [register, name, help, of] of ROWS) {
    const values = (): [number, { log: string }][] =>
      status().flatMap((one) => {
        const value = of(one)
        return value === undefined ? [] : [[value, { log: one.name }]]
      })
    register(registry, { name: `enginebridge_audit_${name}`, help, labelNames: ['log'], values })
  }
}
