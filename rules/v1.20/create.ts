import { type JsonObject, type JsonValue, memberAt, objectOf } from '../../src/api/json/json.ts'
import { below, onlyIn } from '../../src/api/shapes/shape.ts'
import { ContainerConfig, ExecInspect, HostConfig, ImageConfig, LogConfig } from '../../src/api/shapes/shapes.ts'
import type { StepContext } from '../../src/translate/message.ts'
import {
  added,
  byClient,
  type Changes,
  filled,
  gated,
  only,
  refusedWhere,
  removed,
  retyped,
  valueAdded,
} from '../../src/translate/ops.ts'
import { badHostPort } from '../by-hand/binds.ts'
import { textAsList } from '../by-hand/each-text.ts'
import { AskedHostConfig, CreateBody, ShownConfig, ShownHostConfig } from '../by-hand/places.ts'
import { ZERO_TIME } from '../by-hand/state-status.ts'

/** The container's ports in `ip:host:container/proto`, `host:container` or `container`, with ranges expanded. */
function exposedBy(spec: string): string[] {
  const [port = '', protocol = 'tcp'] = (spec.split(':').at(-1) ?? '').split('/')
  const found = /^(\d+)(?:-(\d+))?$/.exec(port)
  if (found === null) return []
  const first = Number(found[1])
  const last = Math.min(Number(found[2] ?? found[1]), 65535)
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, i) => `${first + i}/${protocol}`)
}

/** Engine 1.6 exposes the ports of PortSpecs and discards the bindings (runconfig/merge.go @v1.6.2); 1.7 ignores the member. */
function exposePortSpecs(specs: JsonValue, config: JsonObject, { client }: StepContext): undefined {
  if (client >= 19 || !Array.isArray(specs)) return
  const ports = specs.flatMap((spec) => (typeof spec === 'string' ? exposedBy(spec) : []))
  if (ports.length === 0) return
  const exposed: JsonObject = objectOf(config['ExposedPorts'])
  for (const port of ports) exposed[port] ??= {}
  config['ExposedPorts'] = exposed
}

/** Config of the container that exec inspect contains up to 1.21. */
const ExecContainerConfig = below(ExecInspect, 'Container.Config')

export default {
  '1.20/config-portspecs-gone': {
    summary: 'PortSpecs is gone; ExposedPorts and PortBindings replace it.',
    see: 'runconfig/config.go, runconfig/merge.go @v1.6.2, @v1.7.1; @v1.8.3; recordings, inspect-running and image-inspect',
    ops: [
      retyped(CreateBody, 'PortSpecs', { toNewer: exposePortSpecs, description: 'the ports of PortSpecs are exposed' }),
      ...only({ legs: ['requestUp'] }, removed(CreateBody, 'PortSpecs', { down: null })),
      ...[ShownConfig, ImageConfig, ExecContainerConfig].map((shape) => removed(shape, 'PortSpecs', { down: null })),
    ],
    examples: {
      'ContainerCreate requestUp body': [
        [
          { PortSpecs: ['8080', '127.0.0.1:80:9090/udp'], ExposedPorts: { '22/tcp': {} } },
          { ExposedPorts: { '22/tcp': {}, '8080/tcp': {}, '9090/udp': {} } },
          { client: '1.18' },
        ],
        [{ PortSpecs: ['8080'] }, {}],
      ],
    },
  },
  '1.20/log-driver-gelf': {
    summary: 'Logs can go to gelf and fluentd.',
    see: 'docs/api/v1.20.md, Create a container; daemon/logdrivers_linux.go @v1.7.1, @v1.8.3; recording 1.8.3 at 1.20, started-log-bad',
    ops: valueAdded(LogConfig, 'Type', ['gelf', 'fluentd'], {
      words: (type) => `logger: no log driver named '${type}' is registered`,
    }),
  },
  '1.20/publish-service': {
    summary: 'PublishService of the experimental networking, in engines 1.8 to 1.11.',
    see: 'runconfig/config.go @v1.8.3; engine-api types/container/config.go @v1.11.2, gone @v1.12.6',
    ops: [
      added(onlyIn(ContainerConfig, 'ContainerCreate', 'ContainerInspect'), 'PublishService', {
        sample: 'web',
        onLoss: 'ignore',
      }),
      // The specification shows it in 1.21.
      ...only(
        { profile: 'spec', from: '1.24' },
        filled(ImageConfig, 'PublishService', byClient({ '1.21': '', '1.22': undefined })),
      ),
    ],
  },
  '1.20/port-binding-validated': {
    summary: 'The host port of a binding must be a number or a range; before, anything was accepted.',
    see: 'recordings of 1.7.1 and 1.8.3, create-port-binding-bad',
    ops: refusedWhere(HostConfig, 'an invalid host port', {
      finds: badHostPort,
      says: 'validation',
      words: (port) => `Invalid port specification: "${port}"`,
      samples: [[{ PortBindings: { '80/tcp': [{ HostPort: '' }, { HostPort: 'abc' }] } }, 'abc']],
      stay: [{ PortBindings: { '80/tcp': [{ HostPort: '8000-8010' }], '81/tcp': null } }],
    }),
  },
  '1.20/network-mode-default': {
    summary: 'A network mode can be "default", which earlier engines do not know.',
    see: 'recordings of 1.6.2, 1.7.1 and 1.8.3, start-new, inspect-min, inspect-running',
    ops: [
      retyped(AskedHostConfig, 'NetworkMode', { toOlder: [['default', '']] }),
      // Engine 1.7 shows an unset mode as "" before the first start, then as "bridge". For 1.6: 1.19/network-mode-unset.
      retyped(ShownHostConfig, 'NetworkMode', {
        samples: [
          ['default', '', { beside: { State: { StartedAt: ZERO_TIME } } }],
          ['default', 'bridge', { beside: { State: { StartedAt: '2026-11-20T15:53:01Z' } } }],
        ],
        toOlder: (mode, _hostConfig, { client }, container) => {
          if (client !== 19 || mode !== 'default') return undefined
          return memberAt(container, 'State', 'StartedAt') === ZERO_TIME ? '' : 'bridge'
        },
      }),
    ],
  },
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
        retyped(ShownHostConfig, 'MemorySwappiness', { toNewer: byClient({ '1.22': [[null, -1]], '1.25': [] }) }),
      ),
      ...gated(
        { from: '1.25' },
        retyped(HostConfig, 'MemorySwappiness', { toNewer: [[-1, null]] }),
        retyped(ShownHostConfig, 'MemorySwappiness', { toOlder: byClient({ '1.20': [[null, -1]] }) }),
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
      retyped(AskedHostConfig, member, {
        samples: { toNewer: [['NET_ADMIN', ['NET_ADMIN']]], toOlder: [['ALL', ['ALL']]] },
        toNewer: textAsList,
        toOlder: textAsList,
      }),
    ),
  },
} satisfies Changes
