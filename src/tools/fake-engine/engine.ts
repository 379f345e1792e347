import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ErrorForm, errorForm } from '../../api/errors.ts'
import { findOperation, type OperationName } from '../../api/operations.ts'
import { apiVersion, comparePrefix, formatVersion, type Prefix, splitPrefix } from '../../api/version.ts'
import { messageOf } from '../../config/text.ts'
import { listen } from '../../http/listen/listen.ts'
import { FakeEngineCall, type Handler } from './call.ts'
import * as containers from './containers/containers.ts'
import { createExec, inspectExec, resizeExec } from './containers/execs.ts'
import { attach, startExec } from './containers/hijack.ts'
import { imageHistory, inspectImage, listImages } from './containers/images.ts'
import { Store } from './store.ts'
import * as system from './system.ts'
import {
  EngineError,
  HIGHEST_SERVED,
  LOWEST_SERVED,
  rawError,
  sendError,
  sendPageNotFound,
  sendVersionRefusal,
} from './wire.ts'

const HANDLERS: Readonly<Partial<Record<OperationName, Handler>>> = {
  ContainerList: containers.list,
  ContainerCreate: containers.create,
  ContainerInspect: containers.inspect,
  ContainerStart: containers.start,
  ContainerStop: containers.stop,
  ContainerRestart: containers.restart,
  ContainerKill: containers.kill,
  ContainerWait: containers.wait,
  ContainerUpdate: containers.update,
  ContainerRename: containers.rename,
  ContainerResize: containers.resize,
  ContainerDelete: containers.remove,
  ContainerLogs: containers.logs,
  ContainerStats: system.stats,
  ContainerExec: createExec,
  ExecInspect: inspectExec,
  ExecResize: resizeExec,
  ImageList: listImages,
  ImageInspect: inspectImage,
  ImageHistory: imageHistory,
  SystemPing: system.ping,
  SystemPingHead: system.ping,
  SystemVersion: system.version,
  SystemInfo: system.info,
  SystemEvents: system.events,
  SystemDataUsage: system.diskUsage,
  NetworkList: system.networks,
  VolumeList: system.volumes,
}

/** Endpoints of old versions that Engine 29 has removed. */
const GONE: readonly OperationName[] = ['ContainerCopy', 'ContainerListPs']

type Route =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly error: EngineError; readonly form: ErrorForm }
  | { readonly kind: 'found'; readonly operation: OperationName; readonly facts: RouteFacts }
type RouteFacts = Omit<ConstructorParameters<typeof FakeEngineCall>[2], 'store'>

/** Routes a request. Unknown paths get 404 before their version is checked (recorded). */
function route(req: IncomingMessage): Route {
  const url = URL.parse(req.url ?? '/', 'http://engine')
  const { prefix, rest } = splitPrefix(decoded(url?.pathname ?? ''))
  const match = findOperation(req.method ?? 'GET', rest)
  if (match === undefined || GONE.includes(match.operation.name)) return { kind: 'unknown' }
  const refused = refusal(prefix)
  if (refused !== undefined) return refused
  const version = prefix.kind === 'none' ? HIGHEST_SERVED : apiVersion(prefix.parts[1] ?? 0)
  const target = match.params['name'] ?? match.params['id'] ?? ''
  return {
    kind: 'found',
    operation: match.operation.name,
    facts: { version, target, query: new URLSearchParams(url?.search) },
  }
}

/** A path that cannot be decoded matches no route. */
function decoded(path: string): string {
  return /%(?![0-9a-f]{2})/i.test(path)
    ? ''
    : Buffer.from(
        path.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      ).toString()
}

function refusal(prefix: Prefix): Extract<Route, { kind: 'refused' }> | undefined {
  if (prefix.kind === 'none') return undefined
  const { parts, text } = prefix
  if (comparePrefix(parts, LOWEST_SERVED) < 0) {
    const message = `client version ${text} is too old. Minimum supported API version is ${formatVersion(LOWEST_SERVED)}, please upgrade your client to a newer version`
    const [major = 0, minor = 0] = parts
    const form = errorForm(apiVersion(major === 1 ? Math.min(minor, 999) : 0))
    return { kind: 'refused', error: new EngineError(400, message), form }
  }
  if (comparePrefix(parts, HIGHEST_SERVED) > 0) {
    const message = `client version ${text} is too new. Maximum supported API version is ${formatVersion(HIGHEST_SERVED)}`
    return { kind: 'refused', error: new EngineError(400, message), form: 'json' }
  }
  return undefined
}

function wantsConnection(req: IncomingMessage): boolean {
  const found = route(req)
  return found.kind === 'found' && (found.operation === 'ContainerAttach' || found.operation === 'ExecStart')
}

interface Parser {
  onIncoming: (req: IncomingMessage, keepAlive: boolean) => number
}

/**
 * Takes the connections of attach and exec start with all bytes after the head, with or without Upgrade, on all Node
 * versions: returning 2 from the parser's `onIncoming` announces another protocol (node: lib/_http_server.js).
 */
function watchForHijack(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: Parser }
  if (parser === undefined) return
  const onIncoming = parser.onIncoming
  parser.onIncoming = function (this: Parser, req, keepAlive) {
    if (!wantsConnection(req)) return onIncoming.call(this, req, keepAlive)
    ;(req as IncomingMessage & { upgrade: boolean }).upgrade = true
    return 2
  }
}

async function answer(store: Store, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const found = route(req)
  if (found.kind === 'unknown') return sendPageNotFound(res)
  if (found.kind === 'refused') return sendVersionRefusal(res, found.error, found.form)
  const { operation, facts } = found
  const handler = HANDLERS[operation]
  if (handler === undefined) {
    throw new EngineError(501, `the fake engine does not have ${operation}; put a real engine behind the bridge`)
  }
  await handler(new FakeEngineCall(req, res, { ...facts, store }))
}

function takeOver(store: Store, req: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.on('error', () => socket.destroy())
  const found = route(req)
  if (found.kind !== 'found') {
    socket.destroy() // wantsConnection prevents this
    return
  }
  const taken = { ...found.facts, req, socket, head, store }
  if (found.operation === 'ContainerAttach') attach(taken)
  else startExec(taken).catch((cause: unknown) => rawError(socket, asEngineError(cause)))
}

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
  const sockets = new Set<Socket>()
  const server = http.createServer(
    {
      requestTimeout: 0,
      keepAliveTimeout: 3_600_000,
      shouldUpgradeCallback: wantsConnection,
    },
    (req, res) => {
      answer(store, req, res).catch((cause: unknown) => {
        if (res.headersSent) res.destroy()
        else sendError(res, asEngineError(cause))
      })
    },
  )
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    watchForHijack(socket)
  })
  server.on('upgrade', (req, socket, head) => takeOver(store, req, socket, head))
  await listen(server, { kind: 'unix', path })
  return {
    path,
    close: async () => {
      store.clear()
      const { promise, resolve } = Promise.withResolvers<void>()
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
      await promise
    },
  }
}
