import { setTimeout } from 'node:timers/promises'
import { ProxyError } from '../../src/api/errors.ts'
import { isObject, listOf, memberAt, objectOf, stringOf } from '../../src/api/json/json.ts'
import { StatsRecord } from '../../src/api/shapes/shapes.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'
import { bodyIfAllowed } from '../../src/translate/ops/calls/looked-up.ts'
import { byHand, emulated, inspectPath, isTrue, onEach, statusChanged } from '../../src/translate/ops.ts'
import { isPodmanBefore } from '../by-hand/podman-release.ts'
import { answerByEvents } from '../emulate/exits.ts'

async function ownersAsSent({ query }: RequestMessage, context: EmulationContext): Promise<void> {
  if (!isTrue(query.get('copyUIDGID'))) return
  const container = await bodyIfAllowed(inspectPath(context), context)
  if (memberAt(container, 'Config', 'User') === '') query.delete('copyUIDGID')
}

const BEFORE = 'podman.stats'

/** Docker reads twice, too, a second or two apart. */
async function readBefore({ query, path }: RequestMessage, context: EmulationContext): Promise<void> {
  const stream = query.get('stream')
  if (stream === null || isTrue(stream) || isTrue(query.get('one-shot'))) return
  const { status, body } = await context.engineCall('GET', path, { query: { stream: '0', 'one-shot': '1' } })
  const { read, cpu_stats: cpu } = objectOf(body)
  if (status !== 200 || read === undefined || !isObject(cpu)) return // 200, too, for one that is stopped
  context.memory.set(BEFORE, { preread: read, precpu_stats: cpu })
  await setTimeout(1000, undefined, { ref: false })
}

async function waitForRemoval({ query }: RequestMessage, context: EmulationContext): Promise<void> {
  if (query.get('condition') !== 'removed' || !isPodmanBefore('4.6', context)) return
  const isAllowed = [inspectPath(context), '/events'].every((path) => context.allows('GET', path))
  if (isAllowed) await answerByEvents('removed', context, true)
}

const podmanEvent = (event: string): string =>
  `GET /events?${new URLSearchParams({ since: '2026', filters: JSON.stringify({ container: ['0a'], event: [event] }) })}`

const READING = '/containers/x/stats?stream=0&one-shot=1'

export default {
  'podman/wait-removed': {
    summary: 'A wait for the removal of a container says 0, whatever it ended with (before 4.6).',
    see: 'pkg/api/handlers/utils/containers.go:waitRemoved @v4.3.1, @v4.6.0; `docker run --rm` ends with it',
    ops: emulated('ContainerWait', 'the bridge waits for the events of the exit and of the removal', {
      part: 'head',
      requestUp: waitForRemoval,
    }),
    examples: {
      'ContainerWait requestUp': [
        [
          'condition=removed',
          { answered: 200 },
          {
            calls: {
              'GET /containers/web/json': { body: { Id: '0a', Created: '2026', State: {} } },
              [podmanEvent('died')]: { body: Buffer.from('{"Actor":{}}').toString('base64') },
              [podmanEvent('remove')]: { body: Buffer.from('{}').toString('base64') },
            },
          },
        ],
        ['condition=next-exit'],
      ],
    },
  },
  'podman/top-columns': {
    summary:
      'The processes of a container are in one column where its own `ps` lists them (4.9; in 4.3 the titles, too), and nothing is answered where it does not (4.3).',
    see: 'pkg/api/handlers/compat/containers_top.go @v4.3.1, @v4.9.3, @v5.4.2',
    ops: byHand('ContainerTop', 'the last column alone has spaces', {
      responseDown: ({ body, status }, { call: { params } }) => {
        if (status === 200 && body === undefined)
          throw new ProxyError('conflict', `Container ${params['name']} is not running, or has no ps that takes this`)
        if (!isObject(body)) return
        const titles = listOf(body['Titles']).map(stringOf)
        const names = titles.length > 1 ? titles : titles.flatMap((title) => title.trim().split(/\s+/))
        body['Titles'] = names
        body['Processes'] = listOf(body['Processes']).map((process) => {
          if (listOf(process).length > 1) return process
          const words = stringOf(listOf(process)[0]).trim().split(/\s+/)
          return [...words.slice(0, names.length - 1), words.slice(names.length - 1).join(' ')]
        })
      },
    }),
    examples: {
      'ContainerTop responseDown': [[{ status: 200 }, /^Container x is not running/, { params: { name: 'x' } }]],
      'ContainerTop responseDown body': [
        [
          { Titles: ['PID   COMMAND'], Processes: [['  1 sleep 600']] },
          { Titles: ['PID', 'COMMAND'], Processes: [['1', 'sleep 600']] },
        ],
        [
          { Titles: ['PID', 'CMD'], Processes: [['1 sleep 600']] },
          { Titles: ['PID', 'CMD'], Processes: [['1', 'sleep 600']] },
        ],
        [{ Titles: ['PID', 'CMD'], Processes: [['1', 'sleep  600']] }],
      ],
    },
  },
  'podman/copied-owners': {
    summary: 'Files that are copied with `copyUIDGID` belong to root where the container has no user.',
    see: 'pkg/api/handlers/compat/containers_archive.go @v5.4.2; daemon/archive_tarcopyoptions_unix.go @v20.10.24 keeps the owners',
    ops: emulated('PutContainerArchive', 'the owners are kept where the container has no user', {
      part: 'head',
      requestUp: ownersAsSent,
    }),
    examples: {
      'PutContainerArchive requestUp': ['', 'web'].map((User) => [
        'path=/&copyUIDGID=true',
        User === '' ? 'path=/' : 'path=/&copyUIDGID=true',
        { calls: { 'GET /containers/web/json': { body: { Config: { User } } } } },
      ]),
    },
  },
  'podman/single-stats': {
    summary: 'A single reading of statistics has none before it: their CPU share is that of all the time.',
    see: 'pkg/api/handlers/compat/containers_stats_linux.go @v5.4.2; cli: command/container/stats_helpers.go',
    ops: [
      emulated('ContainerStats', 'there is a reading a second before', { part: 'head', requestUp: readBefore }),
      onEach(StatsRecord, 'the reading before is in it', {
        responseDown: (record, { memory }) => Object.assign(record, objectOf(memory.get(BEFORE))),
      }),
    ],
    examples: {
      'ContainerStats responseDown': [
        [
          { body: { read: 'b', cpu_stats: {} } },
          { body: { read: 'b', cpu_stats: {}, preread: 'a', precpu_stats: { online_cpus: 1 } } },
          {
            asked: { query: 'stream=0', path: '/containers/x/stats' },
            calls: { [`GET ${READING}`]: { body: { read: 'a', cpu_stats: { online_cpus: 1 } } } },
          },
        ],
        [{ body: { read: 'b' } }, { body: { read: 'b' } }, { asked: 'stream=1' }],
        [{ body: { read: 'b' } }, { body: { read: 'b' } }, { asked: 'stream=0&one-shot=1' }],
      ],
    },
  },
  'podman/plugins': {
    summary: 'There are no plugins: 404.',
    see: 'pkg/api/server/register_plugins.go @v5.4.2',
    ops: statusChanged('PluginList', { before: 200, after: 404, legs: 'down', body: [] }),
  },
} satisfies PodmanChanges
