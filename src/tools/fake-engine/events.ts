import type { JsonObject } from '../../api/json/json.ts'
import { type ApiVersion, isOlder } from '../../api/version.ts'
import { type Moment, nanoseconds, now, seconds } from './clock.ts'

export interface EventRecord {
  readonly at: Moment
  readonly type: 'container' | 'image' | 'network'
  readonly action: string
  readonly id: string
  readonly attributes: Readonly<Record<string, string>>
}

/** Engines keep the last 256 (daemon/events). */
const KEPT = 256
/** From this version on `status`, `id` and `from` are gone (moby CHANGELOG v1.52). */
const LEGACY_MEMBERS_BELOW = 52

/** Past events and their subscribers. */
export class Events {
  readonly #kept: EventRecord[] = []
  readonly #listeners = new Set<(record: EventRecord) => void>()

  add(type: EventRecord['type'], action: string, id: string, attributes: EventRecord['attributes']): void {
    const record = { at: now(), type, action, id, attributes }
    this.#kept.push(record)
    if (this.#kept.length > KEPT) this.#kept.shift()
    for (const listener of this.#listeners) listener(record)
  }

  since(moment: Moment): readonly EventRecord[] {
    return this.#kept.filter(({ at }) => at >= moment)
  }

  listen(listener: (record: EventRecord) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get listeners(): number {
    return this.#listeners.size
  }
}

/** A record in the engine's format at `version`. */
export function writeEvent({ at, type, action, id, attributes }: EventRecord, version: ApiVersion): JsonObject {
  const legacy: JsonObject = {}
  if (isOlder(version, LEGACY_MEMBERS_BELOW) && type !== 'network') {
    legacy['status'] = action
    legacy['id'] = id
    if (type === 'container') legacy['from'] = attributes['image'] ?? ''
  }
  return {
    ...legacy,
    Type: type,
    Action: action,
    Actor: { ID: id, Attributes: { ...attributes } },
    scope: 'local',
    time: seconds(at),
    timeNano: nanoseconds(at),
  }
}

const FILTERS = ['container', 'event', 'image', 'label', 'network', 'scope', 'type'] as const
export const EVENT_FILTERS: readonly string[] = [...FILTERS, 'config', 'daemon', 'node', 'plugin', 'secret', 'service']

/** The record matches one value of every filter. `exec_start` also matches `exec_start: sh`. */
export function passes(record: EventRecord, filters: ReadonlyMap<string, readonly string[]>): boolean {
  const { type, action, id, attributes } = record
  const tests: Readonly<Record<string, (value: string) => boolean>> = {
    container: (value) => type === 'container' && (id.startsWith(value) || attributes['name'] === value),
    event: (value) => action === value || action.startsWith(`${value}:`),
    image: (value) => (type === 'image' ? [id, attributes['name']].includes(value) : attributes['image'] === value),
    label: (value) => {
      const [name = '', wanted] = value.split('=', 2)
      return wanted === undefined ? name in attributes : attributes[name] === wanted
    },
    network: (value) => type === 'network' && (id.startsWith(value) || attributes['name'] === value),
    scope: (value) => value === 'local',
    type: (value) => type === value,
  }
  for (const [name, values] of filters) {
    const test = tests[name]
    if (values.length > 0 && (test === undefined || !values.some(test))) return false
  }
  return true
}
