import http, { type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { OperationName } from '../../api/operations.ts'
import { type Call, clientVersion, readCall } from '../../api/read-call.ts'
import type { ApiVersion } from '../../api/version.ts'
import { messageOf } from '../../config/text.ts'
import { listen } from '../../http/listen/listen.ts'
import { containers } from './containers.ts'
import { type Handlers, type Route, Store } from './store.ts'
import { attach, logs, startExec } from './streams.ts'
import { system } from './system.ts'
import { EngineError, HIGHEST_SERVED, LOWEST_SERVED, REFUSAL_HEADERS, sendError, sendRawError } from './wire.ts'

const HANDLERS: Handlers = { ...containers, ...system, ContainerLogs: logs }

/** Endpoints of old versions that Engine 29 has removed. */
const GONE: readonly OperationName[] = ['ContainerCopy', 'ContainerListPs']

/** Reads a request as the bridge does; unknown paths get 404 before their version is checked and before all middleware. */
function route(req: IncomingMessage, store: Store): Route {
  const call = readCall(req.method ?? 'GET', req.url ?? '/')
  const { match, search } = call
  if (match === undefined || GONE.includes(match.operation.name)) throw new EngineError(404, 'page not found', {})
  return {
    operation: match.operation.name,
    version: versionOf(call),
    target: match.params['name'] ?? match.params['id'] ?? '',
    query: new URLSearchParams(search),
    req,
    store,
  }
}

function versionOf(call: Call): ApiVersion {
  try {
    return clientVersion(call, HIGHEST_SERVED, HIGHEST_SERVED, LOWEST_SERVED)
  } catch (cause) {
    throw new EngineError(400, messageOf(cause), REFUSAL_HEADERS, call.form)
  }
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
      if (found.operation === 'ContainerAttach') attach(found, socket, head)
      else if (found.operation === 'ExecStart') await startExec(found, socket, head)
      else throw absent(found.operation)
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
