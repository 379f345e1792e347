import { WaitResponse } from '../src/api/shapes/shapes.ts'
import { added, type Changes, gated, omittedWhenEmpty } from '../src/translate/ops.ts'

export default {
  '1.34/wait-error': {
    summary: 'The answer of wait has an Error; without one it is null, and omitted by engines from 23.0 on.',
    see: 'docs/api/version-history.md v1.34; recordings 20.10 (Error null) and 28.5 (none), wait',
    ops: [
      added(WaitResponse, 'Error', { sample: { Message: 'm' }, up: null }),
      ...gated({ from: '1.42' }, omittedWhenEmpty(WaitResponse, 'Error', null, { bothWays: true })),
    ],
    examples: {
      'ContainerWait responseDown body': [
        [{ StatusCode: 137 }, { StatusCode: 137 }, { client: '1.24', engine: '1.51' }],
        [{ StatusCode: 137 }, { StatusCode: 137, Error: null }, { client: '1.41', engine: '1.51' }],
      ],
    },
  },
} satisfies Changes
