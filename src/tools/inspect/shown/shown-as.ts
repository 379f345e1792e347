import { type OperationName, operationNamed } from '../../../api/operations.ts'
import type { RequestHead } from '../../../audit/observer.ts'
import { redactSearch } from '../../../audit/redact/query.ts'
import { scrub } from '../../../audit/redact/text.ts'
import type { StreamKind } from './growing-text.ts'

/** Container output; all other streams of the table are archives. */
const LOGS: ReadonlySet<OperationName> = new Set(['ContainerLogs', 'ServiceLogs', 'TaskLogs'])
/** h2c frames, which contain registry tokens and build secrets. */
const SEALED: ReadonlySet<OperationName> = new Set(['Session', 'Grpc'])

/** Unknown endpoints may carry anything. */
export const requestKind = (operation: OperationName | undefined): StreamKind | 'message' =>
  operation !== undefined && operationNamed(operation).request === 'json' ? 'message' : 'bytes'

export function responseKind(operation: OperationName | undefined, status: number): StreamKind | 'message' {
  if (status >= 400) return 'message'
  if (operation === undefined) return 'bytes'
  const kind = operationNamed(operation).response
  switch (kind) {
    case 'json':
    case 'text':
    case 'none':
      return 'message'
    case 'records':
    case 'progress':
      return 'records'
    case 'stream':
      return LOGS.has(operation) ? 'output' : 'bytes'
    case 'hijack':
      return tunnelKind(operation)
    default:
      return kind satisfies never
  }
}

export const tunnelKind = (operation: OperationName | undefined): StreamKind =>
  operation === undefined || SEALED.has(operation) ? 'bytes' : 'output'

/** The request line sent to the engine. */
export function headLine({ method, path }: RequestHead, operation: string | undefined, secrets: Set<string>): string {
  const at = path.indexOf('?')
  const [way, search] = at === -1 ? [path, ''] : [path.slice(0, at), path.slice(at)]
  return `${method} ${scrub(way, secrets)}${redactSearch(search, operation, new Set())}`
}
