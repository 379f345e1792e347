import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../support/client.ts'
import { NODE_FLAGS } from '../support/node-flags.ts'
import { Process } from '../support/processes.ts'
import { engine28, type ScriptedEngine, scriptedEngine, socketFolder } from '../support/scripted-engine.ts'

const MAIN = join(import.meta.dirname, '../../src/main.ts')
const PATIENCE_MS = 120_000

let folder: Awaited<ReturnType<typeof socketFolder>>
let engine: ScriptedEngine
let running: Process | undefined
beforeEach(async () => {
  folder = await socketFolder()
  engine = await scriptedEngine(join(folder.path, 'e.sock'), { version: engine28 })
})
afterEach(async () => {
  await running?.kill()
  await engine.close()
  await folder.remove()
})

/** What a started program says, until it serves; then it is ended. `script` gives it a terminal. */
async function said(on: 'terminal' | 'pipe', ...flags: string[]): Promise<string> {
  const sockets = ['--listen', `unix://${join(folder.path, 'b.sock')}`, '--engine', `unix://${engine.socket}`]
  const command = [process.execPath, ...NODE_FLAGS, MAIN, 'serve', ...sockets, '--audit-log', 'off', ...flags]
  const line = `echo pid $$; exec ${command.map((word) => `'${word}'`).join(' ')}`
  running = new Process(on === 'pipe' ? ['sh', '-c', line] : ['script', '-qec', line, '/dev/null'])
  const { child } = running
  const all = (): string => `${running?.out}${running?.err}`
  await eventually(() => /listening/.test(all()) || child.exitCode !== null, 'it serves, or ended', PATIENCE_MS)
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
  expect(await said('terminal', '--log-format', 'json')).toMatch(/^\{"level":30,.*listening/m)
})

test('in a pipe it is JSON, each line of it', { timeout: PATIENCE_MS }, async () => {
  const lines = (await said('pipe')).trimEnd().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { level?: number }).level)).not.toContain(undefined)
})
