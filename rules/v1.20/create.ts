import { ProxyError } from '../../src/api/errors.ts'
import { isObject, type JsonObject } from '../../src/api/json/json.ts'
import { inside, onlyIn, onSide, shape } from '../../src/api/shapes/shape.ts'
import { ContainerConfig, ExecInspect, HostConfig, ImageConfig, LogConfig } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, byHand, gated, onEach, only, removed, retyped, valueAdded } from '../../src/translate/ops.ts'
import { badHostPort } from '../by-hand/binds.ts'
import { BRINGS_HOST_CONFIG } from '../by-hand/host-config.ts'
import { exposePortSpecs } from './port-specs.ts'

/** Config of the container that exec inspect contains up to 1.21. */
const ExecContainerConfig = shape('Container.Config', '', inside(ExecInspect.places, 'Container.Config'))

const body = (hostConfig: JsonObject) => ({ body: { Image: 'busybox', HostConfig: hostConfig } })

export default [
  {
    id: '1.20/config-portspecs-gone',
    gate: 'release',
    summary: 'PortSpecs is gone; ExposedPorts and PortBindings replace it.',
    see: 'runconfig/config.go, runconfig/merge.go @v1.6.2, @v1.7.1; @v1.8.3; recordings, inspect-running and image-inspect',
    ops: [
      byHand('ContainerCreate', 'the ports of PortSpecs are exposed, as 1.6 did; 1.7 ignores them', {
        requestUp: exposePortSpecs,
      }),
      ...[onSide(ContainerConfig, 'response'), ImageConfig, ExecContainerConfig].map((shape) =>
        removed(shape, 'PortSpecs', { down: null }),
      ),
    ],
    examples: {
      'ContainerCreate requestUp body': [
        [
          { PortSpecs: ['8080', '127.0.0.1:80:9090/udp'], ExposedPorts: { '22/tcp': {} } },
          { ExposedPorts: { '22/tcp': {}, '8080/tcp': {}, '9090/udp': {} } },
          { client: '1.18' },
        ],
        [{ Image: 'x', PortSpecs: ['8080'] }, { Image: 'x' }],
      ],
    },
  },
  {
    id: '1.20/log-driver-gelf',
    gate: 'release',
    summary: 'Logs can go to gelf and fluentd.',
    see: 'docs/api/v1.20.md, Create a container; daemon/logdrivers_linux.go @v1.7.1, @v1.8.3; recording 1.8.3 at 1.20, started-log-bad',
    ops: [
      valueAdded(LogConfig, 'Type', ['gelf', 'fluentd'], {
        words: (type) => `logger: no log driver named '${type}' is registered`,
      }),
    ],
  },
  {
    id: '1.20/publish-service',
    gate: 'release',
    summary: 'PublishService of the experimental networking, in engines 1.8 to 1.11.',
    see: 'runconfig/config.go @v1.8.3; engine-api types/container/config.go @v1.11.2, gone @v1.12.6',
    ops: [
      added(onlyIn(ContainerConfig, 'ContainerCreate', 'ContainerInspect'), 'PublishService', {
        sample: 'web',
        onLoss: 'ignore',
      }),
      ...gated(
        { from: '1.24' },
        ...only(
          { profile: 'spec' },
          onEach(ImageConfig, 'the specification shows it in 1.21', {
            responseDown: (config, { client }) => {
              if (client === 21) config['PublishService'] ??= ''
            },
          }),
        ),
      ),
    ],
    examples: {
      'ImageInspect responseDown body': [
        [
          { Config: {}, ContainerConfig: null },
          { Config: { PublishService: '' }, ContainerConfig: null },
          { profile: 'spec', client: '1.21', engine: '1.24' },
        ],
      ],
    },
  },
  {
    id: '1.20/port-binding-validated',
    gate: 'release',
    summary: 'The host port of a binding must be a number or a range; before, anything was accepted.',
    see: 'recordings of 1.7.1 and 1.8.3, create-port-binding-bad',
    ops: [
      byHand(BRINGS_HOST_CONFIG, 'an invalid host port is refused', {
        requestDown: (message, context) => {
          const port = badHostPort(message, context)
          if (port !== undefined) throw new ProxyError('validation', `Invalid port specification: "${port}"`)
        },
      }),
    ],
    examples: {
      'ContainerCreate requestDown': [
        [
          body({ PortBindings: { '80/tcp': [{ HostPort: '' }, { HostPort: 'abc' }] } }),
          /^Invalid port specification: "abc"$/,
        ],
      ],
      'ContainerStart requestDown body.PortBindings': [[{ '80/tcp': [{ HostPort: '8000-8010' }], '81/tcp': null }]],
    },
  },
  {
    id: '1.20/network-mode-default',
    gate: 'release',
    summary: 'A network mode can be "default", which earlier engines do not know.',
    see: 'recordings of 1.6.2, 1.7.1 and 1.8.3, start-new, inspect-min, inspect-running',
    ops: [
      retyped(onSide(HostConfig, 'request'), 'NetworkMode', { toOlder: [['default', '']] }),
      // Engine 1.7 shows an unset mode as "" before the first start, then as "bridge". For 1.6: 1.19/network-mode-unset.
      byHand('ContainerInspect', 'an unset mode is shown as by engine 1.7', {
        responseDown: ({ body: container }, { client }) => {
          if (client !== 19 || !isObject(container)) return
          const { HostConfig: hostConfig, State: state } = container
          if (!isObject(hostConfig) || hostConfig['NetworkMode'] !== 'default' || !isObject(state)) return
          hostConfig['NetworkMode'] = String(state['StartedAt']).startsWith('0001-') ? '' : 'bridge'
        },
      }),
    ],
    examples: {
      'ContainerInspect responseDown body': [
        [
          { HostConfig: { NetworkMode: 'default' }, State: { StartedAt: '0001-01-01T00:00:00Z' } },
          { HostConfig: { NetworkMode: '' }, State: { StartedAt: '0001-01-01T00:00:00Z' } },
        ],
        [
          { HostConfig: { NetworkMode: 'default' }, State: { StartedAt: '2026-11-20T15:53:01Z' } },
          { HostConfig: { NetworkMode: 'bridge' }, State: { StartedAt: '2026-11-20T15:53:01Z' } },
        ],
      ],
    },
  },
] satisfies Change[]
