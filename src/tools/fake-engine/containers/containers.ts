import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { constants } from 'node:os'
import { isUnset, objectOf } from '../../../api/json/json.ts'
import { asTexts } from '../recorded.ts'
import type { Handler } from '../store.ts'
import { EngineError, flag, frame, openStream, passes, readAll, readJson, send, sendJson, streamType } from '../wire.ts'
import { type Container, checkLists, type LogEntry, readCreateRequest } from './container.ts'
import { inspectContainer, listedContainer } from './render.ts'

/** Whether texts by name have this one: `name`, or `name=value`. */
export function labelled(labels: object, label: string): boolean {
  const [name = '', wanted] = label.split('=', 2)
  const found = Object.entries(labels).find(([key]) => key === name)
  return found !== undefined && (wanted === undefined || found[1] === wanted)
}

const listed = (container: Container, query: URLSearchParams): boolean =>
  passes(query, {
    id: (value) => container.id.startsWith(value),
    label: (value) => labelled(objectOf(container.config['Labels']), value),
    name: (value) => container.name.includes(value.replace(/^\//, '')),
    status: (value) => container.status === value,
  })

export const list: Handler = ({ res, query, store, version }) => {
  const everything = flag(query, 'all') || (query.get('filters') ?? '').includes('"status"')
  const found = store.containers.filter((one) => (everything || one.running) && listed(one, query))
  const shown = found.map((one) => listedContainer(one, version))
  sendJson(res, 200, shown)
}

const nameIn = (query: URLSearchParams): string => (query.get('name') ?? '').replace(/^\//, '')

export const create: Handler = async ({ req, res, query, store }) => {
  const container = store.create(nameIn(query), readCreateRequest(await readJson(req)))
  sendJson(res, 201, { Id: container.id, Warnings: [] })
}

export const inspect: Handler = ({ res, target, store, version }) =>
  sendJson(res, 200, inspectContainer(store, store.container(target), version))

/** Only `{}` and `null` are allowed: other bodies were a HostConfig once (moby CHANGELOG v1.24). */
export const start: Handler = async ({ req, res, target, store }) => {
  const container = store.container(target)
  const text = (await readAll(req)).toString().trim()
  if (!['', '{}', 'null'].includes(text)) {
    const message = 'starting container with non-empty request body was deprecated since API v1.22 and removed in v1.24'
    throw new EngineError(400, message)
  }
  const runs = container.running
  if (!runs) container.start()
  send(res, runs ? 304 : 204)
}

const { SIGKILL, SIGTERM } = constants.signals

export const kill: Handler = ({ res, target, query, store }) => {
  const container = store.container(target)
  const text = (query.get('signal') ?? '').toUpperCase() || 'KILL'
  const signals: Readonly<Record<string, number>> = constants.signals
  const signal = /^\d+$/.test(text) ? Number(text) : signals[`SIG${text.replace(/^SIG/, '')}`]
  if (signal === undefined)
    throw new EngineError(400, `cannot kill container: ${container.name}: invalid signal: ${text}`)
  if (!container.running)
    throw new EngineError(409, `cannot kill container: ${target}: container ${container.id} is not running`)
  container.kill(signal)
  send(res, 204)
}

async function end(container: Container, signal: number): Promise<void> {
  const over = once(container, 'exited')
  container.kill(signal)
  await over
}

/** Until something happens to the container, or the client has gone. */
const next = (container: Container, happening: 'exited' | 'removed', res: ServerResponse): Promise<unknown> =>
  Promise.race([once(container, happening), once(res, 'close')])

export const stop: Handler = async ({ res, target, store }) => {
  const container = store.container(target)
  const runs = container.running
  if (runs) {
    await end(container, SIGTERM)
    container.happened('stop')
  }
  send(res, runs ? 204 : 304)
}

/** Sends the head before the container has ended: clients start the container only then. */
export const wait: Handler = async ({ res, target, query, store }) => {
  const container = store.container(target)
  const condition = query.get('condition')
  openStream(res, 'application/json')
  if (condition === 'next-exit' || container.running) await next(container, 'exited', res)
  else if (condition === 'removed') await next(container, 'removed', res)
  res.end(`${JSON.stringify({ StatusCode: container.exitCode })}\n`)
}

/** Set members of the body replace the container's. */
export const update: Handler = async ({ req, res, target, store }) => {
  const container = store.container(target)
  const wanted = Object.entries(objectOf(await readJson(req)))
  Object.assign(container.hostConfig, Object.fromEntries(wanted.filter(([, value]) => !isUnset(value))))
  container.happened('update')
  sendJson(res, 200, { Warnings: null })
}

export const rename: Handler = ({ res, target, query, store }) => {
  const container = store.container(target)
  const name = nameIn(query)
  if (name === '') throw new EngineError(400, 'Neither old nor new names may be empty')
  store.checkName(name)
  const oldName = `/${container.name}`
  container.name = name
  container.happened('rename', { oldName })
  send(res, 204)
}

export const remove: Handler = async ({ res, target, query, store }) => {
  const container = store.container(target)
  if (container.running && !flag(query, 'force')) {
    const advice = 'stop the container before removing or force remove'
    throw new EngineError(409, `cannot remove container "${container.name}": container is running: ${advice}`)
  }
  if (container.running) await end(container, SIGKILL)
  store.remove(container)
  send(res, 204)
}

/** One log entry as bytes: a frame per line without a terminal, plain lines with one. */
function logLines({ tty }: Container, { stream, data }: LogEntry, query: URLSearchParams): Buffer[] {
  if (!flag(query, stream === 1 ? 'stdout' : 'stderr')) return []
  const lines = data.toString().match(/[^\n]*\n|[^\n]+$/g) ?? []
  return lines.map((line) => (tty ? Buffer.from(line) : frame(stream, Buffer.from(line))))
}

export const logs: Handler = async ({ res, target, query, store }) => {
  const container = store.container(target)
  if (!flag(query, 'stdout') && !flag(query, 'stderr'))
    throw new EngineError(400, 'Bad parameters: you must choose at least one stream')
  openStream(res, streamType(container.tty))
  const print = (entry: LogEntry): void => {
    for (const line of logLines(container, entry, query)) res.write(line)
  }
  const lines = container.log.flatMap((entry) => logLines(container, entry, query))
  const tail = query.get('tail') ?? 'all'
  for (const line of /^\d+$/.test(tail) ? lines.slice(Math.max(0, lines.length - Number(tail))) : lines) res.write(line)
  if (flag(query, 'follow') && container.running) {
    container.on('output', print)
    await next(container, 'exited', res)
    container.off('output', print)
  }
  res.end()
}

export const createExec: Handler = async ({ req, res, target, store }) => {
  const config = objectOf(await readJson(req))
  checkLists(config, ['Cmd', 'Env'], 'ExecCreateRequest')
  if (isUnset(config['Cmd'])) throw new EngineError(400, 'No exec command specified')
  const { id, container } = store.createExec(target, config)
  container.happened(`exec_create: ${asTexts(config['Cmd']).join(' ')}`, { execID: id })
  sendJson(res, 201, { Id: id })
}

export const inspectExec: Handler = ({ res, target, store }) => {
  const { id, container, config, process } = store.exec(target)
  const { Cmd, Tty, Privileged, AttachStdin, AttachStdout, AttachStderr, DetachKeys } = config
  const [entrypoint = '', ...args] = asTexts(Cmd)
  sendJson(res, 200, {
    ID: id,
    Running: process.running,
    ExitCode: process.exitCode,
    ProcessConfig: { tty: Tty === true, entrypoint, arguments: args, privileged: Privileged === true },
    OpenStdin: AttachStdin === true,
    OpenStderr: AttachStderr === true,
    OpenStdout: AttachStdout === true,
    CanRemove: false,
    ContainerID: container.id,
    DetachKeys: DetachKeys ?? '',
    Pid: process.started ? process.pid : 0,
  })
}
