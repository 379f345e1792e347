import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import type net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'

/** A folder for sockets; short, because a socket path has at most 107 bytes. */
export async function socketFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'eb-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

export interface ScriptedEngine {
  readonly socket: string
  /** Open connections to the engine. */
  readonly connections: Set<net.Socket>
  /** Request lines, without the /version calls of discovery and the look-ups. */
  readonly seen: string[]
  close(): Promise<void>
}

/** The filters of the bridge's look-ups of containers with other ids and of those left half done (src/engine/replaced). */
const LOOK_UPS = [
  '{"label":["enginebridge.replaces"]}',
  '{"label":["enginebridge.auto-remove"]}',
  '{"name":["enginebridge-set-aside-"]}',
].map(encodeURIComponent)

export interface Script {
  /** `onRequest` answers the look-ups too; by default they find no containers. */
  readonly replacedContainers?: 'scripted'
  readonly version?: Record<string, unknown>
  readonly onRequest?: http.RequestListener
  readonly onUpgrade?: (req: http.IncomingMessage, socket: Duplex, head: Buffer) => void
  readonly onContinue?: http.RequestListener
}

export const engine28 = { ApiVersion: '1.51', MinAPIVersion: '1.44', Version: '28.5.2', Os: 'linux', Arch: 'amd64' }

/** An engine that answers `/version` and what a test scripts, on a real unix socket. */
export async function scriptedEngine(socket: string, script: Script): Promise<ScriptedEngine> {
  const connections = new Set<net.Socket>()
  const seen: string[] = []
  const server = http.createServer({ requestTimeout: 0 }, (req, res) => {
    if (req.url === '/version') {
      res.setHeader('Content-Type', 'application/json')
      res.end(JSON.stringify(script.version ?? engine28))
      return
    }
    if (LOOK_UPS.some((filters) => req.url?.includes(filters) === true) && script.replacedContainers !== 'scripted') {
      res.setHeader('Content-Type', 'application/json')
      res.end('[]')
      return
    }
    seen.push(`${req.method} ${req.url}`)
    script.onRequest?.(req, res)
  })
  server.on('connection', (connection) => {
    connections.add(connection)
    connection.on('error', () => connection.destroy())
    connection.once('close', () => connections.delete(connection))
  })
  server.on('upgrade', (req, duplex, head) => {
    seen.push(`${req.method} ${req.url}`)
    script.onUpgrade?.(req, duplex, head)
  })
  if (script.onContinue) server.on('checkContinue', script.onContinue)
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  return {
    socket,
    connections,
    seen,
    close: async () => {
      for (const connection of connections) connection.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
