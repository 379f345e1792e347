import { Refusal } from '../../src/api/errors.ts'
import { isObject } from '../../src/api/json/json.ts'
import { ContainerListItem, HostConfig, StatsRecord, UpdateConfig } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, byHand, isTrue, queryAdded } from '../../src/translate/ops.ts'
import { editFilters, readFilters } from '../by-hand/filters.ts'
import { refuseNocopy } from '../by-hand/nocopy.ts'
import { stateFromStatus } from '../by-hand/state-from-status.ts'

/** What engine 1.10 knows; it ignored all others (daemon/list.go @v1.10.3, acceptedPsFilterTags @v1.11.2). */
const KNOWN_FILTERS = 'ancestor before exited id isolation label name since status volume'.split(' ')

export default [
  {
    id: '1.23/list-state',
    gate: 'release',
    summary: 'The list of containers says the state of each.',
    see: 'docs/api/v1.23.md, List containers; engine-api types:Container @v1.11.2',
    ops: [added(ContainerListItem, 'State', { up: (item) => stateFromStatus(item['Status']), onLoss: 'ignore' })],
    examples: [
      {
        on: 'ContainerList',
        leg: 'responseDown',
        before: { body: [{ Id: 'a', State: 'running', Status: 'Up 2 seconds' }] },
        after: { body: [{ Id: 'a', Status: 'Up 2 seconds' }] },
      },
      ...(
        [
          ['', 'created'],
          ['Created', 'created'],
          ['Up 5 minutes (Paused)', 'paused'],
          ['Up 5 minutes', 'running'],
          ['Restarting (1) 2 seconds ago', 'restarting'],
          ['Exited (0) 3 days ago', 'exited'],
          ['Dead', 'dead'],
          ['Removal In Progress', 'dead'],
        ] as const
      ).map(([Status, State]) => ({
        on: 'ContainerList' as const,
        leg: 'responseUp' as const,
        before: { body: [{ Status }] },
        after: { body: [{ Status, State }] },
      })),
    ],
  },
  {
    id: '1.23/list-mounts',
    gate: 'release',
    summary: 'The list of containers shows their mounts.',
    see: 'docs/api/v1.23.md, List containers; daemon/list.go @v1.11.2',
    // Up, an empty list: the mounts would take one inspect for each container.
    ops: [added(ContainerListItem, 'Mounts', { up: [], onLoss: 'ignore' })],
    examples: [
      {
        on: 'ContainerList',
        leg: 'responseDown',
        before: { body: [{ Id: 'a', Mounts: [{ Destination: '/d' }] }] },
        after: { body: [{ Id: 'a' }] },
      },
      { on: 'ContainerList', leg: 'responseUp', before: { body: [{}] }, after: { body: [{ Mounts: [] }] } },
    ],
  },
  {
    id: '1.23/unknown-filters-rejected',
    gate: 'release',
    summary: 'Unknown filters of the list of containers are an error; before they were ignored.',
    see: 'daemon/list.go:acceptedPsFilterTags @v1.11.2; recordings list-filter-bogus 1.10.3, 1.12.6, 20.10.24',
    ops: [
      byHand(['ContainerList', 'ContainerListPs'], 'filters that engine 1.10 ignored are taken out, or refused', {
        part: 'head',
        requestUp: ({ query }, context, change) =>
          editFilters(query, (filters) => {
            for (const key of filters.keys())
              if (!KNOWN_FILTERS.includes(key)) {
                filters.delete(key)
                context.ignore(`filter ${key}`, change.id)
              }
          }),
        requestDown: ({ query }, context) => {
          const unknown = [...readFilters(query).keys()].find((key) => !KNOWN_FILTERS.includes(key))
          if (unknown === undefined) return
          // 500 on 1.11 to 1.13, 400 from 17.x (1.27) on
          const status = context.client < 27 ? 500 : 400
          throw new Refusal('validation', `Invalid filter '${unknown}'`, { status })
        },
      }),
    ],
    examples: [
      {
        on: 'ContainerList',
        leg: 'requestUp',
        before: { query: 'all=1&filters={"bogus":["1"],"label":["a=b"]}' },
        after: { query: 'all=1&filters={"label":["a=b"]}' },
      },
      { on: 'ContainerList', leg: 'requestUp', before: { query: 'filters={"bogus":["1"]}' }, after: { query: '' } },
      {
        on: 'ContainerList',
        leg: 'requestDown',
        before: { query: 'filters={"health":{"healthy":true}}' },
        after: { refused: /^Invalid filter 'health'$/ },
      },
    ],
  },
  {
    id: '1.23/update-restart-policy',
    gate: 'release',
    summary: 'The restart policy of a container can be updated; engine 1.10 ignored it.',
    see: 'docs/api/v1.23.md, Update a container; container_routes.go:postContainerUpdate @v1.11.2',
    ops: [
      added(UpdateConfig, 'RestartPolicy', {
        neutral: (value) => isObject(value) && (value['Name'] ?? '') === '',
        onLoss: 'refuse',
      }),
    ],
    examples: [
      {
        on: 'ContainerUpdate',
        leg: 'requestUp',
        before: { body: { CpuShares: 7, RestartPolicy: { Name: 'always' } } },
        after: { body: { CpuShares: 7 } },
      },
      {
        on: 'ContainerUpdate',
        leg: 'requestDown',
        before: { body: { CpuShares: 7, RestartPolicy: { Name: '', MaximumRetryCount: 0 } } },
        after: { body: { CpuShares: 7 } },
      },
      {
        on: 'ContainerUpdate',
        leg: 'requestDown',
        before: { body: { RestartPolicy: { Name: 'always' } } },
        after: { refused: /UpdateConfig\.RestartPolicy .* needs API 1\.23/ },
      },
    ],
  },
  {
    id: '1.23/bind-nocopy',
    gate: 'release',
    summary: 'A bind of a named volume may say that it is not filled from the image.',
    see: 'docs/api/v1.23.md, Create a container; volume/volume_copy.go @v1.11.2',
    ops: [
      byHand(['ContainerCreate'], 'the mode word nocopy is refused', { onLoss: 'refuse', requestDown: refuseNocopy }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { Binds: ['v:/d:ro,nocopy'] } } },
        after: { refused: /HostConfig\.Binds nocopy .* needs API 1\.23/ },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { Binds: ['/nocopy:/d:ro'] } } },
        after: { body: { HostConfig: { Binds: ['/nocopy:/d:ro'] } } },
      },
    ],
  },
  {
    id: '1.23/stats-pids',
    gate: 'release',
    summary: 'Stats count the processes of a container.',
    see: 'docs/api/v1.23.md, Get container stats; recordings stats 1.9.1, 1.10.3',
    ops: [
      added(StatsRecord, 'pids_stats', { up: {}, onLoss: 'ignore', down: 'keep' }),
      byHand('ContainerStats', 'empty for a client of engine 1.10, absent before', {
        stripsNewer: true,
        responseDown: ({ body }, context) => {
          if (!isObject(body)) return
          if (context.client < 22) delete body['pids_stats']
          else body['pids_stats'] = {}
        },
      }),
    ],
    examples: [
      {
        on: 'ContainerStats',
        leg: 'responseDown',
        before: { body: { read: 't', pids_stats: { current: 1 } } },
        after: { body: { read: 't', pids_stats: {} } },
      },
      {
        on: 'ContainerStats',
        leg: 'responseDown',
        client: '1.21',
        before: { body: { read: 't', pids_stats: { current: 1 } } },
        after: { body: { read: 't' } },
      },
      {
        on: 'ContainerStats',
        leg: 'responseUp',
        before: { body: { read: 't' } },
        after: { body: { read: 't', pids_stats: {} } },
      },
    ],
  },
  {
    id: '1.23/logs-details',
    gate: 'release',
    summary: 'Logs can carry the extra attributes of their driver.',
    see: 'docs/api/v1.23.md, Get container logs; daemon/logs.go @v1.11.2',
    ops: [queryAdded('ContainerLogs', 'details', { onLoss: 'warn', neutral: (value) => !isTrue(value) })],
    examples: [
      { on: 'ContainerLogs', leg: 'requestUp', before: { query: 'stdout=1&details=1' }, after: { query: 'stdout=1' } },
      {
        on: 'ContainerLogs',
        leg: 'requestDown',
        before: { query: 'stdout=1&details=1' },
        after: { query: 'stdout=1' },
        losses: ['query parameter details'],
      },
      {
        on: 'ContainerLogs',
        leg: 'requestDown',
        before: { query: 'stdout=1&details=0' },
        after: { query: 'stdout=1' },
        losses: [],
      },
    ],
  },
  {
    id: '1.23/pids-limit',
    gate: 'release',
    summary: 'The number of processes of a container can be limited; engine 1.10 shows the member without effect.',
    see: 'docs/api/v1.23.md, Create a container; recording 1.10.3 at 1.22, inspect-running',
    ops: [
      added(HostConfig, 'PidsLimit', {
        up: 0,
        neutral: (value) => value === -1,
        onLoss: 'refuse',
        down: 'keep',
        request: 'keep',
      }),
      byHand('ContainerInspect', 'always 0 for a client of engine 1.10, absent before', {
        stripsNewer: true,
        responseDown: ({ body }, context) => {
          const host = isObject(body) ? body['HostConfig'] : undefined
          if (!isObject(host)) return
          if (context.client < 22) delete host['PidsLimit']
          else host['PidsLimit'] = 0
        },
      }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { PidsLimit: -1 } } },
        after: { body: { HostConfig: {} } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { PidsLimit: 100 } } },
        after: { refused: /HostConfig\.PidsLimit .* needs API 1\.23/ },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { HostConfig: { PidsLimit: null } } },
        after: { body: { HostConfig: { PidsLimit: 0 } } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        client: '1.21',
        before: { body: { HostConfig: { PidsLimit: 0, Memory: 0 } } },
        after: { body: { HostConfig: { Memory: 0 } } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        before: { body: { HostConfig: {} } },
        after: { body: { HostConfig: { PidsLimit: 0 } } },
      },
    ],
  },
] satisfies Change[]
