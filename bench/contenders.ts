import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { NODE_FLAGS } from '../test/support/node-flags.ts'
import { type Program, run, waitForHttp } from './programs.ts'
import { tool } from './tools.ts'

/** Something between the load and the engine. */
export interface Contender {
  readonly name: string
  /** Starts it on a TCP port of loopback, in front of the engine's unix socket. */
  start(port: number, engine: string, folder: string): Promise<Program>
}

const NODE = process.execPath
const ROOT = join(import.meta.dirname, '..')
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

/** The cost of Node itself with node:http and undici (bench/relay.ts). */
export const relay: Contender = {
  name: 'relay',
  start: async (port, engine, folder) => {
    const args = [join(ROOT, 'bench', 'relay.ts'), String(port), engine, join(folder, 'relay.sock')]
    const program = run('relay', NODE, args)
    await waitForHttp(at(port), '/_ping', program)
    return program
  },
}

const BUILT = join(ROOT, 'dist', 'program', 'main.js')
/** As bin/enginebridge does where it is installed; here that takes the sources. */
const INSTALLED = { ...process.env, NODE_COMPILE_CACHE: join(ROOT, 'dist', 'cache') }

/** Makes the built program, which is what is measured. */
export const build = (): Promise<unknown> => promisify(execFile)(NODE, [join(ROOT, 'packaging/bundle.ts')])

const program = (name: string, file: string, env: NodeJS.ProcessEnv, flags: readonly string[]): Contender => ({
  name,
  start: async (port, engine, folder) => {
    const own = [...flags, '--state', 'FOLDER/state'].map((flag) => flag.replace('FOLDER', folder))
    const args = ['--listen', `tcp://127.0.0.1:${port}`, '--engine', `unix://${engine}`, '--log-level', 'warn', ...own]
    const program = run(name, NODE, [...NODE_FLAGS, file, 'serve', ...args], env)
    await waitForHttp(at(port), '/_ping', program)
    return program
  },
})

/** The built program, with further flags; `FOLDER` in them is the stage's. */
export const bridge = (name: string, ...flags: readonly string[]): Contender => program(name, BUILT, INSTALLED, flags)

/** Also on a unix socket in the folder, as haproxy and the relay are, where a client is as near as to the engine. */
export const quiet = bridge('bridge', '--audit-log', 'off', '--listen', 'unix://FOLDER/bridge.sock')
export const audited = bridge('bridge, audit', '--audit-log', 'FOLDER/audit.log', '--audit-mode', 'async')
/** The same from the sources, for tests: nothing has to be built. */
export const fromSources = program('bridge', join(ROOT, 'src', 'main.ts'), process.env, ['--audit-log', 'off'])

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
