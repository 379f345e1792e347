import { ProgressRecord } from '../../src/api/shapes/shapes.ts'
import { type Change, removed } from '../../src/translate/ops.ts'
import { progressText } from '../by-hand/progress-records.ts'

const COUNTED = { status: 'Downloading', progressDetail: { current: 1500000, total: 6000000 }, id: 'a' }
const progress = '[============>                                      ]    1.5MB/6MB'

export const progressTextGone = {
  summary: 'Records of build, pull and push no longer have `progress`, the text beside progressDetail.',
  see: 'docs/api/version-history.md v1.48 (deprecated); moby 5a144c40e2, in 29.0; pkg/streamformatter @v28.5.2',
  // Clients that read `progress` show nothing without it.
  ops: removed(ProgressRecord, 'progress', {
    down: ({ progressDetail: detail }) => progressText(detail) || undefined,
    sample: 'half',
  }),
  examples: {
    'ImageCreate responseDown body': [
      [COUNTED, { ...COUNTED, progress }],
      ...(
        [
          [{ current: 999950 }, '  1000kB'],
          [{ current: 3, total: 2, units: 'layers' }, `[${'='.repeat(50)}>] 3 layers`],
          [{ current: 1, total: 2, hidecounts: true }, `[${'='.repeat(25)}>${' '.repeat(25)}] `],
          // Engines write negative numbers unchanged; a bar of negative length would throw.
          [{ current: -1, total: 2 }, `[>${' '.repeat(50)}]      -1B/2B`],
        ] as const
      ).map(
        ([progressDetail, text]) =>
          [{ progressDetail }, { progressDetail: { ...progressDetail }, progress: text }] as const,
      ),
      [{ status: 'Waiting', progressDetail: {} }],
    ],
  },
} satisfies Change
