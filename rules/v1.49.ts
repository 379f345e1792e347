import { response, shape } from '../src/api/shapes/shape.ts'
import { Info, RegistryConfig } from '../src/api/shapes/shapes.ts'
import { added, type Changes, errorTexts, gated, queryAdded, removed, sameAs } from '../src/translate/ops.ts'
import { isEnginesOwnPlatform } from './by-hand/platform.ts'
import { UNDISTRIBUTABLE } from './v1.30.ts'

const COMMITS = ['ContainerdCommit', 'RuncCommit', 'InitCommit'].map((path) => response('SystemInfo', path))
const Commit = shape('Commit', 'ID', COMMITS)

const SEE = 'docs/api/version-history.md v1.49; api/server/router/system/system_routes.go:getInfo'

export default {
  '1.49/image-inspect-platform': {
    gate: 'prefix',
    summary: 'Image inspect takes a platform.',
    ops: queryAdded('ImageInspect', 'platform', {
      sample: '{"os":"linux","architecture":"s390x"}',
      onLoss: 'refuse',
      neutral: isEnginesOwnPlatform,
    }),
  },
  '1.49/info-firewall': {
    gate: 'prefix',
    summary: 'Info names the firewall backend.',
    ops: added(Info, 'FirewallBackend', { sample: { Driver: 'iptables' } }),
  },
  '1.49/expected-commits': {
    gate: 'prefix',
    summary: 'Info no longer has expected commits.',
    see: SEE,
    // Engine 28.5 fills it below 1.49 unless the commit is unknown; for a pinned target it omits it itself.
    ops: gated(
      { gate: 'release', legs: ['responseDown'] },
      removed(Commit, 'Expected', { down: sameAs('ID', ''), sample: 'c' }),
    ),
  },
  '1.49/undistributable-artifacts': {
    gate: 'prefix',
    summary: 'Info no longer has lists of nondistributable artifacts.',
    see: SEE,
    ops: gated(
      { gate: 'release', legs: ['responseDown'] },
      ...UNDISTRIBUTABLE.map((list) => removed(RegistryConfig, list, { down: null, sample: [] })),
    ),
  },
  '1.49/error-words': {
    summary: 'The error of a start has a prefix about the network setup.',
    see: 'daemon/container_operations.go:errSetupNetworking @v28.1.0, not @v28.0.0; seen on 28.5 with a port in use',
    ops: errorTexts(`
      ContainerStart
        500 failed to set up container networking: driver failed programming external connectivity on endpoint {rest}
          500 driver failed programming external connectivity on endpoint {rest}
        404 failed to set up container networking: network {network} not found
          404 network {network} not found
        500 failed to set up container networking: {rest}
          down 500 {rest}
      ContainerRestart
        500 Cannot restart container {word}: failed to set up container networking: {rest}
          down 500 Cannot restart container {word}: {rest}
    `),
  },
} satisfies Changes
