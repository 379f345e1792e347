import type { JsonObject, JsonValue } from '../../src/api/json/json.ts'
import { onSide } from '../../src/api/shapes/shape.ts'
import { HostConfig } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, gated, retyped } from '../../src/translate/ops.ts'

const minusOneIsNull = (value: JsonValue): JsonValue | undefined => (value === -1 ? null : undefined)

const asList = (value: JsonValue): JsonValue | undefined => (typeof value === 'string' ? [value] : undefined)

const body = (hostConfig: JsonObject) => ({ body: { Image: 'busybox', HostConfig: hostConfig } })
const shown = (hostConfig: JsonObject) => ({ body: { HostConfig: hostConfig } })

export default [
  {
    id: '1.20/group-add',
    gate: 'release',
    summary: 'The process of a container can be put into further groups.',
    see: 'docs/api/v1.20.md, Create a container; runconfig/hostconfig.go @v1.8.3',
    ops: [added(HostConfig, 'GroupAdd', { up: null, onLoss: 'refuse' })],
    examples: [
      { on: 'ContainerCreate', leg: 'requestUp', before: body({ GroupAdd: ['audio'] }), after: body({}) },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: body({ GroupAdd: ['audio'] }),
        after: { refused: /HostConfig\.GroupAdd/ },
      },
      { on: 'ContainerStart', leg: 'requestDown', before: { body: { GroupAdd: [] } }, after: { body: {} } },
      { on: 'ContainerInspect', leg: 'responseDown', before: shown({ GroupAdd: null }), after: shown({}) },
      { on: 'ContainerInspect', leg: 'responseUp', before: shown({}), after: shown({ GroupAdd: null }) },
    ],
  },
  {
    id: '1.20/memory-swappiness',
    gate: 'release',
    summary: 'How willingly a container’s memory is swapped out can be set.',
    see: 'docs/api/v1.20.md, Create a container; daemon/daemon_unix.go @v1.8.3; recordings 1.8.3, 1.9.1, 1.10.3, 1.12.6, 20.10, inspect-min',
    ops: [
      added(HostConfig, 'MemorySwappiness', {
        up: (_hostConfig, { client }) => (client >= 22 && client <= 24 ? -1 : null),
        neutral: (value) => value === -1,
        onLoss: 'warn',
      }),
      // Nothing set is shown as null by 1.8 and 1.9, as -1 by 1.10 to 1.12, and as null again by 18.x and later. The
      // engines between are not recorded and documents name no version: clients up to 1.24 get the -1.
      ...gated(
        { from: '1.22' },
        retyped(onSide(HostConfig, 'response'), 'MemorySwappiness', {
          toOlder: (value, _hostConfig, { client }) => (client >= 20 && value === -1 ? null : undefined),
          toNewer: (value, _hostConfig, { client }) => (client <= 24 && value === null ? -1 : undefined),
        }),
      ),
      ...gated(
        { from: '1.25' },
        retyped(onSide(HostConfig, 'request'), 'MemorySwappiness', { toNewer: minusOneIsNull }),
        retyped(onSide(HostConfig, 'response'), 'MemorySwappiness', {
          toOlder: (value, _hostConfig, { client }) => (client >= 22 && value === null ? -1 : undefined),
          toNewer: minusOneIsNull,
        }),
      ),
    ],
    examples: [
      { on: 'ContainerCreate', leg: 'requestUp', before: body({ MemorySwappiness: 60 }), after: body({}) },
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        client: '1.22',
        engine: '1.41',
        before: body({ MemorySwappiness: -1 }),
        after: body({ MemorySwappiness: null }),
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: body({ MemorySwappiness: 60 }),
        after: body({}),
        losses: ['HostConfig.MemorySwappiness'],
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: body({ MemorySwappiness: -1 }),
        after: body({}),
        losses: [],
      },
      { on: 'ContainerInspect', leg: 'responseDown', before: shown({ MemorySwappiness: null }), after: shown({}) },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        client: '1.21',
        engine: '1.24',
        before: shown({ MemorySwappiness: -1 }),
        after: shown({ MemorySwappiness: null }),
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        client: '1.22',
        engine: '1.41',
        before: shown({ MemorySwappiness: null }),
        after: shown({ MemorySwappiness: -1 }),
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        client: '1.21',
        engine: '1.41',
        before: shown({ MemorySwappiness: null }),
        after: shown({ MemorySwappiness: null }),
      },
      { on: 'ContainerInspect', leg: 'responseUp', before: shown({}), after: shown({ MemorySwappiness: null }) },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        client: '1.24',
        engine: '1.21',
        before: shown({ MemorySwappiness: null }),
        after: shown({ MemorySwappiness: -1 }),
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        client: '1.41',
        engine: '1.24',
        before: shown({ MemorySwappiness: -1 }),
        after: shown({ MemorySwappiness: null }),
      },
    ],
  },
  {
    id: '1.20/console-size',
    gate: 'release',
    summary: 'The first size of the terminal can be given; used on Windows only up to 1.42.',
    see: 'runconfig/hostconfig.go @v1.8.3; recordings of 1.7.1 and 1.8.3, inspect-min',
    ops: [added(HostConfig, 'ConsoleSize', { up: [0, 0], onLoss: 'ignore' })],
    examples: [
      { on: 'ContainerCreate', leg: 'requestUp', before: body({ ConsoleSize: [24, 80] }), after: body({}) },
      { on: 'ContainerCreate', leg: 'requestDown', before: body({ ConsoleSize: [24, 80] }), after: body({}) },
      { on: 'ContainerInspect', leg: 'responseDown', before: shown({ ConsoleSize: [0, 0] }), after: shown({}) },
      { on: 'ContainerInspect', leg: 'responseUp', before: shown({}), after: shown({ ConsoleSize: [0, 0] }) },
    ],
  },
  {
    id: '1.20/capadd-string',
    gate: 'release',
    summary: 'A single capability may stand as a string.',
    see: 'runconfig/hostconfig.go:CapList @v1.8.3; recordings of 1.6.2 and 1.7.1, create-cap-string',
    ops: ['CapAdd', 'CapDrop'].map((member) =>
      retyped(HostConfig, member, { sides: 'request', toNewer: asList, toOlder: asList }),
    ),
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: body({ CapAdd: 'NET_ADMIN', CapDrop: ['ALL'] }),
        after: body({ CapAdd: ['NET_ADMIN'], CapDrop: ['ALL'] }),
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: body({ CapDrop: 'ALL' }),
        after: body({ CapDrop: ['ALL'] }),
      },
    ],
  },
] satisfies Change[]
