import { ProxyError } from '../../src/api/errors.ts'
import type { RequestMessage } from '../../src/translate/message.ts'
import { byHand } from '../../src/translate/ops.ts'

/** Types in Accept that request records; wildcards do not (container_routes.go:getContainersLogs, jsonTypes). */
const TYPES: ReadonlySet<string> = new Set(['application/jsonl', 'application/x-ndjson', 'application/json-seq'])

const accepted = ({ headers }: RequestMessage): string[] =>
  headers
    .list('Accept')
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '')
const mediaType = (accept: string): string => (accept.split(';')[0] ?? '').trim().toLowerCase()
const isRecords = (accept: string): boolean => TYPES.has(mediaType(accept))
const asked = (message: RequestMessage): boolean => accepted(message).some(isRecords)

function leaveTypesOut(message: RequestMessage): void {
  const others = accepted(message).filter((type) => !isRecords(type))
  if (others.length === 0) message.headers.delete('Accept')
  else message.headers.set('Accept', others.join(', '))
}

export const logsAsJson = [
  byHand('ContainerLogs', 'requests for records by `format` or Accept are removed, or refused', {
    part: 'head',
    onLoss: 'refuse',
    loses: 'logs as JSON',
    losesOn: 'requestDown',
    requestUp: (message) => {
      message.query.delete('format')
      if (asked(message)) leaveTypesOut(message)
    },
    requestDown: (message, context, change) => {
      const format = message.query.get('format') ?? ''
      message.query.delete('format')
      if (format !== '' && format !== 'json') throw new ProxyError('bad-request', 'unsupported log format')
      if (format === 'json' || asked(message))
        context.lose({ what: 'logs as JSON', needs: change.version, change: change.id, onLoss: 'refuse' })
    },
  }),
] as const
