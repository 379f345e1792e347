import { type OperationName, operationNamed, type ResponseKind } from '../../../api/operations.ts'

/** A stream's content: JSON records, program output, or bytes that are not shown. */
export type StreamKind = 'records' | 'output' | 'bytes'
/** `message`: a body that is read when it is whole. */
export type BodyKind = StreamKind | 'message'

/** Container output; all other streams of the table are archives. */
const LOGS: ReadonlySet<OperationName> = new Set(['ContainerLogs', 'ServiceLogs', 'TaskLogs'])
/** h2c frames, which contain registry tokens and build secrets. */
const SEALED: ReadonlySet<OperationName> = new Set(['Session', 'Grpc'])

const RESPONSES: Readonly<Record<Exclude<ResponseKind, 'hijack'>, BodyKind>> = {
  ...{ json: 'message', text: 'message', none: 'message' },
  ...{ records: 'records', progress: 'records', stream: 'bytes' },
}

/** Unknown endpoints may carry anything. */
export const requestKind = (operation: OperationName | undefined): BodyKind =>
  operation !== undefined && operationNamed(operation).request === 'json' ? 'message' : 'bytes'

export function responseKind(operation: OperationName | undefined, status: number): BodyKind {
  if (status >= 400) return 'message'
  if (operation === undefined) return 'bytes'
  const { response } = operationNamed(operation)
  return response === 'hijack' || LOGS.has(operation) ? tunnelKind(operation) : RESPONSES[response]
}

export const tunnelKind = (operation: OperationName | undefined): StreamKind =>
  operation === undefined || SEALED.has(operation) ? 'bytes' : 'output'
