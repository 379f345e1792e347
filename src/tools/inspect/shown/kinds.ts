import { type OperationName, operationNamed } from '../../../api/operations.ts'

/** A stream's content: JSON records, program output, or bytes that are not shown. */
export type StreamKind = 'records' | 'output' | 'bytes'
/** `message`: a body that is read when it is whole. */
export type BodyKind = StreamKind | 'message'

/** Container output; all other streams of the table are archives. */
const LOGS: ReadonlySet<OperationName> = new Set(['ContainerLogs', 'ServiceLogs', 'TaskLogs'])
/** h2c frames, which contain registry tokens and build secrets. */
const SEALED: ReadonlySet<OperationName> = new Set(['Session', 'Grpc'])

/** Unknown endpoints may carry anything. */
export const requestKind = (operation: OperationName | undefined): BodyKind =>
  operation !== undefined && operationNamed(operation).request === 'json' ? 'message' : 'bytes'

export function responseKind(operation: OperationName | undefined, status: number): BodyKind {
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
