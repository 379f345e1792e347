import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { NODE_FLAGS } from '../test/support/node-flags.ts'
import { type Program, run, waitForHttp } from './programs.ts'
import { nginxUser, tool } from './tools.ts'

/** Something between the load and the engine. */
export interface Contender {
  readonly name: string
  /** Starts it on a TCP port of loopback, in front of the engine's unix socket. */
  start(port: number, engine: string, folder: string): Promise<Program>
}

/** What stands before the program on Node's command line. */
type NodeOptions = readonly string[]

const NODE = process.execPath
const ROOT = join(import.meta.dirname, '..')
/** Tells how late its event loop is, when it is asked. */
const WATCHED: NodeOptions = ['--import', join(ROOT, 'bench', 'loop-delay.ts')]
const delayFile = (folder: string, name: string): NodeJS.ProcessEnv => ({
  ...process.env,
  BENCH_LOOP_DELAY: join(folder, `${name}.delay`),
})
const at = (port: number) => ({ host: '127.0.0.1', port })

export const haproxy: Contender = {
  name: 'haproxy',
  start: async (port, engine, folder) => {
    const config = join(folder, `haproxy-${port}.cfg`)
    await writeFile(
      config,
      `global
  maxconn 8192
  nbthread 1
defaults
  mode http
  timeout connect 5s
  timeout client 1h
  timeout server 1h
  timeout tunnel 1h
  http-reuse always
frontend in
  bind 127.0.0.1:${port}
  bind unix@${join(folder, 'haproxy.sock')}
  default_backend engine
backend engine
  server engine unix@${engine}
`,
    )
    const { path, env } = await tool('haproxy')
    const program = run('haproxy', path, ['-db', '-f', config], env)
    await waitForHttp(at(port), '/_ping', program)
    return program
  },
}

export const nginx: Contender = {
  name: 'nginx',
  start: async (port, engine, folder) => {
    const config = join(folder, `nginx-${port}.conf`)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${join(folder, `tmp-${port}`)};`,
    )
    await writeFile(
      config,
      `${nginxUser()} daemon off; master_process off; pid ${join(folder, `nginx-${port}.pid`)}; error_log stderr crit;
events { worker_connections 8192; }
http {
  access_log off; keepalive_requests 100000000; ${temporary.join(' ')} client_max_body_size 0;
  upstream engine { server unix:${engine}; keepalive 256; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://engine; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_request_buffering off; proxy_buffering off; proxy_read_timeout 1h;
    }
  }
}
`,
    )
    const { path, env } = await tool('nginx')
    const program = run('nginx', path, ['-c', config, '-p', folder], env)
    await waitForHttp(at(port), '/_ping', program)
    return program
  },
}

const relayOn = (node: NodeOptions): Contender => ({
  name: 'relay',
  start: async (port, engine, folder) => {
    const args = [...node, join(ROOT, 'bench', 'relay.ts'), String(port), engine, join(folder, 'relay.sock')]
    const program = run('relay', NODE, args, delayFile(folder, 'relay'))
    await waitForHttp(at(port), '/_ping', program)
    return program
  },
})
const relay = relayOn([])

const SOURCES = join(ROOT, 'src', 'main.ts')
const CACHE = join(ROOT, 'dist', 'cache')
const BUILT = join(ROOT, 'dist', 'program', 'main.js')

/** The program itself, with further flags. */
export const bridge = (name: string, ...flags: readonly string[]): Contender => program(SOURCES, name, flags)

const program = (file: string, name: string, flags: readonly string[], node: NodeOptions = []): Contender => ({
  name,
  start: async (port, engine, folder) => {
    const args = [
      ...node,
      ...NODE_FLAGS,
      file,
      '--listen',
      `tcp://127.0.0.1:${port}`,
      '--engine',
      `unix://${engine}`,
      '--log-level',
      'warn',
      ...flags.map((flag) => flag.replace('FOLDER', folder)),
    ]
    const program = run(name, NODE, args, delayFile(folder, name))
    await waitForHttp(at(port), '/_ping', program)
    return program
  },
})

export const quiet = bridge('bridge', '--audit-log', 'off')
/** The same with their event loops watched. */
export const watchedRelay = relayOn(WATCHED)
export const watchedBridge = program(SOURCES, 'bridge', ['--audit-log', 'off'], WATCHED)
/** Also on a unix socket in the folder, as haproxy and the relay are, where a client is as near as to the engine. */
export const nearby = bridge('bridge', '--audit-log', 'off', '--listen', 'unix://FOLDER/bridge.sock')
/** As it is installed, once it is built. */
export const installed = program(BUILT, 'bridge', ['--audit-log', 'off'])
export const build = (): Promise<unknown> => promisify(execFile)(NODE, [join(ROOT, 'bundle.ts')])
export const yardstick = relay
export const others = [haproxy, nginx, relay]

/** wollomatic/socket-proxy, where one is at hand: a program of Go, which Debian has not. It lets every GET through. */
const socketProxy = (file: string): Contender => ({
  name: 'socket-proxy',
  start: async (port, engine) => {
    const settings = ['-socketpath', engine, '-proxyport', String(port), '-allowGET', '.*', '-loglevel', 'ERROR']
    const program = run('socket-proxy', file, settings)
    await waitForHttp(at(port), '/_ping', program)
    return program
  },
})

const binary = process.env['ENGINEBRIDGE_BENCH_SOCKET_PROXY'] ?? ''
/** For calls that change nothing. */
export const ofItsKind = binary === '' ? [] : [socketProxy(binary)]

const fromSources = [join(ROOT, 'bin', 'enginebridge')]
// As bin/enginebridge does where it is installed; here that takes the sources.
const built = ['/usr/bin/env', `NODE_COMPILE_CACHE=${CACHE}`, NODE, ...NODE_FLAGS, BUILT]

/** Started by hand, on a socket of their own: what a start costs, from a checkout and as it is installed. */
export const contenderProgram = [
  { name: 'checkout', command: fromSources },
  { name: 'installed', command: built },
].map(({ name, command: [file = '', ...before] }) => ({
  name,
  start: async (engine: string): Promise<Program> => {
    const socket = `${engine}.${name}`
    const args = [
      '--listen',
      `unix://${socket}`,
      '--engine',
      `unix://${engine}`,
      '--audit-log',
      'off',
      '--log-level',
      'warn',
    ]
    const program = run(name, file, [...before, ...args])
    await waitForHttp({ socketPath: socket }, '/_ping', program)
    return program
  },
}))
