import { isObject, type JsonObject, type JsonValue, memberAt, objectOf, stringOf } from '../../src/api/json/json.ts'
import { EventRecord } from '../../src/api/shapes/shapes.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { type Filters, readFilters } from '../../src/translate/ops/calls/filter-values.ts'
import { filterApplied, hasLabel, headRetyped, onEach, recordDropped } from '../../src/translate/ops.ts'
import { familiar, nameOf } from '../by-hand/references.ts'

/** Docker's names of actions in a filter, and Podman's; it calls images removed that it shows as deleted. Before 4.4 it knows no `die`. */
const ACTIONS: Readonly<Record<string, string>> = {
  ...{ destroy: 'remove', delete: 'remove', exec_die: 'exec_died', die: 'died' },
}

function actionOf({ Type: type, Action: action, HealthStatus: health }: JsonObject): JsonValue | undefined {
  if (action === 'remove' && type !== 'image') return 'destroy'
  if (action === 'exec_died') return 'exec_die'
  return action === 'health_status' && typeof health === 'string' ? `health_status: ${health}` : action
}

/** An event as Docker sends it: its action, and what its actor is called. */
function asDockers(event: JsonObject): void {
  const action = actionOf(event)
  if (action !== event['Action']) Object.assign(event, { Action: action, status: action })
  const actor = objectOf(event['Actor'])
  const attributes = objectOf(actor['Attributes'])
  if (action === 'exec_die') attributes['exitCode'] ??= attributes['containerExitCode'] ?? ''
  if (event['Type'] === 'volume' && actor['ID'] === '') actor['ID'] = attributes['name'] ?? ''
  if (event['Type'] !== 'network') return
  if (action === 'connect' || action === 'disconnect') attributes['container'] = actor['ID'] ?? ''
  attributes['name'] = attributes['network'] === 'podman' ? 'bridge' : (attributes['network'] ?? '')
}

/** Podman’s filter `remove` takes removals of images and of containers alike, and none names a status of health. */
function isOther(record: JsonValue | undefined, { call }: StepContext): boolean {
  const action = isObject(record) ? stringOf(record['Action']) : ''
  if (!/^(?:destroy|delete|health_status: .*)$/.test(action)) return false
  const wanted = readFilters(call.query).get('event') ?? []
  return wanted.length > 0 && ![action, action.split(':')[0] ?? '', 'remove'].some((name) => wanted.includes(name))
}

/** As daemon/events/filter.go @v20.10.24, with images by the names that Docker shows. */
const isIncluded =
  (filters: Filters) =>
  (event: JsonObject): boolean => {
    const id = stringOf(memberAt(event, 'Actor', 'ID'))
    const attributes = objectOf(memberAt(event, 'Actor', 'Attributes'))
    const name = stringOf(attributes['name'])
    const image = familiar(event['Type'] === 'image' ? name : stringOf(attributes['image']))
    const has = (key: string, fits: (value: string) => boolean) => filters.get(key)?.some(fits) ?? true
    const begins = (value: string): boolean => id.startsWith(value) || name.startsWith(value)
    return (
      (filters.get('label')?.every((label) => hasLabel(attributes, label)) ?? true) &&
      has('image', (value) => value === id || [image, nameOf(image)].includes(familiar(value))) &&
      has('network', begins) &&
      has('daemon', begins) &&
      has('scope', (value) => value === (event['scope'] ?? 'local'))
    )
  }

const web = { Type: 'container', Actor: { ID: '0a', Attributes: { image: 'docker.io/library/web:1', a: 'b', c: '' } } }
const named = (Type: string, name: string) => ({ Type, Actor: { ID: '0b', Attributes: { name } } })

export default {
  'podman/events': {
    summary: 'Events have other actions: `remove` for `destroy`, `exec_died`, a status of health beside it.',
    see: 'libpod/events/filters.go, pkg/api/handlers/compat/events.go @v5.4.2; seen on Podman 5.4.2 and Docker 20.10.24',
    ops: [
      onEach(EventRecord, 'actions, volumes and networks are called as on Docker', { responseDown: asDockers }),
      headRetyped('SystemEvents', 'filter event', {
        toNewer: (action) => ACTIONS[action] ?? action.split(':')[0],
        samples: [...Object.entries(ACTIONS), ['health_status: healthy', 'health_status'], ['start']],
        description: 'a filter by action has Podman’s names',
      }),
      recordDropped('SystemEvents', 'those that were not asked for are left out', isOther),
    ],
    examples: {
      'SystemEvents responseDown body': [
        [
          { Type: 'container', Action: 'remove', status: 'remove' },
          { Type: 'container', Action: 'destroy', status: 'destroy' },
        ],
        [
          { Action: 'health_status', HealthStatus: 'healthy' },
          { Action: 'health_status: healthy', status: 'health_status: healthy', HealthStatus: 'healthy' },
        ],
        [
          { Action: 'exec_died', Actor: { Attributes: { containerExitCode: '3' } } },
          { Action: 'exec_die', status: 'exec_die', Actor: { Attributes: { containerExitCode: '3', exitCode: '3' } } },
        ],
        [
          { Type: 'volume', Action: 'create', Actor: { ID: '', Attributes: { name: 'v' } } },
          { Type: 'volume', Action: 'create', Actor: { ID: 'v', Attributes: { name: 'v' } } },
        ],
        [
          { Type: 'network', Action: 'connect', Actor: { ID: '0a', Attributes: { name: 'web', network: 'n' } } },
          {
            Type: 'network',
            Action: 'connect',
            Actor: { ID: '0a', Attributes: { name: 'n', network: 'n', container: '0a' } },
          },
        ],
        [{ Type: 'image', Action: 'remove' }],
        [
          { Action: 'health_status', HealthStatus: 'starting' },
          'dropped',
          { asked: { query: 'filters={"event":["health_status: healthy"]}' } },
        ],
        [{ Type: 'image', Action: 'delete' }, 'dropped', { asked: { query: 'filters={"event":["destroy"]}' } }],
        [
          { Type: 'container', Action: 'remove' },
          { Type: 'container', Action: 'destroy', status: 'destroy' },
          { asked: { query: 'filters={"event":["destroy"]}' } },
        ],
      ],
    },
  },
  // After the former: it sees networks by Docker’s names.
  'podman/event-filters': {
    summary:
      'Filters by image find events of images alone, those by label any of several, and those by network, daemon and scope are errors.',
    see: 'libpod/events/filters.go @v5.4.2; daemon/events/filter.go @v20.10.24',
    ops: filterApplied('SystemEvents', ['image', 'label', 'network', 'daemon', 'scope'], {
      keeps: isIncluded,
      of: 'older',
      records: true,
      samples: [
        { asks: '{"image":["web"]}', keeps: web, drops: named('image', 'docker.io/library/other:1') },
        { asks: '{"image":["web:1"]}', keeps: web, drops: named('container', 'web:1') },
        { asks: '{"image":["web"]}', keeps: named('image', 'docker.io/library/web:2'), drops: named('image', 'we') },
        { asks: '{"label":["a","c"]}', keeps: web, drops: named('container', 'a') },
        { asks: '{"label":["a=b"]}', keeps: web, drops: { Actor: { Attributes: { a: 'c' } } } },
        { asks: '{"network":["bri"]}', keeps: named('network', 'bridge'), drops: named('network', 'n') },
        { asks: '{"daemon":["0b"]}', keeps: named('daemon', 'n'), drops: web },
        { asks: '{"scope":["local"]}', keeps: web, drops: { scope: 'swarm' } },
      ],
    }),
  },
} satisfies PodmanChanges
