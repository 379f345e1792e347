import { Counter, Gauge, type Registry } from 'prom-client'
import type { QueueStatus } from '../log/queue/queue.ts'

/** Metrics of the audit logs, computed on collection. The label is the log's name in the settings. */
export function auditMetrics(registry: Registry, status: () => readonly QueueStatus[]): void {
  const registers = [registry]
  const labelNames = ['log'] as const
  const total = (name: string, help: string, of: (one: QueueStatus) => number): Counter =>
    new Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset()
        for (const one of status()) this.inc({ log: one.name }, of(one))
      },
    })
  const level = (name: string, help: string, of: (one: QueueStatus) => number | undefined): Gauge =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        for (const one of status()) {
          const value = of(one)
          if (value !== undefined) this.set({ log: one.name }, value)
        }
      },
    })
  total('enginebridge_audit_dropped_total', 'Audit records for which there was no room', ({ dropped }) => dropped)
  total('enginebridge_audit_refused_total', 'Calls refused because their record could not be stored', (s) => s.refused)
  level('enginebridge_audit_waiting', 'Audit records that are not written yet', ({ waiting }) => waiting)
  level('enginebridge_audit_failing', '1 while the audit log cannot be written', ({ failing }) => (failing ? 1 : 0))
  level('enginebridge_audit_chain_seq', 'Number of the last record of the chain', ({ chained }) => chained)
}
