import { fromInteger, type JsonObject } from '../../api/json/json.ts'
import { type ApiVersion, isOlder } from '../../api/version.ts'

/** Nanoseconds since 1970. */
export type Moment = bigint

let last = 0n

/** The current time, strictly increasing: records are ordered by time. */
export function now(): Moment {
  const read = BigInt(Math.trunc((performance.timeOrigin + performance.now()) * 1000)) * 1000n
  last = read > last ? read : last + 1n
  return last
}

export const seconds = (moment: Moment): number => Number(moment / 1_000_000_000n)

/** Go's RFC3339Nano; zero is Go's zero time. */
export function timestamp(moment: Moment): string {
  if (moment === 0n) return '0001-01-01T00:00:00Z'
  const fraction = (moment % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '')
  const whole = new Date(seconds(moment) * 1000).toISOString().slice(0, 19)
  return `${whole}${fraction === '' ? '' : `.${fraction}`}Z`
}

/** Something that happened to a container. */
export interface EventRecord {
  readonly at: Moment
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
  readonly kept: EventRecord[] = []
  readonly listeners = new Set<(record: EventRecord) => void>()

  add(action: string, id: string, attributes: EventRecord['attributes']): void {
    const record = { at: now(), action, id, attributes }
    this.kept.push(record)
    if (this.kept.length > KEPT) this.kept.shift()
    for (const listener of this.listeners) listener(record)
  }
}

/** A record in the engine's format at `version`. */
export function writeEvent({ at, action, id, attributes }: EventRecord, version: ApiVersion): JsonObject {
  const hasLegacy = isOlder(version, LEGACY_MEMBERS_BELOW)
  return {
    ...(hasLegacy ? { status: action, id, from: attributes['image'] ?? '' } : {}),
    Type: 'container',
    Action: action,
    Actor: { ID: id, Attributes: { ...attributes } },
    scope: 'local',
    time: seconds(at),
    timeNano: fromInteger(at),
  }
}
