import { type JsonObject, writeJson } from '../../api/json/json.ts'
import { type ApiVersion, isOlder } from '../../api/version.ts'
import type { FakeEngineCall, Handler } from './call.ts'
import { type Moment, now, readMoment, timestamp } from './clock.ts'
import type { Container } from './containers/container.ts'
import { listedImages } from './containers/images.ts'
import { listedContainer } from './containers/render.ts'
import { EVENT_FILTERS, type EventRecord, passes, writeEvent } from './events.ts'
import { recorded, recordedObject, recordedStats } from './recorded.ts'
import { flag, openStream, readFilters, sendJson, sendText } from './wire.ts'

const PING_HEADERS = {
  'Builder-Version': '2',
  'Cache-Control': 'no-cache, no-store, must-revalidate',
  Pragma: 'no-cache',
  Swarm: 'inactive',
}
const STATS_EVERY_MS = 1000
/** The longest delay of a Node timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
/** First versions with usage by kind, and with event formats by Accept (moby CHANGELOG v1.52, v1.53). */
const USAGE_FROM = 52
const BRIDGE_NF_BELOW = 50

export const ping: Handler = ({ req, res }) => sendText(res, PING_HEADERS, req.method === 'HEAD' ? '' : 'OK')

export const version: Handler = ({ res, version: asked }) => sendJson(res, 200, recorded('version', asked))

export const info: Handler = ({ res, store, version: asked }) => {
  const running = store.containers.filter((container) => container.running).length
  sendJson(res, 200, {
    ...recordedObject('info', asked),
    ...(isOlder(asked, BRIDGE_NF_BELOW) ? { BridgeNfIptables: false, BridgeNfIp6tables: false } : {}),
    Containers: store.containers.length,
    ContainersRunning: running,
    ContainersStopped: store.containers.length - running,
    NEventsListener: store.events.listeners,
    SystemTime: timestamp(now()),
  })
}

export const networks: Handler = ({ res, version: asked }) => sendJson(res, 200, recorded('networks', asked))

export const volumes: Handler = ({ res }) => sendJson(res, 200, { Volumes: [], Warnings: null })

export const diskUsage: Handler = ({ res, store, version: asked }) => {
  const items = listedImages(store, asked)
  const containers = store.containers.map((one) => listedContainer(one, asked, true))
  const size = Number(items[0]?.['Size'] ?? 0)
  const legacy = { LayersSize: size, Images: items, Containers: containers, Volumes: [], BuildCache: [] }
  sendJson(res, 200, isOlder(asked, USAGE_FROM) ? legacy : { ...legacy, ...usage(items, containers, size) })
}

function usage(images: JsonObject[], containers: JsonObject[], size: number): JsonObject {
  const active = containers.filter((container) => container['State'] === 'running').length
  const used = containers.length > 0
  return {
    ImageUsage: {
      ActiveCount: used ? 1 : 0,
      Items: images,
      ...(used ? {} : { Reclaimable: size }),
      TotalCount: images.length,
      TotalSize: size,
    },
    ContainerUsage:
      containers.length === 0 ? {} : { ActiveCount: active, Items: containers, TotalCount: containers.length },
    VolumeUsage: {},
    BuildCacheUsage: {},
  }
}

/** The event formats that clients can request from 1.52 on; all contain JSON records separated by line feeds. */
function eventsType(accept: string, asked: ApiVersion): string {
  if (isOlder(asked, USAGE_FROM)) return 'application/json'
  return ['application/jsonl', 'application/x-ndjson'].find((type) => accept.includes(type)) ?? 'application/json'
}

/** Events since `since`, then live events until `until`, or forever. */
export const events: Handler = async ({ req, res, query, store, version: asked }) => {
  const filters = readFilters(query, EVENT_FILTERS)
  const since = readMoment(query.get('since'))
  const until = readMoment(query.get('until'))
  openStream(res, eventsType(req.headers.accept ?? '', asked))
  const tell = (record: EventRecord): void => {
    if ((until === undefined || record.at <= until) && passes(record, filters))
      res.write(`${writeJson(writeEvent(record, asked))}\n`)
  }
  const stop = store.events.listen(tell)
  if (since !== undefined || until !== undefined) for (const record of store.events.since(since ?? 0n)) tell(record)
  await untilThen(res, until)
  stop()
  res.end()
}

function untilThen(res: FakeEngineCall['res'], until: Moment | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  res.once('close', resolve)
  if (until !== undefined) {
    const left = Math.max(0, Number((until - now()) / 1_000_000n))
    const timer = setTimeout(resolve, Math.min(left, LONGEST_TIMER_MS))
    res.once('close', () => clearTimeout(timer))
  }
  return promise
}

function statsRecord(container: Container, preread: Moment): JsonObject {
  const name = { id: container.id, name: `/${container.name}` }
  if (!container.running) return { ...recordedStats('stopped'), ...name }
  return { ...recordedStats('running'), ...name, read: timestamp(now()), preread: timestamp(preread) }
}

export const stats: Handler = async ({ res, target, query, store }) => {
  const container = store.container(target)
  const streams = query.get('stream') === null || flag(query, 'stream')
  if (!streams) {
    sendJson(res, 200, statsRecord(container, 0n))
    return
  }
  openStream(res, undefined)
  let preread: Moment = 0n
  const tell = (): void => {
    res.write(`${writeJson(statsRecord(container, preread))}\n`)
    preread = now()
  }
  tell()
  const timer = setInterval(tell, STATS_EVERY_MS)
  const { promise, resolve } = Promise.withResolvers<void>()
  res.once('close', resolve)
  container.once('removed', resolve)
  await promise
  clearInterval(timer)
  res.end()
}
