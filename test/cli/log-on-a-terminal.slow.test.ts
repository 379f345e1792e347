import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { call, eventually } from '../support/client.ts'
import { Process } from '../support/processes.ts'
import { PROGRAM } from '../support/program.ts'
import { engine28, type ScriptedEngine, scriptedEngine, socketFolder } from '../support/scripted-engine.ts'

const PATIENCE_MS = 30_000

let folder: Awaited<ReturnType<typeof socketFolder>>
let engine: ScriptedEngine
let running: Process | undefined
beforeEach(async () => {
  folder = await socketFolder()
  engine = await scriptedEngine(join(folder.path, 'e.sock'), {
    version: engine28,
    onRequest: (_req, res) => void res.writeHead(404).end('{"message":"No such container: nosuch"}'),
  })
})
afterEach(async () => {
  await running?.kill()
  await engine.close()
  await folder.remove()
})

const said = (on: 'terminal' | 'pipe', ...flags: string[]): Promise<string> =>
  output(on, ['--audit-log', 'off', ...flags])

const called = (on: 'terminal' | 'pipe', ...flags: string[]): Promise<string> =>
  output(on, flags, () => call(join(folder.path, 'b.sock'), '/v1.22/containers/nosuch/json'))

/** Starts the program, waits until it serves, calls it, ends it, and returns its output. `script` gives it a terminal. */
async function output(
  on: 'terminal' | 'pipe',
  flags: readonly string[],
  meanwhile?: () => Promise<unknown>,
): Promise<string> {
  const sockets = ['--listen', `unix://${join(folder.path, 'b.sock')}`, '--engine', `unix://${engine.socket}`]
  const command = [...PROGRAM, 'serve', ...sockets, ...flags]
  const line = `echo pid $$; exec ${command.map((word) => `'${word}'`).join(' ')}`
  running = new Process(on === 'pipe' ? ['sh', '-c', line] : ['script', '-qec', line, '/dev/null'])
  const { child } = running
  const all = (): string => `${running?.out}${running?.err}`
  await eventually(() => /listening/.test(all()) || child.exitCode !== null, 'it serves, or ended', PATIENCE_MS)
  await meanwhile?.()
  process.kill(Number(/pid (\d+)/.exec(all())?.[1]), 'SIGTERM')
  await running.ended
  return all().replace(/^pid \d+\s+/, '')
}

test('on a terminal the log is for people, with nothing asked for', { timeout: PATIENCE_MS }, async () => {
  const text = await said('terminal')
  expect(text).toMatch(/\d\d:\d\d:\d\d\.\d+.*INFO.*listening/)
  expect(text).not.toContain('{"level"')
})

test('on a terminal it is JSON when that is asked for', { timeout: PATIENCE_MS }, async () => {
  expect(await said('terminal', '--log-format', 'json')).toMatch(
    /^\{"level":"info","time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z",.*listening/m,
  )
})

test('in a pipe it is JSON, each line of it', { timeout: PATIENCE_MS }, async () => {
  const lines = (await said('pipe')).trimEnd().split('\n')
  expect(new Set(lines.map((line) => (JSON.parse(line) as { level?: string }).level))).toEqual(new Set(['info']))
})

test('on a terminal a call is a readable line, with its versions', { timeout: PATIENCE_MS }, async () => {
  const text = await called('terminal')
  expect(text).toMatch(/^\S*\d\d:\d\d:\d\d\S* \S*404\S* GET \/containers\/nosuch\/json +1\.22→1\.44 +[\d.]+ ms/m)
  expect(text).not.toContain('"stage"')
})

test('on a terminal a call is JSON when that is asked for', { timeout: PATIENCE_MS }, async () => {
  expect(await called('terminal', '--audit-format', 'json')).toMatch(/^\{"schema".*"stage":"complete"/m)
})

test('on a terminal a call is JSON when its records are a chain', { timeout: PATIENCE_MS }, async () => {
  expect(await called('terminal', '--audit-chain', 'on')).toMatch(/^\{"schema".*"stage":"complete".*"hash"/m)
})

test('in a pipe a call is JSON, and a readable line when that is asked for', { timeout: PATIENCE_MS }, async () => {
  expect(await called('pipe')).toMatch(/^\{"schema".*"stage":"complete"/m)
  expect(await called('pipe', '--audit-format', 'pretty')).toMatch(
    /^\d\d:\d\d:\d\d 404 GET \/containers\/nosuch\/json /m,
  )
})
