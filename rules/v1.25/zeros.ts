import { HostConfig, Info } from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { Changes } from '../../src/translate/change.ts'
import { removed, retyped } from '../../src/translate/ops.ts'

/** API version of engine 1.11. */
const QUOTA_FROM = apiVersion(23)

export default {
  '1.25/info-labels-empty': {
    summary: 'An engine without labels has an empty list; before, null.',
    see: 'daemon/info.go @v1.12.6; recordings 1.6.2 … 1.12.6 (null), 20.10 ([]), info. CLIs up to 1.12 print a line for a list',
    ops: retyped(Info, 'Labels', { sides: 'response', toOlder: [[[], null]], toNewer: [[null, []]] }),
  },
  '1.25/disk-quota': {
    summary: 'HostConfig no longer has DiskQuota, which 1.11 and 1.12 had for Windows.',
    see: 'engine-api types/container/host_config.go @v1.11.2, @v1.12.6',
    ops: removed(HostConfig, 'DiskQuota', {
      sample: 5,
      down: (_host, { client }) => (client >= QUOTA_FROM ? 0 : undefined),
    }),
    examples: {
      'ContainerInspect responseDown body.HostConfig': [
        [{}, { DiskQuota: 0 }, { client: '1.24' }],
        [{}, {}, { client: '1.22' }],
      ],
    },
  },
} satisfies Changes
