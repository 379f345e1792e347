import { once } from 'node:events'
import { fromInteger, type JsonObject, listOf, objectOf, writeJson } from '../../api/json/json.ts'
import { type ApiVersion, isOlder } from '../../api/version.ts'
import { recorded, recordedObject } from './recorded.ts'
import { checkImage, type EventRecord, type Handlers } from './store.ts'
import { filterOf, openStream, send, sendJson } from './wire.ts'

const PING_HEADERS = {
  'Builder-Version': '2',
  'Cache-Control': 'no-cache, no-store, must-revalidate',
  Pragma: 'no-cache',
  Swarm: 'inactive',
  'Content-Type': 'text/plain; charset=utf-8',
}
/** First version with the number of containers; -1 before (moby CHANGELOG v1.51). */
const COUNTS_FROM = 51
/** From this version on `status`, `id` and `from` are gone (moby CHANGELOG v1.52). */
const LEGACY_MEMBERS_BELOW = 52
/** The longest delay of a Node timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** `exec_start` also matches `exec_start: sh`. */
const EVENT_FILTERS = {
  container: ({ id, attributes }: EventRecord, value: string) => id.startsWith(value) || attributes['name'] === value,
  event: ({ action }: EventRecord, value: string) => action === value || action.startsWith(`${value}:`),
  type: (_record: EventRecord, value: string) => value === 'container',
}

/** A record in the engine's format. */
function written({ at, action, id, attributes }: EventRecord, asked: ApiVersion): JsonObject {
  const legacy = { status: action, id, from: attributes['image'] ?? '' }
  return {
    ...(isOlder(asked, LEGACY_MEMBERS_BELOW) ? legacy : {}),
    ...{ Type: 'container', Action: action, Actor: { ID: id, Attributes: { ...attributes } }, scope: 'local' },
    ...{ time: Math.trunc(at / 1000), timeNano: fromInteger(BigInt(at) * 1_000_000n) },
  }
}

/** `since` and `until` are seconds, with or without a fraction. */
function millisecondsIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? ''
  return /^\d+(\.\d*)?$/.test(text) ? Number(text) * 1000 : undefined
}

export const system: Handlers = {
  SystemPing: ({ res }) => send(res, 200, PING_HEADERS, 'OK'),
  SystemPingHead: ({ res }) => send(res, 200, PING_HEADERS),
  SystemVersion: ({ res, version }) => sendJson(res, 200, recorded('version', version)),

  SystemInfo: ({ res, store, version }) => {
    const Containers = store.containers.length
    const ContainersRunning = store.containers.filter(({ process }) => process.running).length
    const counts = { Containers, ContainersRunning, ContainersStopped: Containers - ContainersRunning }
    const now = { NEventsListener: store.listenerCount('event'), SystemTime: new Date().toISOString() }
    sendJson(res, 200, { ...recordedObject('info', version), ...counts, ...now })
  },

  /** The only image. */
  ImageList: ({ res, store, version }) => {
    const Containers = isOlder(version, COUNTS_FROM) ? -1 : store.containers.length
    const images = listOf(recorded('imageList', version)).map((image) => ({ ...objectOf(image), Containers }))
    sendJson(res, 200, images)
  },

  ImageInspect: ({ res, target, version }) => {
    checkImage(target)
    sendJson(res, 200, recorded('imageInspect', version))
  },

  /** Events since `since`, then live events until `until`, or forever. */
  SystemEvents: async ({ res, query, store, version }) => {
    const [since, until] = [millisecondsIn(query, 'since'), millisecondsIn(query, 'until')]
    const fits = filterOf(query, EVENT_FILTERS)
    openStream(res, 'application/json')
    const tell = (record: EventRecord): void => {
      if (record.at <= (until ?? Infinity) && fits(record)) res.write(`${writeJson(written(record, version))}\n`)
    }
    if (since !== undefined || until !== undefined)
      for (const record of store.events) if (record.at >= (since ?? 0)) tell(record)
    store.on('event', tell)
    const left = Math.min(Math.max(0, (until ?? Infinity) - Date.now()), LONGEST_TIMER_MS)
    const timer = setTimeout(() => res.end(), left)
    await once(res, 'close')
    clearTimeout(timer)
    store.off('event', tell)
  },
}
