import { isObject, type JsonValue } from '../../src/api/json/json.ts'
import { onSide } from '../../src/api/shapes/shape.ts'
import {
  ContainerConfig,
  ContainerState,
  EndpointIpamConfig,
  HostConfig,
  ImageConfig,
  LogConfig,
} from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, addedAll, byHand, omittedWhenEmpty, removed, retyped } from '../../src/translate/ops.ts'
import { commonTag, driverTag } from '../by-hand/log-tag.ts'

const asked = onSide(HostConfig, 'request')

/** No test, or the word for none. */
const noHealthcheck = (value: JsonValue): boolean => {
  const test = isObject(value) ? value['Test'] : undefined
  return !Array.isArray(test) || test.length === 0 || test[0] === 'NONE'
}

export default [
  {
    id: '1.24/healthcheck',
    gate: 'release',
    summary: 'A container can be checked for its health.',
    see: 'docs/api/v1.24.md, Create a container; engine-api types/container/config.go @v1.12.6',
    ops: [
      added(ContainerConfig, 'Healthcheck', { neutral: noHealthcheck, onLoss: 'warn' }),
      added(ImageConfig, 'Healthcheck', { onLoss: 'ignore' }),
      added(ContainerState, 'Health', { onLoss: 'ignore' }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { Image: 'a', Healthcheck: { Test: ['CMD', 'x'] } } },
        after: { body: { Image: 'a' } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { Healthcheck: { Test: ['CMD', 'x'] } } },
        after: { body: {} },
        losses: ['Healthcheck'],
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { Healthcheck: { Test: ['NONE'] } } },
        after: { body: {} },
        losses: [],
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { State: { Running: true, Health: { Status: 'healthy' } }, Config: { Healthcheck: {} } } },
        after: { body: { State: { Running: true }, Config: {} } },
      },
    ],
  },
  {
    id: '1.24/config-shell-stoptimeout',
    gate: 'release',
    summary: 'An image has a shell for its commands, and a container a time to stop in (without effect until 1.25).',
    see: 'engine-api types/container/config.go @v1.12.6',
    ops: [
      ...addedAll(ContainerConfig, ['Shell', 'StopTimeout'], { onLoss: 'ignore' }),
      ...addedAll(ImageConfig, ['Shell', 'StopTimeout'], { onLoss: 'ignore' }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { Shell: ['/bin/bash', '-c'], StopTimeout: 3 } },
        after: { body: {} },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { Shell: ['/bin/bash', '-c'], StopTimeout: 3 } },
        after: { body: {} },
      },
      {
        on: 'ImageInspect',
        leg: 'responseDown',
        before: { body: { Config: { Cmd: null, Shell: ['/bin/bash', '-c'] } } },
        after: { body: { Config: { Cmd: null } } },
      },
    ],
  },
  {
    id: '1.24/hostconfig-storage-opt-sysctls',
    gate: 'release',
    summary: 'A container can have kernel parameters, storage options and a runtime of its own.',
    see: 'docs/api/v1.24.md, Create a container; engine-api types/container/host_config.go @v1.11.2, @v1.12.6',
    ops: [
      added(HostConfig, 'Sysctls', { onLoss: 'refuse' }),
      added(HostConfig, 'Runtime', { neutral: (value) => value === 'runc', onLoss: 'refuse', request: 'keep' }),
      // Engine 1.11 shows it as null and does nothing with it (1.23/storage-opt-windows).
      added(asked, 'StorageOpt', { onLoss: 'warn' }),
      omittedWhenEmpty(HostConfig, 'StorageOpt', null),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { Sysctls: { a: 'b' }, Runtime: 'r', StorageOpt: { size: '1G' }, Memory: 1 } } },
        after: { body: { HostConfig: { Runtime: 'r', Memory: 1 } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { Runtime: 'runc', StorageOpt: { size: '1G' }, Sysctls: {} } } },
        after: { body: { HostConfig: {} } },
        losses: ['HostConfig.StorageOpt'],
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { Sysctls: { 'net.ipv4.ip_forward': '1' } } } },
        after: { refused: /HostConfig\.Sysctls/ },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { HostConfig: { Runtime: 'runc', Sysctls: { a: 'b' } } } },
        after: { body: { HostConfig: { StorageOpt: null } } },
      },
    ],
  },
  {
    id: '1.24/hostconfig-windows-io',
    gate: 'release',
    summary: 'Limits of input and output for Windows have other names; Linux knows neither.',
    see: 'docs/api/v1.24.md, Create a container; runconfig/hostconfig_unix.go:ValidateQoS @v1.12.6',
    ops: [
      ...addedAll(HostConfig, ['IOMaximumIOps', 'IOMaximumBandwidth'], { up: 0, onLoss: 'refuse' }),
      ...['BlkioIOps', 'BlkioBps', 'SandboxSize'].map((member) => removed(HostConfig, member, { down: 0 })),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { BlkioIOps: 0, IOMaximumIOps: 5 } } },
        after: { body: { HostConfig: {} } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { IOMaximumIOps: 0, IOMaximumBandwidth: 0 } } },
        after: { body: { HostConfig: {} } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { IOMaximumBandwidth: 1 } } },
        after: { refused: /HostConfig\.IOMaximumBandwidth/ },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { HostConfig: { IOMaximumIOps: 0, IOMaximumBandwidth: 0 } } },
        after: { body: { HostConfig: { BlkioIOps: 0, BlkioBps: 0, SandboxSize: 0 } } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        before: { body: { HostConfig: { BlkioIOps: 0, BlkioBps: 0, SandboxSize: 0 } } },
        after: { body: { HostConfig: { IOMaximumIOps: 0, IOMaximumBandwidth: 0 } } },
      },
    ],
  },
  {
    id: '1.24/pid-mode-container',
    gate: 'release',
    summary: 'A container can join the process namespace of another; before the word had no effect.',
    see: 'docs/api/v1.24.md, Create a container; runconfig/hostconfig.go:PidMode.Valid @v1.12.6; recordings create-pid-bad',
    ops: [
      byHand('ContainerCreate', 'PidMode container:… is refused', {
        onLoss: 'refuse',
        requestDown: ({ body }, context, { id, version }) => {
          const host = isObject(body) ? body['HostConfig'] : undefined
          const mode = isObject(host) ? host['PidMode'] : undefined
          if (typeof mode === 'string' && mode.startsWith('container:'))
            context.lose({ what: 'HostConfig.PidMode container:…', needs: version, change: id, onLoss: 'refuse' })
        },
      }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { PidMode: 'container:a' } } },
        after: { refused: /HostConfig\.PidMode container:… .* needs API 1\.24/ },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { PidMode: 'host' } } },
        after: { body: { HostConfig: { PidMode: 'host' } } },
      },
    ],
  },
  {
    id: '1.24/link-local-ips',
    gate: 'release',
    summary: 'An endpoint can have link-local addresses.',
    see: 'docs/api/v1.24.md, Create a container; engine-api types/network @v1.12.6',
    ops: [added(EndpointIpamConfig, 'LinkLocalIPs', { onLoss: 'refuse' })],
    examples: [
      {
        on: 'NetworkConnect',
        leg: 'requestUp',
        before: { body: { EndpointConfig: { IPAMConfig: { LinkLocalIPs: ['169.254.1.1'] } } } },
        after: { body: { EndpointConfig: { IPAMConfig: {} } } },
      },
      {
        on: 'NetworkConnect',
        leg: 'requestDown',
        before: { body: { EndpointConfig: { IPAMConfig: { LinkLocalIPs: ['169.254.1.1'] } } } },
        after: { refused: /IPAMConfig\.LinkLocalIPs/ },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { NetworkSettings: { Networks: { n: { IPAMConfig: { LinkLocalIPs: ['169.254.1.1'] } } } } } },
        after: { body: { NetworkSettings: { Networks: { n: { IPAMConfig: {} } } } } },
      },
    ],
  },
  {
    id: '1.24/log-opt-tag',
    gate: 'release',
    summary: 'The tag of log lines has one name for every driver.',
    see: 'daemon/logger/*/ValidateLogOpt @v1.8.3, @v1.9.1, @v1.12.6; deprecated.md, Driver-specific log tags',
    ops: [
      retyped(LogConfig, 'Config', {
        toNewer: commonTag,
        // Engines 1.9 to 1.11 know both names.
        toOlder: (value, { Type }, { engine }) => (engine.highest < 21 ? driverTag(value, Type) : undefined),
        sides: 'request',
      }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { LogConfig: { Type: 'syslog', Config: { 'syslog-tag': 't' } } } } },
        after: { body: { HostConfig: { LogConfig: { Type: 'syslog', Config: { tag: 't' } } } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        engine: '1.20',
        before: { body: { HostConfig: { LogConfig: { Type: 'syslog', Config: { tag: 't', a: 'b' } } } } },
        after: { body: { HostConfig: { LogConfig: { Type: 'syslog', Config: { a: 'b', 'syslog-tag': 't' } } } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { LogConfig: { Type: 'syslog', Config: { tag: 't' } } } } },
        after: { body: { HostConfig: { LogConfig: { Type: 'syslog', Config: { tag: 't' } } } } },
      },
    ],
  },
] satisfies Change[]
