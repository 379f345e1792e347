import type { Registry } from 'prom-client'
import type { QueueStatus } from '../log/queue.ts'
import { collected } from './collected.ts'

type Row = readonly [
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  of: (status: QueueStatus) => number | undefined,
]

const ROWS: readonly Row[] = [
  ['counter', 'dropped_total', 'Audit records for which there was no room', ({ dropped }) => dropped],
  ['counter', 'refused_total', 'Calls refused because their record could not be stored', ({ refused }) => refused],
  ['gauge', 'waiting', 'Audit records that are not written yet', ({ waiting }) => waiting],
  ['gauge', 'failing', '1 while the audit log cannot be written', ({ failing }) => Number(failing)],
  ['gauge', 'chain_seq', 'Number of the last record of the chain', ({ chained }) => chained],
]

/** Metrics of the audit logs, computed on collection. The label is the log's name in the settings. */
export function auditMetrics(registry: Registry, status: () => readonly QueueStatus[]): void {
  for (const [type, name, help, of] of ROWS) {
    const values = (): [number, { log: string }][] =>
      status().flatMap((one) => {
        const value = of(one)
        return value === undefined ? [] : [[value, { log: one.name }]]
      })
    collected(type, registry, { name: `enginebridge_audit_${name}`, help, labelNames: ['log'], values })
  }
}
