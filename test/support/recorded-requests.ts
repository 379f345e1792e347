import { readFileSync } from 'node:fs'
import type { OperationName } from '../../src/api/operations.ts'

/** A request that was sent to real engines of its version. */
export interface RecordedRequest {
  readonly name: string
  readonly operation: OperationName
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface AcceptedRequest extends RecordedRequest {
  /** `1.6.2 at 1.18`. */
  readonly engines: readonly string[]
}

export interface RefusedRequest extends RecordedRequest {
  readonly answers: readonly {
    readonly engine: string
    readonly status: number
    readonly text: string
    /** The status that engine 20.10.24 answered at the same version. */
    readonly beside: number | null
  }[]
}

function requestsOf(name: string): unknown[] {
  const file = new URL(`../golden/${name}-requests.json`, import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { requests: unknown[] }).requests
}

export const acceptedRequests = (): AcceptedRequest[] => requestsOf('accepted') as AcceptedRequest[]
export const refusedRequests = (): RefusedRequest[] => requestsOf('refused') as RefusedRequest[]
