import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { type Browser, chromium } from 'playwright-core'
import { type Bridge, startBridge } from '../../src/proxy/bridge.ts'
import { readConfig } from '../../src/proxy/settings/config.ts'
import { startFakeEngine } from '../../src/tools/fake-engine/engine.ts'
import { makeInspector } from '../../src/tools/inspect/lazily.ts'
import { engineScript } from '../live/support/engine-script.ts'
import { call, RawConnection } from '../support/client.ts'
import { socketFolder } from '../support/scripted-engine.ts'

/** Flags to run as root, without a GPU and without network requests of the browser's own. */
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--force-color-profile=srgb'],
]
const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** A headless Chromium: the machine's own, else Debian's, fetched into a folder of its own (test/live/engine). Rejects with the reason. */
export async function launch(): Promise<Browser> {
  const installed = [process.env['CHROMIUM'], ...INSTALLED].find((path) => path !== undefined && existsSync(path))
  if (installed !== undefined) return chromium.launch({ executablePath: installed, args: FLAGS })
  const folder = (await engineScript('browser')).trim()
  const libraries = join(folder, 'lib', process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu')
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: `${libraries}:${join(libraries, 'pulseaudio')}`,
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
  }
  return chromium.launch({ executablePath: join(folder, 'lib/chromium/chromium'), args: FLAGS, env })
}

/** A bridge with an inspector before an engine in memory. */
export interface Scene {
  readonly bridge: Bridge
  readonly socket: string
  readonly url: string
  close(): Promise<void>
}

export async function openScene(inspect = 'tcp://127.0.0.1:0'): Promise<Scene> {
  const folder = await socketFolder()
  const engine = await startFakeEngine(join(folder.path, 'engine.sock'))
  const socket = join(folder.path, 'bridge.sock')
  const flags = ['--listen', `unix://${socket}`, '--engine', `unix://${engine.path}`, '--grace', '0', '--state', 'off']
  const config = readConfig([...flags, '--inspect', inspect, '--inspect-input'], {})
  const bridge = await startBridge(config, {
    log: pino({ level: 'silent' }),
    audit: { write: () => undefined },
    inspector: makeInspector,
  })
  const close = async (): Promise<void> => {
    await bridge.close()
    await engine.close()
    await folder.remove()
  }
  return { bridge, socket, url: bridge.inspect?.url ?? '', close }
}

const CREATE = {
  Image: 'busybox',
  Cmd: 'sh',
  OpenStdin: true,
  Env: ['DB_PASSWORD=correct horse', 'MODE=production'],
  Labels: { 'com.example.team': 'shop', 'com.example.api-token': 'b4ttery' },
  HostConfig: { Memory: 134_217_728, RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 3 } },
}

/** The calls of an old and a new client with a container. */
export async function useOf(socket: string, name: string): Promise<void> {
  const agent = (text: string): { headers: { 'User-Agent': string } } => ({ headers: { 'User-Agent': text } })
  const old = agent('docker-py/1.7.2')
  await call(socket, '/v1.22/version', old)
  await call(socket, `/v1.22/containers/create?name=${name}`, { method: 'POST', body: JSON.stringify(CREATE), ...old })
  await call(socket, `/v1.22/containers/${name}/start`, { method: 'POST', ...old })
  await call(socket, '/v1.22/containers/json?all=1', old)
  await call(socket, `/v1.22/containers/${name}/json`, old)
  await call(socket, `/v1.22/images/busybox/json`, old)
  await call(socket, '/v1.22/containers/nosuch/json', old)
  await call(socket, '/v1.10/info', agent('Docker-Client/0.10'))
  await call(socket, '/v1.44/containers/json', agent('Docker-Client/28.2.2 (linux)'))
  await call(socket, '/v1.30/info', agent('Go-http-client/1.1'))
}

/** Follows events. */
export async function followEvents(socket: string): Promise<RawConnection> {
  const events = new RawConnection(socket)
  events.send('GET /v1.21/events HTTP/1.1\r\nHost: d\r\nUser-Agent: watchtower/0.2\r\n\r\n')
  await events.until((text) => text.startsWith('HTTP/1.1 200'), 20_000)
  return events
}

/** An exec with a terminal: a tunnel. */
export async function openExec(socket: string, name: string): Promise<RawConnection> {
  const body = JSON.stringify({ Cmd: ['cat'], AttachStdin: true, AttachStdout: true, Tty: true })
  const made = await call(socket, `/v1.22/containers/${name}/exec`, { method: 'POST', body })
  const { Id } = JSON.parse(made.text) as { Id: string }
  const start = JSON.stringify({ Detach: false, Tty: true })
  const tunnel = new RawConnection(socket)
  tunnel.send(
    `POST /v1.22/exec/${Id}/start HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\nContent-Type: application/json\r\nContent-Length: ${start.length}\r\n\r\n${start}`,
  )
  await tunnel.until((text) => text.startsWith('HTTP/1.1 101'), 20_000)
  return tunnel
}
