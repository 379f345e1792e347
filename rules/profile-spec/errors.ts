import type { Deviations } from '../../src/translate/deviation.ts'
import { errorForm, statusChanged } from '../../src/translate/ops.ts'

const ARCHIVES = ['ContainerArchive', 'ContainerArchiveInfo', 'PutContainerArchive'] as const

export default {
  'spec/archive-errors': {
    clients: ['1.18', '1.22'],
    summary: 'A bad request to archive gets 400 with details in JSON; a read-only destination gets 403.',
    see: 'specification, 7, GET and PUT archive; engines from 1.8 to 20.10 answer 500, in text',
    // The errors for which engines answer 500 are recorded on 1.8.3 … 20.10.24.
    ops: [
      statusChanged(ARCHIVES, {
        before: 403,
        after: 500,
        when: /is marked read-only/i,
        sample: 'container rootfs is marked read-only',
      }),
      statusChanged(ARCHIVES, {
        before: 400,
        after: 500,
        when: /not a directory|cannot overwrite (non-)?directory|cannot be empty/i,
        sample: 'lstat /data/etc/passwd/: not a directory',
      }),
      errorForm(ARCHIVES, { before: 'json', status: 400 }),
    ],
  },
} satisfies Deviations
