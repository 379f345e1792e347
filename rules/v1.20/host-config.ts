import type { JsonValue } from '../../src/api/json/json.ts'
import { onSide } from '../../src/api/shapes/shape.ts'
import { HostConfig } from '../../src/api/shapes/shapes.ts'
import { added, byClient, type Changes, gated, retyped } from '../../src/translate/ops.ts'

const inAnswers = onSide(HostConfig, 'response')

const asList = (value: JsonValue): JsonValue | undefined => (typeof value === 'string' ? [value] : undefined)

export default {
  '1.20/group-add': {
    summary: 'The process of a container can have additional groups.',
    see: 'docs/api/v1.20.md, Create a container; runconfig/hostconfig.go @v1.8.3',
    ops: added(HostConfig, 'GroupAdd', { sample: ['audio'], up: null, onLoss: 'refuse' }),
  },
  '1.20/memory-swappiness': {
    summary: 'The swappiness of a container’s memory can be set.',
    see: 'docs/api/v1.20.md, Create a container; daemon/daemon_unix.go @v1.8.3; recordings 1.8.3, 1.9.1, 1.10.3, 1.12.6, 20.10, inspect-min',
    ops: [
      added(HostConfig, 'MemorySwappiness', {
        sample: 60,
        up: byClient({ '1.20': -1, '1.25': null }),
        neutral: [-1],
        onLoss: 'warn',
      }),
      // The CLIs of 1.8 and 1.9 always sent -1 (runconfig/parse.go @v1.8.3) and their engines kept it; 1.10 to 1.12 show it
      // for unset values too. Engines from 18.x on show null for both. Those between are not recorded, and the documents name
      // no version: clients up to 1.24 get -1.
      ...gated(
        { from: '1.22' },
        retyped(inAnswers, 'MemorySwappiness', { toNewer: byClient({ '1.22': [[null, -1]], '1.25': [] }) }),
      ),
      ...gated(
        { from: '1.25' },
        retyped(HostConfig, 'MemorySwappiness', { toNewer: [[-1, null]] }),
        retyped(inAnswers, 'MemorySwappiness', { toOlder: byClient({ '1.20': [[null, -1]] }) }),
      ),
    ],
  },
  '1.20/console-size': {
    summary: 'The initial size of the terminal can be set; up to 1.42 only Windows uses it.',
    see: 'runconfig/hostconfig.go @v1.8.3; recordings of 1.7.1 and 1.8.3, inspect-min',
    ops: added(HostConfig, 'ConsoleSize', { sample: [24, 80], up: [0, 0], onLoss: 'ignore' }),
  },
  '1.20/capadd-string': {
    summary: 'A single capability can be a string.',
    see: 'runconfig/hostconfig.go:CapList @v1.8.3; recordings of 1.6.2 and 1.7.1, create-cap-string',
    ops: ['CapAdd', 'CapDrop'].map((member) =>
      retyped(HostConfig, member, {
        samples: { toNewer: [['NET_ADMIN', ['NET_ADMIN']]], toOlder: [['ALL', ['ALL']]] },
        sides: 'request',
        toNewer: asList,
        toOlder: asList,
      }),
    ),
  },
} satisfies Changes
