import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startFakeEngine } from '../src/tools/fake-engine/engine.ts'
import { stages } from './support/bridge.ts'
import { call, listens } from './support/client.ts'
import { ownArguments } from './support/documented-call.ts'
import { shellCommand, shellLines } from './support/shell-words.ts'

/**
 * The program's own commands, as in the pages, on logs and recordings that the program wrote. docs-serve.slow.test.ts starts
 * `serve`, and docs-commands.test.ts runs the commands that need no engine.
 */
const root = join(import.meta.dirname, '..')
const pages = ['*.md', 'docs/*.md', 'examples/**/*.md'].flatMap((pattern) => globSync(pattern, { cwd: root }))
const RUN = /^(?:audit|replay|doctor|health|record)$/
const lines = pages.flatMap((page) =>
  shellLines(readFileSync(join(root, page), 'utf8')).flatMap((line) => {
    const [name = '', ...rest] = ownArguments(shellCommand(line).words) ?? []
    // A file of settings is the reader's own.
    return RUN.test(name) && !rest.includes('--config') ? [{ page, line: line.trim(), name }] : []
  }),
)

/** Exit codes beside 0: doctor has found something, replay a difference. */
const OTHERS: Readonly<Record<string, readonly number[]>> = { doctor: [1], replay: [1] }
const GOES_ON = /^enginebridge (?:record|audit tail)/

describe('commands of the program in the documentation', () => {
  const stage = stages()
  const written = mkdtempSync(join(tmpdir(), 'eb-logs-'))
  beforeAll(async () => {
    const engine = await startFakeEngine(join(written, 'engine.sock'))
    await writeLogs(written, engine.path)
    await engine.close()
  }, 120_000)
  afterAll(() => rmSync(written, { recursive: true }))

  it.each(lines)(
    '$page: $line',
    async ({ line, name }) => {
      const folder = stage.folder()
      const engine = await startFakeEngine(join(folder, 'engine.sock'))
      cpSync(written, folder, { recursive: true })
      const { socket } = await stage.bridge(engine.path)
      if (name === 'record') rmSync(join(folder, 'calls.jsonl'))
      const command = line
        .replaceAll('/var/log/enginebridge/', '')
        .replaceAll('tcp://test-host:2375', `unix://${engine.path}`)
        .replaceAll('/run/enginebridge.sock', socket)
        .replaceAll('/var/run/docker.sock', engine.path)
        .replaceAll('/tmp/record.sock', join(folder, 'record.sock'))
      const env = {
        PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
        HOME: folder,
        DOCKER_HOST: `unix://${engine.path}`,
      }
      const goesOn = GOES_ON.test(line)
      const { code, out } = await ran(command, { cwd: folder, env }, goesOn)
      await engine.close()
      const allowed = [0, ...(OTHERS[name] ?? [])]
      expect(allowed, `${out}\nended with ${code}`).toContain(code)
      if (name !== 'health') expect(out.trim()).not.toBe('')
    },
    120_000,
  )

  it('are some, of each kind', () => {
    expect([...new Set(lines.map(({ name }) => name))].sort()).toEqual([
      'audit',
      'doctor',
      'health',
      'record',
      'replay',
    ])
  })

  it('name scripts that exist', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    )
    const named = pages.flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/\bnpm run ([a-z-]+)/g)].map(([, script = '']) => script),
    )
    expect(named.length).toBeGreaterThan(8)
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named))
  })
})

interface Ran {
  readonly code: number
  readonly out: string
}

/** `goesOn`: the command does not end by itself. It gets SIGTERM after its first output, as from systemd. */
async function ran(command: string, place: { cwd: string; env: NodeJS.ProcessEnv }, goesOn: boolean): Promise<Ran> {
  const child = spawn('bash', ['-uc', command], { ...place, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const end = (): void => void process.kill(-(child.pid ?? 0), 'SIGTERM')
  const late = setTimeout(end, 90_000)
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      if (goesOn && out === '') end()
      out += chunk.toString()
    })
  await once(child, 'close')
  clearTimeout(late)
  return { code: child.exitCode ?? -1, out }
}

/** Writes the files that the commands read: a recording, and its audit log with a chain, as one file and split in two. */
async function writeLogs(folder: string, engine: string): Promise<void> {
  const socket = join(folder, 'r.sock')
  const flags = [
    '--listen',
    `unix://${socket}`,
    '--engine',
    `unix://${engine}`,
    '--audit-log',
    'audit.log',
    '--audit-chain',
    'on',
  ]
  const child = spawn(join(root, 'node_modules/.bin/enginebridge'), ['record', 'calls.jsonl', ...flags], {
    cwd: folder,
    stdio: 'ignore',
    env: { PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`, HOME: folder },
  })
  const ended = once(child, 'exit')
  await vi.waitUntil(async () => gone(child) || (await listens(socket)), { timeout: 60_000 })
  for (const path of ['/v1.22/info', '/v1.22/containers/json', '/v1.24/containers/nosuch/json'])
    await call(socket, path)
  child.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
  const records = readFileSync(join(folder, 'audit.log'), 'utf8')
  for (const host of ['host1', 'host2', 'host3']) writeFileSync(join(folder, `${host}.log`), records)
  const all = records.split(/(?<=\n)/)
  writeFileSync(join(folder, 'audit.log.1'), all.slice(0, 2).join(''))
  writeFileSync(join(folder, 'audit.log'), all.slice(2).join(''))
}

const gone = ({ exitCode }: ChildProcess): boolean => exitCode !== null
