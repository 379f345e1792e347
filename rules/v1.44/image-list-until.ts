import { ProxyError } from '../../src/api/errors.ts'
import type { Change } from '../../src/translate/change.ts'
import { filterApplied } from '../../src/translate/ops.ts'
import { moment } from '../by-hand/go-timestamp.ts'

export default {
  id: '1.44/image-list-until',
  gate: 'release',
  summary: 'Images can be listed by age.',
  see: 'docs/api/version-history.md v1.44; daemon/images/image_list.go @v25.0.6; moby integration/image/list_test.go @v28.5.2',
  ops: [
    filterApplied('ImageList', ['until'], {
      keeps: (filters) => {
        const now = Date.now()
        const before = Math.min(...(filters.get('until') ?? []).map((value) => moment(value, now) ?? 0))
        // A list has whole seconds: images of the very second are kept.
        return ({ Created: created }) => Number(created) * 1000 < before
      },
      checks: (filters) => {
        const unclear = filters.get('until')?.find((value) => moment(value, 0) === undefined)
        if (unclear !== undefined)
          throw new ProxyError('bad-request', `failed to parse value as time or duration: ${JSON.stringify(unclear)}`)
      },
      samples: [
        { asks: '{"until":["1700000000"]}', keeps: { Created: 1_699_999_999 }, drops: { Created: 1_700_000_000 } },
        {
          asks: '{"until":["2023-11-14T22:13:20Z","2024-01-01"]}',
          keeps: { Created: 1_699_999_999 },
          drops: { Created: 1_700_000_000 },
        },
        { asks: '{"until":["1h30m"]}', keeps: { Created: 1_700_000_000 }, drops: { Created: 9_999_999_999 } },
      ],
    }),
  ],
  examples: {
    'ImageList requestDown': [['filters={"until":["zz"]}', /failed to parse value as time or duration: "zz"/]],
  },
} satisfies Change
