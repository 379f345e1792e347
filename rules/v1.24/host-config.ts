import { isObject, type JsonValue, memberAt, stringOf } from '../../src/api/json/json.ts'
import { onSide } from '../../src/api/shapes/shape.ts'
import {
  ContainerConfig,
  ContainerListItem,
  ContainerState,
  EndpointIpamConfig,
  HostConfig,
  ImageConfig,
  LogConfig,
} from '../../src/api/shapes/shapes.ts'
import type { Changes } from '../../src/translate/change.ts'
import { added, addedAll, omittedWhenEmpty, removed, retyped, valueAdded } from '../../src/translate/ops.ts'
import { AskedHostConfig, CreateHostConfig } from '../by-hand/places.ts'

/** Whether a health check has no test, or the test NONE. */
const noHealthcheck = (value: JsonValue): boolean => {
  const test = memberAt(value, 'Test')
  return !Array.isArray(test) || test.length === 0 || test[0] === 'NONE'
}

/** Drivers that had their own name for the tag. */
const DRIVERS = ['syslog', 'gelf', 'fluentd']

const respelled = (config: JsonValue, spell: (name: string) => string): JsonValue | undefined =>
  isObject(config) ? Object.fromEntries(Object.entries(config).map(([name, value]) => [spell(name), value])) : undefined

const commonTag = (config: JsonValue): JsonValue | undefined =>
  respelled(config, (name) => (DRIVERS.some((driver) => name === `${driver}-tag`) ? 'tag' : name))

const driverTag = (config: JsonValue, type: JsonValue | undefined): JsonValue | undefined =>
  typeof type === 'string' && DRIVERS.includes(type)
    ? respelled(config, (name) => (name === 'tag' ? `${type}-tag` : name))
    : undefined

export default {
  '1.24/healthcheck': {
    summary: 'A container can have a health check.',
    see: 'docs/api/v1.24.md, Create a container; engine-api types/container/config.go @v1.12.6',
    ops: [
      added(ContainerConfig, 'Healthcheck', { sample: { Test: ['CMD', 'x'] }, neutral: noHealthcheck, onLoss: 'warn' }),
      added(ImageConfig, 'Healthcheck', { sample: { Test: ['CMD', 'x'] } }),
      added(ContainerState, 'Health', { sample: { Status: 'healthy' } }),
      // container/state.go:String @v1.12.6
      retyped(ContainerListItem, 'Status', {
        toOlder: (status) => stringOf(status).replace(/ \((?:healthy|unhealthy|health: starting)\)$/, ''),
        samples: [
          ['Up 2 minutes (healthy)', 'Up 2 minutes'],
          ['Up 1 second (health: starting)', 'Up 1 second'],
          ['Up 2 minutes (Paused)'],
        ],
      }),
    ],
    examples: { 'ContainerCreate requestDown body': [[{ Healthcheck: { Test: ['NONE'] } }, {}, { losses: [] }]] },
  },
  '1.24/config-shell-stoptimeout': {
    summary: 'An image can have a shell, and a container a stop timeout (without effect until 1.25).',
    see: 'engine-api types/container/config.go @v1.12.6',
    ops: [
      ...addedAll(ContainerConfig, ['Shell', 'StopTimeout'], { sample: ['/bin/bash', '-c'], onLoss: 'ignore' }),
      ...addedAll(ImageConfig, ['Shell', 'StopTimeout'], { sample: ['/bin/bash', '-c'] }),
    ],
  },
  '1.24/hostconfig-storage-opt-sysctls': {
    summary: 'A container can have kernel parameters, storage options and a runtime.',
    see: 'docs/api/v1.24.md, Create a container; engine-api types/container/host_config.go @v1.11.2, @v1.12.6',
    ops: [
      added(HostConfig, 'Sysctls', { sample: { 'net.ipv4.ip_forward': '1' }, onLoss: 'refuse' }),
      added(HostConfig, 'Runtime', { sample: 'nvidia', neutral: ['runc'], onLoss: 'refuse', request: 'keep' }),
      // Engine 1.11 shows null and ignores it (1.23/storage-opt-windows).
      added(AskedHostConfig, 'StorageOpt', { sample: { size: '1G' }, onLoss: 'warn' }),
      omittedWhenEmpty(HostConfig, 'StorageOpt', null),
    ],
  },
  '1.24/hostconfig-windows-io': {
    summary: 'I/O limits for Windows have other names; Linux has neither.',
    see: 'docs/api/v1.24.md, Create a container; runconfig/hostconfig_unix.go:ValidateQoS @v1.12.6',
    ops: [
      ...addedAll(HostConfig, ['IOMaximumIOps', 'IOMaximumBandwidth'], { sample: 5, up: 0, onLoss: 'refuse' }),
      ...['BlkioIOps', 'BlkioBps', 'SandboxSize'].map((member) => removed(HostConfig, member, { down: 0 })),
    ],
  },
  '1.24/pid-mode-container': {
    summary: 'A container can join the PID namespace of another; before, this had no effect.',
    see: 'docs/api/v1.24.md, Create a container; runconfig/hostconfig.go:PidMode.Valid @v1.12.6; recordings create-pid-bad',
    ops: valueAdded(CreateHostConfig, 'PidMode', ['container:…']),
  },
  '1.24/link-local-ips': {
    summary: 'An endpoint can have link-local addresses.',
    see: 'docs/api/v1.24.md, Create a container; engine-api types/network @v1.12.6',
    ops: added(EndpointIpamConfig, 'LinkLocalIPs', { sample: ['169.254.1.1'], onLoss: 'refuse' }),
  },
  '1.24/log-opt-tag': {
    summary: 'The tag of log lines has the same name for all drivers.',
    see: 'daemon/logger/*/ValidateLogOpt @v1.8.3, @v1.9.1, @v1.12.6; deprecated.md, Driver-specific log tags',
    ops: retyped(onSide(LogConfig, 'request'), 'Config', {
      samples: {
        toNewer: [[{ 'syslog-tag': 't' }, { tag: 't' }]],
        toOlder: [
          [
            { tag: 't', a: 'b' },
            { 'syslog-tag': 't', a: 'b' },
            { with: { Type: 'syslog' }, engine: '1.20' },
          ],
          [{ tag: 't' }, { tag: 't' }, { with: { Type: 'syslog' } }],
        ],
      },
      toNewer: commonTag,
      // Engines 1.9 to 1.11 accept both names.
      toOlder: (value, { Type }, { engine }) => (engine.highest < 21 ? driverTag(value, Type) : undefined),
    }),
  },
} satisfies Changes
