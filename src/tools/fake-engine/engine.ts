import http, { type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { errorForm } from '../../api/errors.ts'
import { findOperation, type OperationName } from '../../api/operations.ts'
import { apiVersion, comparePrefix, formatVersion, type Prefix, splitPrefix } from '../../api/version.ts'
import { messageOf } from '../../config/text.ts'
import { listen } from '../../http/listen/listen.ts'
import * as containers from './containers.ts'
import { type Handler, type Route, Store } from './store.ts'
import { logs, startExec } from './streams.ts'
import * as system from './system.ts'
import { EngineError, HIGHEST_SERVED, LOWEST_SERVED, REFUSAL_HEADERS, sendError, sendRawError } from './wire.ts'

const HANDLERS: Readonly<Partial<Record<OperationName, Handler>>> = {
  ContainerList: containers.list,
  ContainerCreate: containers.create,
  ContainerInspect: containers.inspect,
  ContainerStart: containers.start,
  ContainerStop: containers.stop,
  ContainerKill: containers.kill,
  ContainerWait: containers.wait,
  ContainerUpdate: containers.update,
  ContainerDelete: containers.remove,
  ContainerLogs: logs,
  ContainerExec: containers.createExec,
  ExecInspect: containers.inspectExec,
  ImageList: system.listImages,
  ImageInspect: system.inspectImage,
  SystemPing: system.ping,
  SystemPingHead: system.ping,
  SystemVersion: system.version,
  SystemInfo: system.info,
  SystemEvents: system.events,
}

/** Endpoints of old versions that Engine 29 has removed. */
const GONE: readonly OperationName[] = ['ContainerCopy', 'ContainerListPs']

/** Unknown paths get 404 before their version is checked (recorded), and before all middleware. */
function route(req: IncomingMessage, store: Store): Route {
  const url = URL.parse(req.url ?? '/', 'http://engine')
  const { prefix, rest } = splitPrefix(decoded(url?.pathname ?? ''))
  const match = findOperation(req.method ?? 'GET', rest)
  if (match === undefined || GONE.includes(match.operation.name)) throw new EngineError(404, 'page not found', {})
  checkVersion(prefix)
  return {
    operation: match.operation.name,
    version: prefix.kind === 'none' ? HIGHEST_SERVED : apiVersion(prefix.parts[1] ?? 0),
    target: match.params['name'] ?? match.params['id'] ?? '',
    query: new URLSearchParams(url?.search),
    req,
    store,
  }
}

/** A path that cannot be decoded matches no route. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch (cause) {
    if (cause instanceof URIError) return ''
    throw cause
  }
}

/** `client version … is too old` is text below 1.24. */
function checkVersion(prefix: Prefix): void {
  if (prefix.kind === 'none') return
  const { parts, text } = prefix
  const [major = 0, minor = 0] = parts
  if (comparePrefix(parts, LOWEST_SERVED) < 0) {
    const message = `client version ${text} is too old. Minimum supported API version is ${formatVersion(LOWEST_SERVED)}, please upgrade your client to a newer version`
    const form = errorForm(apiVersion(major === 1 ? Math.min(minor, 999) : 0))
    throw new EngineError(400, message, REFUSAL_HEADERS, form)
  }
  if (comparePrefix(parts, HIGHEST_SERVED) <= 0) return
  const message = `client version ${text} is too new. Maximum supported API version is ${formatVersion(HIGHEST_SERVED)}`
  throw new EngineError(400, message, REFUSAL_HEADERS)
}

const absent = (operation: OperationName): EngineError =>
  new EngineError(501, `the fake engine does not have ${operation}; put a real engine behind the bridge`)

const asEngineError = (cause: unknown): EngineError =>
  cause instanceof EngineError ? cause : new EngineError(500, messageOf(cause))

export interface FakeEngine {
  readonly path: string
  close(): Promise<void>
}

/**
 * A small in-process engine for users without one: serves 1.44 to 1.53 as Engine 29 does, refuses other versions with
 * its errors, and keeps containers in memory. Runs nothing on the machine.
 */
export async function startFakeEngine(path: string): Promise<FakeEngine> {
  const store = new Store()
  const server = http.createServer({ requestTimeout: 0, keepAliveTimeout: 3_600_000 }, async (req, res) => {
    try {
      const found = route(req, store)
      const handler = HANDLERS[found.operation]
      if (handler === undefined) throw absent(found.operation)
      await handler({ ...found, res })
    } catch (cause) {
      if (res.headersSent) res.destroy()
      else sendError(res, asEngineError(cause))
    }
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('upgrade', async (req, socket, head) => {
    socket.on('error', () => socket.destroy())
    try {
      const found = route(req, store)
      if (found.operation !== 'ExecStart') throw absent(found.operation)
      await startExec(found, socket, head)
    } catch (cause) {
      sendRawError(socket, asEngineError(cause))
    }
  })
  await listen(server, { kind: 'unix', path })
  return {
    path,
    close: async () => {
      for (const { process } of store.containers) process.end(137)
      for (const socket of sockets) socket.destroy()
      await server[Symbol.asyncDispose]()
    },
  }
}
