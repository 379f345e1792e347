import type { Deviations } from '../../src/translate/deviation.ts'
import type { ResponseMessage } from '../../src/translate/message.ts'
import { byHand } from '../../src/translate/ops.ts'

/** Errors for which engines answer 500 and the specification 400 (recorded on 1.8.3 … 20.10.24). */
const CLIENTS_MISTAKE = /not a directory|cannot overwrite (non-)?directory|cannot be empty/i
const READ_ONLY = /is marked read-only/i

function asSpecified(message: ResponseMessage): void {
  const text = message.text ?? ''
  if (message.status === 500 && READ_ONLY.test(text)) message.status = 403
  else if (message.status === 500 && CLIENTS_MISTAKE.test(text)) message.status = 400
  if (message.status === 400) message.form = 'json'
}

const typed = (type: string | null) => ({ headers: { 'Content-Type': type } })

export default {
  'spec/archive-errors': {
    clients: ['1.18', '1.22'],
    summary: 'A bad request to archive gets 400 with details in JSON; a read-only destination gets 403.',
    see: 'specification, 7, GET and PUT archive; engines from 1.8 to 20.10 answer 500, in text',
    ops: byHand(['ContainerArchive', 'ContainerArchiveInfo', 'PutContainerArchive'], 'statuses and form of errors', {
      part: 'error',
      responseDown: asSpecified,
    }),
    examples: {
      'PutContainerArchive responseDown': [
        [
          { status: 500, text: 'lstat /data/etc/passwd/: not a directory' },
          { status: 400, ...typed('application/json') },
        ],
        [
          { status: 400, text: "bad parameter: 'path' cannot be empty" },
          { status: 400, ...typed('application/json') },
        ],
        [
          { status: 500, text: 'container rootfs is marked read-only' },
          { status: 403, ...typed(null) },
        ],
      ],
    },
  },
} satisfies Deviations
