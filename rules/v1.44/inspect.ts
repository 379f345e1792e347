import { HostConfig, Info, InfoRuntime, ListedHostConfig, RestartPolicy } from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import { added, type Changes, retyped } from '../../src/translate/ops.ts'

/** API version of engine 1.8. */
const DEFAULT_FROM = apiVersion(20)

export default {
  '1.44/info-runtimes-status': {
    summary: 'Info has the status of each runtime and the directories of device specifications.',
    see: 'docs/api/version-history.md v1.44; recordings 28.5 at 1.41 (no status, CDISpecDirs) and 28.5-min1.44, info',
    ops: [added(InfoRuntime, 'status', { sample: {} }), added(Info, 'CDISpecDirs', { sample: ['/etc/cdi'], up: [] })],
  },
  '1.44/network-mode-default-name': {
    from: '1.45', // engine 26.0
    summary: 'A container with the default network shows bridge; before, default.',
    see: 'container_routes.go:postContainersCreate @v25.0.0, @v26.1.5; recordings 20.10 and 28.5, inspect-nohc',
    // An explicit bridge looks like the default. The client sees what CLIs of its version send: bridge up to 1.7, default from
    // 1.8 on (runconfig/parse.go:flNetMode).
    ops: [HostConfig, ListedHostConfig].map((shape) =>
      retyped(shape, 'NetworkMode', {
        sides: 'response',
        toOlder: (value, _object, { client }) => (value === 'bridge' && client >= DEFAULT_FROM ? 'default' : undefined),
        samples: [['default', 'bridge']],
        toNewer: (value, _object, { engine }) =>
          engine.os !== 'windows' && (value === 'default' || value === '') ? 'bridge' : undefined,
        words: `${shape.name}.NetworkMode: the default network has another name`,
      }),
    ),
    examples: {
      'ContainerInspect responseDown body.HostConfig.NetworkMode': [['bridge', 'bridge', { client: '1.19' }]],
    },
  },
  '1.44/restart-policy-name': {
    summary: 'A container without a restart policy shows no; before, the requested value: no or an empty name.',
    // The value that an older client sent is lost; CLIs of all versions send no.
    see: 'daemon/create.go @v25.0.0; recordings 1.6.2 … 20.10 (""), 28.5 ("no"), inspect',
    ops: retyped(RestartPolicy, 'Name', {
      sides: 'response',
      toNewer: [['', 'no']],
      words: 'HostConfig.RestartPolicy.Name: an empty name is shown as no',
    }),
  },
} satisfies Changes
