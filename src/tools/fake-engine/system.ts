import { once } from 'node:events'
import { listOf, objectOf, writeJson } from '../../api/json/json.ts'
import { isOlder } from '../../api/version.ts'
import { labelled } from './containers/containers.ts'
import { type EventRecord, type Moment, now, timestamp, writeEvent } from './events.ts'
import { recorded, recordedObject } from './recorded.ts'
import { checkImage, type Handler } from './store.ts'
import { openStream, passes, send, sendJson } from './wire.ts'

const PING_HEADERS = {
  'Builder-Version': '2',
  'Cache-Control': 'no-cache, no-store, must-revalidate',
  Pragma: 'no-cache',
  Swarm: 'inactive',
  'Content-Type': 'text/plain; charset=utf-8',
}
/** The longest delay of a Node timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
const BRIDGE_NF_BELOW = 50
/** First version with the number of containers; -1 before (moby CHANGELOG v1.51). */
const COUNTS_FROM = 51

export const ping: Handler = ({ req, res }) => send(res, 200, PING_HEADERS, req.method === 'HEAD' ? '' : 'OK')

export const version: Handler = ({ res, version: asked }) => sendJson(res, 200, recorded('version', asked))

export const info: Handler = ({ res, store, version: asked }) => {
  const running = store.containers.filter((container) => container.running).length
  sendJson(res, 200, {
    ...recordedObject('info', asked),
    ...(isOlder(asked, BRIDGE_NF_BELOW) ? { BridgeNfIptables: false, BridgeNfIp6tables: false } : {}),
    Containers: store.containers.length,
    ContainersRunning: running,
    ContainersStopped: store.containers.length - running,
    NEventsListener: store.events.listeners.size,
    SystemTime: timestamp(now()),
  })
}

/** The only image. */
export const listImages: Handler = ({ res, store, version: asked }) => {
  const Containers = isOlder(asked, COUNTS_FROM) ? -1 : store.containers.length
  const images = listOf(recorded('imageList', asked)).map((image) => ({ ...objectOf(image), Containers }))
  sendJson(res, 200, images)
}

export const inspectImage: Handler = ({ res, target, version: asked }) => {
  checkImage(target)
  sendJson(res, 200, recorded('imageInspect', asked))
}

/** The record matches one value of every filter. `exec_start` also matches `exec_start: sh`. */
const wanted = ({ action, id, attributes }: EventRecord, query: URLSearchParams): boolean =>
  passes(query, {
    container: (value) => id.startsWith(value) || attributes['name'] === value,
    event: (value) => action === value || action.startsWith(`${value}:`),
    image: (value) => attributes['image'] === value,
    label: (value) => labelled(attributes, value),
    type: (value) => value === 'container',
  })

/** `since` and `until`: seconds, optionally with a fraction. Undefined if absent. */
function momentIn(query: URLSearchParams, name: string): Moment | undefined {
  const found = /^(\d+)(?:\.(\d{1,9}))?$/.exec(query.get(name) ?? '')
  return found === null ? undefined : BigInt(found[1] ?? 0) * 1_000_000_000n + BigInt((found[2] ?? '').padEnd(9, '0'))
}

/** Events since `since`, then live events until `until`, or forever. */
export const events: Handler = async ({ res, query, store, version: asked }) => {
  const [since, until] = [momentIn(query, 'since'), momentIn(query, 'until')]
  const { kept, listeners } = store.events
  openStream(res, 'application/json')
  const tell = (record: EventRecord): void => {
    if ((until === undefined || record.at <= until) && wanted(record, query))
      res.write(`${writeJson(writeEvent(record, asked))}\n`)
  }
  listeners.add(tell)
  if (since !== undefined || until !== undefined)
    for (const record of kept) if (record.at >= (since ?? 0n)) tell(record)
  const left = until === undefined ? LONGEST_TIMER_MS : Math.max(0, Number((until - now()) / 1_000_000n))
  const timer = setTimeout(() => res.end(), Math.min(left, LONGEST_TIMER_MS))
  await once(res, 'close')
  clearTimeout(timer)
  listeners.delete(tell)
}
