import type { Registry } from 'prom-client'
import type { QueueStatus } from '../log/queue/queue.ts'
import { counted, measured } from './collected.ts'

/** Metrics of the audit logs, computed on collection. The label is the log's name in the settings. */
export function auditMetrics(registry: Registry, status: () => readonly QueueStatus[]): void {
  const metric = (name: string, help: string, of: (one: QueueStatus) => number | undefined) => ({
    name,
    help,
    labelNames: ['log'],
    values: () =>
      status().flatMap((one): [number, { log: string }][] => {
        const value = of(one)
        return value === undefined ? [] : [[value, { log: one.name }]]
      }),
  })
  counted(
    registry,
    metric('enginebridge_audit_dropped_total', 'Audit records for which there was no room', ({ dropped }) => dropped),
  )
  counted(
    registry,
    metric(
      'enginebridge_audit_refused_total',
      'Calls refused because their record could not be stored',
      (s) => s.refused,
    ),
  )
  measured(
    registry,
    metric('enginebridge_audit_waiting', 'Audit records that are not written yet', ({ waiting }) => waiting),
  )
  measured(
    registry,
    metric('enginebridge_audit_failing', '1 while the audit log cannot be written', ({ failing }) => (failing ? 1 : 0)),
  )
  measured(
    registry,
    metric('enginebridge_audit_chain_seq', 'Number of the last record of the chain', ({ chained }) => chained),
  )
}
