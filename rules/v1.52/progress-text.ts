import { isObject } from '../../src/api/json/json.ts'
import type { Change } from '../../src/translate/change.ts'
import { byHand } from '../../src/translate/ops.ts'
import { fillProgress, PROGRESS } from '../by-hand/progress-records.ts'

const COUNTED = { status: 'Downloading', progressDetail: { current: 1500000, total: 6000000 }, id: 'a' }
const progress = '[============>                                      ]    1.5MB/6MB'

export const progressTextGone = {
  id: '1.52/progress-text',
  gate: 'release',
  summary: 'Records of build, pull and push have no progress, the text beside progressDetail.',
  see: 'docs/api/version-history.md v1.48 (deprecated); moby 5a144c40e2, in 29.0; pkg/streamformatter @v28.5.2',
  ops: [
    byHand(PROGRESS, 'progress is the text of progressDetail', {
      elementwise: true,
      responseDown: fillProgress,
      responseUp: ({ body }) => {
        if (isObject(body)) delete body['progress']
      },
    }),
  ],
  examples: {
    'ImageCreate responseDown': [
      [{ body: COUNTED }, { body: { ...COUNTED, progress } }],
      [{ body: { ...COUNTED, progress: 'half' } }, { body: { ...COUNTED, progress: 'half' } }],
      [
        { body: { progressDetail: { current: 999950 } } },
        { body: { progressDetail: { current: 999950 }, progress: '  1000kB' } },
      ],
      [
        { body: { progressDetail: { current: 3, total: 2, units: 'layers' } } },
        {
          body: {
            progressDetail: { current: 3, total: 2, units: 'layers' },
            progress: `[${'='.repeat(50)}>] 3 layers`,
          },
        },
      ],
      [
        { body: { progressDetail: { current: 1, total: 2, hidecounts: true } } },
        {
          body: {
            progressDetail: { current: 1, total: 2, hidecounts: true },
            progress: `[${'='.repeat(25)}>${' '.repeat(25)}] `,
          },
        },
      ],
      [{ body: { status: 'Waiting', progressDetail: {} } }, { body: { status: 'Waiting', progressDetail: {} } }],
      // Engines write it as it comes; the bar of a negative length threw.
      [
        { body: { progressDetail: { current: -1, total: 2 } } },
        { body: { progressDetail: { current: -1, total: 2 }, progress: `[>${' '.repeat(50)}]      -1B/2B` } },
      ],
    ],
    'ImagePush responseUp': [[{ body: { ...COUNTED, progress } }, { body: COUNTED }]],
  },
} satisfies Change
