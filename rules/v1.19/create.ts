import { ProxyError } from '../../src/api/errors.ts'
import { isObject, isUnset, memberAt } from '../../src/api/json/json.ts'
import { onlyIn } from '../../src/api/shapes/shape.ts'
import { ContainerConfig, LogConfig } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, byHand, refusedWhere } from '../../src/translate/ops.ts'
import { unknownBindMode } from '../by-hand/binds.ts'
import { BRINGS_HOST_CONFIG } from '../by-hand/host-config.ts'
import { gatherTopLevel } from '../by-hand/host-config-members.ts'
import { emptyForNonsense, typed } from './loose-types.ts'

const isRelative = (directory: unknown): directory is string =>
  typeof directory === 'string' && directory !== '' && !directory.startsWith('/')

export default [
  {
    id: '1.19/create-start-body-typing',
    gate: 'release',
    summary:
      'Bodies are strictly typed; before, "true", 1 and "yes" were booleans, and a scalar was accepted as a list.',
    see: 'engine/env.go, runconfig/config.go:ContainerConfigFromJob @v1.6.2; recordings of 1.6.2, created-type-*',
    ops: [
      byHand(
        ['ContainerCreate', 'ContainerStart', 'ContainerExec', 'ExecStart', 'ImageCommit'],
        'values get the types that 1.6 read',
        { requestUp: typed },
      ),
      byHand(['ImageCommit', 'SystemAuth'], 'a body that is not JSON counts as empty', { requestUp: emptyForNonsense }),
    ],
    examples: {
      'ContainerCreate requestUp body': [
        [
          {
            Tty: 'yes',
            OpenStdin: 0,
            Env: 'A=b',
            Cmd: 5,
            Memory: '4194304',
            Labels: ['a=b'],
            ExposedPorts: null,
            HostConfig: { Binds: '/a:/b', CapAdd: 'NET_ADMIN', CapDrop: 'ALL', Privileged: 'true', Memory: '1g' },
          },
          {
            Tty: true,
            OpenStdin: false,
            Env: ['A=b'],
            Cmd: ['5'],
            Memory: 4194304,
            Labels: null,
            ExposedPorts: null,
            HostConfig: { CapDrop: ['ALL'], Memory: '1g' },
          },
        ],
      ],
      'ContainerStart requestUp body': [
        [
          { Binds: '/a:/b', Privileged: 'true' },
          { Binds: ['/a:/b'], Privileged: true },
        ],
      ],
      'ExecStart requestUp body': [
        [
          { Detach: '0', Tty: 1 },
          { Detach: false, Tty: true },
        ],
      ],
      'SystemAuth requestUp': [[{}, { body: {} }]],
    },
  },
  {
    id: '1.19/create-legacy-top-level',
    gate: 'release',
    summary:
      'Limits are in HostConfig; before, Memory, MemorySwap, CpuShares and Cpuset were at the top level of create.',
    see: 'runconfig/config.go:ContainerHostConfigFromJob @v1.6.2; runconfig/config_unix.go:getHostConfig @v1.7.1 … v26.1.5',
    // The documents of 1.18 name this place; for later clients see rules/by-hand/host-config-members.ts.
    ops: [byHand('ContainerCreate', 'top-level members of HostConfig move into it', { requestUp: gatherTopLevel })],
    examples: {
      'ContainerCreate requestUp body': [
        [
          { Image: 'x', Memory: 67108864, CpuShares: 256, Cpuset: '0', HostConfig: { CpuShares: 512 } },
          { Image: 'x', HostConfig: { CpuShares: 512, Memory: 67108864, CpusetCpus: '0' } },
        ],
        [
          { Image: 'x', Memory: 67108864, VolumeDriver: 'local', CapDrop: ['ALL'] },
          { Image: 'x', VolumeDriver: 'local', HostConfig: { Memory: 67108864, CapDrop: ['ALL'] } },
        ],
      ],
    },
  },
  {
    id: '1.19/log-syslog-address',
    gate: 'release',
    summary: 'The syslog driver can send to an address.',
    see: 'docs/reference/logging @v1.7.1; daemon/logger/syslog/syslog.go @v1.6.2 (reads no option), @v1.7.1',
    ops: [
      // Without it the logs would go elsewhere.
      refusedWhere(LogConfig, 'an address for syslog', {
        finds: ({ Type: type, Config: options }) =>
          type === 'syslog' && isObject(options) && !isUnset(options['syslog-address'])
            ? 'HostConfig.LogConfig.Config.syslog-address'
            : undefined,
        samples: [
          [
            { Type: 'syslog', Config: { 'syslog-address': 'udp://192.0.2.1:514' } },
            'HostConfig.LogConfig.Config.syslog-address',
          ],
        ],
        stay: [{ Type: 'syslog', Config: {} }],
      }),
    ],
  },
  {
    id: '1.19/config-onbuild',
    gate: 'release',
    summary: 'OnBuild of a create body is kept and shown.',
    see: 'recordings of 1.6.2 and 1.7.1, inspect-big',
    // It has no effect on a container. Image inspect always had it.
    ops: [
      added(onlyIn(ContainerConfig, 'ContainerCreate', 'ContainerInspect'), 'OnBuild', {
        sample: ['RUN true'],
        up: null,
        down: 'keep',
        onLoss: 'ignore',
      }),
    ],
  },
  {
    id: '1.19/bind-mode-validated',
    gate: 'release',
    summary: 'An unknown mode of a bind is an error; before, any word was accepted.',
    see: 'recordings of 1.6.2 and 1.7.1, create-bind-bad',
    ops: [
      byHand(BRINGS_HOST_CONFIG, 'an unknown mode is refused', {
        requestDown: (message, context) => {
          const mode = unknownBindMode(message, context)
          if (mode !== undefined) throw new ProxyError('validation', `invalid mode: ${mode}`)
        },
      }),
    ],
    examples: {
      'ContainerCreate requestDown body.HostConfig.Binds': [[['/a:/b:ro', '/c:/d:zz'], /^invalid mode: zz$/]],
      'ContainerStart requestDown body.Binds': [[['/a:/b', '/a:/c:ro']]],
    },
  },
  {
    id: '1.19/workdir-validated',
    gate: 'release',
    summary: 'A working directory must be absolute; before, a relative path started at the root.',
    see: 'recordings of 1.6.2 and 1.7.1, create-workdir-rel, started-workdir-rel',
    ops: [
      byHand('ContainerCreate', 'a relative working directory starts at the root, or is refused', {
        requestUp: ({ body }) => {
          if (isObject(body) && isRelative(body['WorkingDir'])) body['WorkingDir'] = `/${body['WorkingDir']}`
        },
        requestDown: ({ body }) => {
          const directory = memberAt(body, 'WorkingDir')
          if (!isRelative(directory)) return
          const text = `The working directory '${directory}' is invalid. It needs to be an absolute path.`
          throw new ProxyError('validation', text)
        },
      }),
    ],
    examples: {
      'ContainerCreate requestUp body.WorkingDir': [['srv/app', '/srv/app']],
      'ContainerCreate requestDown body.WorkingDir': [
        ['srv/app', /^The working directory 'srv\/app' is invalid\. It needs to be an absolute path\.$/],
      ],
    },
  },
] satisfies Change[]
