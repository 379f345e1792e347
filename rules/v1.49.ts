import { isObject, type JsonObject, type JsonValue } from '../src/api/json/json.ts'
import { Info } from '../src/api/shapes/shapes.ts'
import type { Change } from '../src/translate/change.ts'
import { added, byHand, gated, queryAdded } from '../src/translate/ops.ts'
import { isEnginesOwnPlatform } from './by-hand/platform.ts'

const COMMITS = ['ContainerdCommit', 'RuncCommit', 'InitCommit']
const REGISTRY = ['AllowNondistributableArtifactsCIDRs', 'AllowNondistributableArtifactsHostnames']

const objectsIn = (info: JsonValue | undefined, members: readonly string[]): JsonObject[] =>
  isObject(info) ? members.map((member) => info[member]).filter(isObject) : []

export default [
  {
    id: '1.49/info-inspect',
    gate: 'prefix',
    summary: 'Info has no expected commits and no lists of undistributable artifacts; image inspect takes a platform.',
    see: 'docs/api/version-history.md v1.49; api/server/router/system/system_routes.go:getInfo',
    ops: [
      queryAdded('ImageInspect', 'platform', {
        sample: '{"os":"linux","architecture":"s390x"}',
        onLoss: 'refuse',
        neutral: isEnginesOwnPlatform,
      }),
      added(Info, 'FirewallBackend', { sample: { Driver: 'iptables' }, onLoss: 'ignore' }),
      // The two lists came with engine 17.06, which no row of its own says.
      ...gated(
        { gate: 'release', from: '1.30' },
        byHand('SystemInfo', 'the lists of undistributable artifacts are new', {
          stripsNewer: true,
          responseDown: ({ body }) => {
            for (const registry of objectsIn(body, ['RegistryConfig']))
              for (const member of REGISTRY) delete registry[member]
          },
        }),
      ),
      // 20.10 has empty lists where 26.1 (mirrors) and 28.5 (all three) have null.
      ...gated(
        { gate: 'release', from: '1.42' },
        byHand('SystemInfo', 'the lists of the registry are lists', {
          responseDown: ({ body }) => {
            for (const registry of objectsIn(body, ['RegistryConfig']))
              for (const member of [...REGISTRY, 'Mirrors']) if (registry[member] === null) registry[member] = []
          },
        }),
      ),
      // Engine 28.5 fills both below 1.49, but not for a component whose commit it does not know.
      ...gated(
        { gate: 'release' },
        byHand('SystemInfo', 'commits have the one expected, the registry its lists', {
          responseDown: ({ body }) => {
            for (const commit of objectsIn(body, COMMITS)) commit['Expected'] ??= commit['ID'] ?? ''
            for (const registry of objectsIn(body, ['RegistryConfig']))
              for (const member of REGISTRY) registry[member] ??= null
          },
        }),
      ),
      // The engine does so itself for what is asked below: also for a pin below the client's version.
      ...gated(
        { gate: 'prefix' },
        byHand('SystemInfo', 'commits lose the one expected, the registry its lists', {
          responseUp: ({ body }) => {
            for (const commit of objectsIn(body, COMMITS)) delete commit['Expected']
            for (const registry of objectsIn(body, ['RegistryConfig']))
              for (const member of REGISTRY) delete registry[member]
          },
        }),
      ),
    ],
    examples: {
      'SystemInfo responseDown': [
        [
          {
            body: { RuncCommit: { ID: 'r' }, FirewallBackend: { Driver: 'iptables' }, RegistryConfig: { Mirrors: [] } },
          },
          {
            body: {
              RuncCommit: { ID: 'r', Expected: 'r' },
              RegistryConfig: {
                Mirrors: [],
                AllowNondistributableArtifactsCIDRs: null,
                AllowNondistributableArtifactsHostnames: null,
              },
            },
          },
        ],
        [
          { body: { RegistryConfig: { Mirrors: null, AllowNondistributableArtifactsCIDRs: null } } },
          {
            body: {
              RegistryConfig: {
                Mirrors: [],
                AllowNondistributableArtifactsCIDRs: [],
                AllowNondistributableArtifactsHostnames: [],
              },
            },
          },
          { client: '1.41' },
        ],
        [
          { body: { RegistryConfig: { Mirrors: [], AllowNondistributableArtifactsCIDRs: null } } },
          { body: { RegistryConfig: { Mirrors: [] } } },
          { client: '1.29' },
        ],
      ],
      'SystemInfo responseUp': [
        [
          {
            body: {
              RuncCommit: { ID: 'r', Expected: 'e' },
              RegistryConfig: { AllowNondistributableArtifactsCIDRs: [] },
            },
          },
          { body: { RuncCommit: { ID: 'r' }, RegistryConfig: {} } },
        ],
      ],
    },
  },
] satisfies Change[]
