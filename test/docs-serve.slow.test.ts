import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFailed, vi } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../bench/stage.ts'
import { startFakeEngine } from '../src/tools/fake-engine/engine.ts'
import { Authority, type Issued } from './support/certificates.ts'
import { ownArguments } from './support/documented-call.ts'
import { PROGRAM } from './support/program.ts'
import { shellCommand, shellLines } from './support/shell-words.ts'

/** Each `enginebridge serve …` of the pages is started as it stands there, serves a call, and is ended. */
const root = join(import.meta.dirname, '..')
const pages = ['*.md', 'docs/*.md', 'examples/**/*.md'].flatMap((pattern) => globSync(pattern, { cwd: root }))
const text = (file: string): string => readFileSync(join(root, file), 'utf8')
const lines = pages.flatMap((page) =>
  shellLines(text(page)).flatMap((line) => {
    const [name = '', ...rest] = ownArguments(shellCommand(line).words) ?? []
    return name === 'serve' ? [{ page, line: line.trim(), tls: rest.includes('--tls-cert') }] : []
  }),
)
/** The first file of rules that the page about them shows. */
const POLICY = /```yaml\n([^`]*)```/.exec(text('docs/policy.md'))?.[1] ?? ''
const GROUP = execFileSync('id', ['-gn'], { encoding: 'utf8' }).trim()

describe('serve, as the documentation has it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'eb-serve-'))
  const engine = join(folder, 'engine.sock')
  const listener = join(folder, 'enginebridge.sock')
  const state: { fakeEngine?: Awaited<ReturnType<typeof startFakeEngine>>; server?: Issued } = {}

  beforeAll(async () => {
    state.fakeEngine = await startFakeEngine(engine)
    state.server = new Authority(join(folder, 'authority')).issue('localhost', join(folder, 'issued'))
    copyFileSync(state.server.cert, join(folder, 'server-cert.pem'))
    copyFileSync(state.server.key, join(folder, 'server-key.pem'))
    copyFileSync(state.server.ca, join(folder, 'ca.pem'))
    writeFileSync(join(folder, 'policy.yaml'), here(POLICY))
    writeFileSync(join(folder, 'enginebridge.yaml'), here(text('examples/fleet/enginebridge.yaml')))
  }, 60_000)
  afterAll(async () => {
    await state.fakeEngine?.close()
    rmSync(folder, { recursive: true })
  })

  /** The places of a host, as they are in this folder. */
  const here = (command: string): string =>
    command
      .replaceAll('/var/run/docker.sock', engine)
      .replaceAll(/ssh:\/\/[^\s/]+/g, `unix://${engine}`)
      .replaceAll(/\/(?:run|var\/log\/enginebridge|etc\/enginebridge)\//g, `${folder}/`)
      .replaceAll(/(socket-group:? )docker/g, `$1${GROUP}`)

  it.each(lines)(
    '$page: $line',
    async ({ line, tls }) => {
      const port = await freePort()
      const command = here(line)
        .replace(/:(?:2375|2376)\b/, `:${port}`)
        .replace('127.0.0.1:9117', `127.0.0.1:${await freePort()}`)
      const child = spawn(
        'bash',
        ['-uc', command.replace(/(npx )?enginebridge serve/, `exec ${PROGRAM.join(' ')} serve`)],
        {
          cwd: folder,
          stdio: ['ignore', 'ignore', 'pipe'],
          env: {
            PATH: process.env['PATH'],
            HOME: folder,
            DOCKER_HOST: `unix://${engine}`,
            // Where a line names no listener; the second has rules of its own in the file of rules.
            ENGINEBRIDGE_LISTEN: `unix://${listener},unix://${folder}/ci.sock`,
            ENGINEBRIDGE_ADMIN: `tcp://127.0.0.1:${await freePort()}`,
          },
        },
      )
      const said: string[] = []
      child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()))
      const ended = once(child, 'exit')
      // One that stayed would answer in the next one's place.
      onTestFailed(() => void child.kill('SIGKILL'))
      const answered = await vi.waitFor(
        async () => {
          expect(child.exitCode, said.join('')).toBeNull()
          return await ping(where(command, port, listener), tls ? state.server : undefined)
        },
        { timeout: 60_000, interval: 50 },
      )
      expect(answered, said.join('')).toBe(200)
      child.kill('SIGTERM')
      expect(await ended, said.join('')).toEqual([0, null])
    },
    120_000,
  )

  it('is there with certificates, a file of settings, variables and presets', () => {
    const all = lines.map(({ line }) => line).join('\n')
    for (const part of ['--tls-cert', '--config', 'CONTAINERS=1', '--policy ci', '--inspect', '--workers'])
      expect(all).toContain(part)
    expect((parse(POLICY) as { rules: object }).rules).toBeTypeOf('object')
  })
})

/** Where a line listens: over TCP where it says so, the inspector's own address apart. */
const where = (command: string, port: number, listener: string): http.RequestOptions =>
  /--listen tcp:/.test(command) ? { host: '127.0.0.1', port } : { socketPath: listener }

async function ping(asked: http.RequestOptions, issued?: Issued): Promise<number | undefined> {
  const options = { ...asked, path: '/v1.22/_ping', agent: false }
  const req = issued === undefined ? http.get(options) : https.get({ ...options, ...issued.pem() })
  const [res] = (await once(req, 'response')) as [http.IncomingMessage]
  res.resume()
  return res.statusCode
}
