import type { Shape } from '../src/api/shapes/shape.ts'
import { Info } from '../src/api/shapes/shapes.ts'
import type { Change } from '../src/translate/change.ts'
import { added, gated, queryAdded, removed } from '../src/translate/ops.ts'
import { isEnginesOwnPlatform } from './by-hand/platform.ts'
import { RegistryConfig, UNDISTRIBUTABLE } from './v1.30.ts'
import { errorWords } from './v1.49/error-words.ts'

const Commit: Shape = {
  name: 'Commit',
  members: ['ID'],
  places: ['ContainerdCommit', 'RuncCommit', 'InitCommit'].map((path) => ({
    operation: 'SystemInfo',
    side: 'response',
    path,
  })),
}

const SEE = 'docs/api/version-history.md v1.49; api/server/router/system/system_routes.go:getInfo'

export default [
  {
    id: '1.49/image-inspect-platform',
    gate: 'prefix',
    summary: 'Image inspect takes a platform.',
    see: 'docs/api/version-history.md v1.49',
    ops: [
      queryAdded('ImageInspect', 'platform', {
        sample: '{"os":"linux","architecture":"s390x"}',
        onLoss: 'refuse',
        neutral: isEnginesOwnPlatform,
      }),
    ],
  },
  {
    id: '1.49/info-firewall',
    gate: 'prefix',
    summary: 'Info names the firewall backend.',
    see: 'docs/api/version-history.md v1.49',
    ops: [added(Info, 'FirewallBackend', { sample: { Driver: 'iptables' }, onLoss: 'ignore' })],
  },
  {
    id: '1.49/expected-commits',
    gate: 'prefix',
    summary: 'Info no longer has expected commits.',
    see: SEE,
    // Engine 28.5 fills it below 1.49 unless the commit is unknown; for a pinned target it omits it itself.
    ops: [
      ...gated(
        { gate: 'release', legs: ['responseDown'] },
        removed(Commit, 'Expected', { down: ({ ID: id }) => id ?? '', sample: 'c' }),
      ),
    ],
    examples: {
      'SystemInfo responseDown body.RuncCommit': [[{ ID: 'r' }, { ID: 'r', Expected: 'r' }]],
    },
  },
  {
    id: '1.49/undistributable-artifacts',
    gate: 'prefix',
    summary: 'Info no longer has lists of nondistributable artifacts.',
    see: SEE,
    ops: [
      ...gated(
        { gate: 'release', legs: ['responseDown'] },
        ...UNDISTRIBUTABLE.map((list) => removed(RegistryConfig, list, { down: null, sample: [] })),
      ),
    ],
  },
  errorWords,
] satisfies Change[]
