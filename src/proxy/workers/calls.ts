import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { Container } from '../../engine/replaced/exclusive.ts'
import type { Handed } from '../core.ts'
import type { Config } from '../settings/settings.ts'

/** First argument of a worker in the single executable, where a worker has no file to run. */
export const WORKER_WORD = '--worker-process'

/** Functions of a worker, called by the primary (link.ts). */
export interface WorkerCalls {
  /** Resolves when the worker serves; rejects with its problems, a line each. */
  begin(worker: number, config: Config, handed: Handed): Promise<void>
  /** Takes the connection that is handed over with the call. */
  connection(listener: number, connection?: unknown): void
  metrics(): Promise<MetricObjectWithValues<MetricValue<string>>[]>
  /** Queries the engine. */
  ready(): Promise<{ readonly release: string }>
  /** Holds calls for a container that another worker replaces. Returns whether a client here watches it. */
  hold(token: number, container: Container): boolean
  free(token: number): void
  replaced(client: string, engine: string): void
  forgotten(engine: string): void
  reload(policy: Handed['policy']): Promise<void>
  stop(): Promise<void>
}

/** Functions of the primary, called by its workers. */
export interface PrimaryCalls {
  /** Writes audit records. Resolves when they are stored as far as calls wait for it, with the problem of each record. */
  records(lines: readonly RecordLine[]): Promise<readonly (string | undefined)[]>
  /** Resolves when no other worker works on the container and all of them hold calls for it. */
  claim(container: Container): Promise<{ readonly token: number; readonly watched: boolean }>
  release(token: number): void
  /** Told to all other workers. */
  replaced(client: string, engine: string): void
  forgotten(engine: string): void
}

export type RecordLine = readonly [stage: string, line: string]
