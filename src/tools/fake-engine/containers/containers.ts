import { isUnset, objectOf, stringOf } from '../../../api/json/json.ts'
import { words } from '../../../config/text.ts'
import type { FakeEngineCall, Handler } from '../call.ts'
import { readMoment, timestamp } from '../clock.ts'
import {
  EngineError,
  flag,
  frame,
  MULTIPLEXED_STREAM,
  openStream,
  RAW_STREAM,
  readFilters,
  sendEmpty,
  sendJson,
} from '../wire.ts'
import type { Container, LogEntry } from './container.ts'
import { readCreateRequest, readUpdateRequest } from './create-request.ts'
import { inspectContainer, listedContainer } from './render.ts'

const LIST_FILTERS = ['ancestor', 'exited', 'id', 'label', 'name', 'status']
const OTHER_LIST_FILTERS = words('before expose health is-task isolation network publish since volume')

function listed(container: Container, filters: ReadonlyMap<string, readonly string[]>): boolean {
  const labels = objectOf(container.config['Labels'])
  const tests: Readonly<Record<string, (value: string) => boolean>> = {
    ancestor: (value) => stringOf(container.config['Image']) === value,
    exited: (value) => container.status === 'exited' && container.exitCode === Number(value),
    id: (value) => container.id.startsWith(value),
    label: (value) => {
      const [name = '', wanted] = value.split('=', 2)
      return wanted === undefined ? labels[name] !== undefined : labels[name] === wanted
    },
    name: (value) => container.name.includes(value.replace(/^\//, '')),
    status: (value) => container.status === value,
  }
  for (const [name, values] of filters) {
    const test = tests[name]
    if (test !== undefined && values.length > 0 && !values.some(test)) return false
  }
  return true
}

export const list: Handler = ({ res, query, store, version }) => {
  const filters = readFilters(query, [...LIST_FILTERS, ...OTHER_LIST_FILTERS])
  const limit = Number(query.get('limit') ?? 0)
  const everything = flag(query, 'all') || limit > 0 || filters.has('status') || filters.has('exited')
  const found = store.containers.filter((one) => (everything || one.running) && listed(one, filters))
  const shown = limit > 0 ? found.slice(0, limit) : found
  sendJson(
    res,
    200,
    shown.map((one) => listedContainer(one, version, flag(query, 'size'))),
  )
}

export const create: Handler = async (call) => {
  const name = call.query.get('name')
  const request = readCreateRequest(await call.jsonBody())
  const { Cmd, Entrypoint } = request.config
  // Without a command the image's own applies (its recorded Config has `["sh"]`).
  const config = isUnset(Cmd) && isUnset(Entrypoint) ? { ...request.config, Cmd: ['sh'] } : request.config
  const container = call.store.create(name === null || name === '' ? undefined : name.replace(/^\//, ''), {
    ...request,
    config,
  })
  sendJson(call.res, 201, { Id: container.id, Warnings: [] })
}

export const inspect: Handler = ({ res, target, query, store, version }) => {
  sendJson(res, 200, inspectContainer(store, store.container(target), version, flag(query, 'size')))
}

/** Only `{}` and `null` are allowed: other bodies were a HostConfig once (moby CHANGELOG v1.24). */
export const start: Handler = async (call) => {
  const container = call.store.container(call.target)
  const text = (await call.body()).toString().trim()
  if (text !== '' && text !== '{}' && text !== 'null') {
    throw new EngineError(
      400,
      'starting container with non-empty request body was deprecated since API v1.22 and removed in v1.24',
    )
  }
  sendEmpty(call.res, container.start() ? 204 : 304)
}

const SIGNALS: Readonly<Record<string, number>> = {
  ABRT: 6,
  ALRM: 14,
  HUP: 1,
  INT: 2,
  KILL: 9,
  PIPE: 13,
  QUIT: 3,
  TERM: 15,
  USR1: 10,
  USR2: 12,
  WINCH: 28,
}
const KILL = 9
const TERM = 15

function readSignal(container: Container, text: string): number {
  const name = text.toUpperCase().replace(/^SIG/, '')
  const number = /^\d+$/.test(name) ? Number(name) : SIGNALS[name]
  if (number === undefined || number < 1 || number > 64)
    throw new EngineError(400, `cannot kill container: ${container.name}: invalid signal: ${text}`)
  return number
}

export const kill: Handler = ({ res, target, query, store }) => {
  const container = store.container(target)
  const text = query.get('signal')
  const signal = text === null || text === '' ? KILL : readSignal(container, text)
  if (!container.running)
    throw new EngineError(409, `cannot kill container: ${target}: container ${container.id} is not running`)
  container.kill(signal)
  sendEmpty(res, 204)
}

async function stopped(container: Container): Promise<boolean> {
  if (!container.running) return false
  const over = container.nextExit()
  container.kill(TERM)
  await over
  container.happened('stop')
  return true
}

export const stop: Handler = async ({ res, target, store }) => {
  sendEmpty(res, (await stopped(store.container(target))) ? 204 : 304)
}

export const restart: Handler = async ({ res, target, store }) => {
  const container = store.container(target)
  await stopped(container)
  container.start()
  container.happened('restart')
  sendEmpty(res, 204)
}

/** Sends the head before the container has ended: clients start the container only then. */
export const wait: Handler = async ({ res, target, query, store }) => {
  const container = store.container(target)
  const condition = query.get('condition') ?? ''
  const { promise: gone, resolve: left } = Promise.withResolvers<void>()
  res.once('close', left)
  openStream(res, 'application/json')
  if (condition === 'next-exit' || container.running) await Promise.race([container.nextExit(), gone])
  else if (condition === 'removed') await Promise.race([removed(container), gone])
  res.end(`${JSON.stringify({ StatusCode: container.exitCode })}\n`)
}

function removed(container: Container): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  container.once('removed', resolve)
  return promise
}

/** Set members of the body replace the container's. */
export const update: Handler = async (call) => {
  const container = call.store.container(call.target)
  const wanted = readUpdateRequest(await call.jsonBody())
  for (const [name, value] of Object.entries(wanted))
    if (value !== undefined && !isUnset(value)) container.hostConfig[name] = value
  container.happened('update')
  sendJson(call.res, 200, { Warnings: null })
}

export const rename: Handler = ({ res, target, query, store }) => {
  const container = store.container(target)
  const name = (query.get('name') ?? '').replace(/^\//, '')
  if (name === '') throw new EngineError(400, 'Neither old nor new names may be empty')
  store.checkName(name)
  const oldName = `/${container.name}`
  container.name = name
  container.happened('rename', { oldName })
  sendEmpty(res, 204)
}

export const resize: Handler = ({ res, target, query, store }) => {
  const container = store.runningContainer(target)
  container.happened('resize', { height: query.get('h') ?? '0', width: query.get('w') ?? '0' })
  sendEmpty(res, 200)
}

export const remove: Handler = async ({ res, target, query, store }) => {
  const container = store.container(target)
  if (container.running) {
    if (!flag(query, 'force')) {
      throw new EngineError(
        409,
        `cannot remove container "${container.name}": container is running: stop the container before removing or force remove`,
      )
    }
    const over = container.nextExit()
    container.kill(KILL)
    await over
  }
  store.remove(container)
  sendEmpty(res, 204)
}

/** Log entries as bytes: one frame per line without a terminal, plain lines with one. */
function logLines(container: Container, entry: LogEntry, query: URLSearchParams): Buffer[] {
  const wanted = entry.stream === 1 ? 'stdout' : 'stderr'
  if (!flag(query, wanted)) return []
  const lines = entry.data.toString().match(/[^\n]*\n|[^\n]+$/g) ?? []
  return lines.map((line) => {
    const text = Buffer.from(flag(query, 'timestamps') ? `${timestamp(entry.at)} ${line}` : line)
    return container.tty ? text : frame(entry.stream, text)
  })
}

function logTail(container: Container, query: URLSearchParams): Buffer[] {
  const since = readMoment(query.get('since')) ?? 0n
  const until = readMoment(query.get('until')) ?? 0n
  const chosen = container.log.filter(({ at }) => at >= since && (until === 0n || at <= until))
  const lines = chosen.flatMap((entry) => logLines(container, entry, query))
  const tail = query.get('tail') ?? 'all'
  return /^\d+$/.test(tail) ? lines.slice(lines.length - Math.min(Number(tail), lines.length)) : lines
}

export const logs: Handler = async ({ res, target, query, store }: FakeEngineCall) => {
  const container = store.container(target)
  if (!flag(query, 'stdout') && !flag(query, 'stderr'))
    throw new EngineError(400, 'Bad parameters: you must choose at least one stream')
  openStream(res, container.tty ? RAW_STREAM : MULTIPLEXED_STREAM)
  for (const line of logTail(container, query)) res.write(line)
  if (!flag(query, 'follow') || !container.running) {
    res.end()
    return
  }
  const print = (entry: LogEntry): void => {
    for (const line of logLines(container, entry, query)) res.write(line)
  }
  const { promise: gone, resolve: left } = Promise.withResolvers<void>()
  res.once('close', left)
  container.on('output', print)
  await Promise.race([container.nextExit(), gone])
  container.off('output', print)
  res.end()
}
