import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, eventually } from '../support/client.ts'
import { bridgeProcess, Process } from '../support/processes.ts'
import { PROGRAM } from '../support/program.ts'
import { scriptedEngine } from '../support/scripted-engine.ts'

const PATIENCE_MS = 60_000
const OLD = 'rules:\n  allow: [SystemInfo]\n'
const NEW = 'rules:\n  allow: [ContainerStats]\n'

const stage = stages()

async function begin(): Promise<{ engine: string; socket: string; policy: string }> {
  const { socket: engine, close } = await scriptedEngine(join(stage.folder(), 'engine.sock'), {
    onRequest: (_req, res) => void res.end('OK'),
  })
  onTestFinished(close)
  return { engine, socket: join(stage.folder(), 'bridge.sock'), policy: join(stage.folder(), 'policy.yaml') }
}

const rulesAt = (path: string, text: string): void => {
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

/** Whoever reads the file waits until it is written here. */
function pipeAt(path: string): void {
  execFileSync('mkfifo', [`${path}.pipe`])
  renameSync(`${path}.pipe`, path)
}

it('a SIGHUP while the bridge starts makes it read again the policy that it had begun to read', async () => {
  const { engine, socket, policy } = await begin()
  const log = join(stage.folder(), 'audit.log')
  pipeAt(policy)
  const where = ['--listen', `unix://${socket}`, '--engine', `unix://${engine}`, '--state', 'off']
  const bridge = new Process([...PROGRAM, ...where, '--policy', policy, '--audit-log', log])
  onTestFinished(() => bridge.kill())
  const reading = await open(policy, 'w')
  rulesAt(policy, NEW)
  renameSync(log, `${log}.1`)
  bridge.child.kill('SIGHUP')
  await eventually(() => existsSync(log), 'it has the signal', PATIENCE_MS)
  await reading.writeFile(OLD)
  await reading.close()
  await eventually(() => bridge.err.includes('policy reloaded'), 'it reads the policy again', 10_000)
  expect((await call(socket, '/v1.44/info')).status).toBe(403)
}, 120_000)

it('a SIGHUP while a worker starts gives it the new policy', async () => {
  const { engine, socket, policy } = await begin()
  rulesAt(policy, OLD)
  const bridge = await bridgeProcess(socket, engine, ['--audit-log', 'off', '--workers', '2', '--policy', policy])
  onTestFinished(() => bridge.kill())
  expect((await call(socket, '/v1.44/info')).status).toBe(200)
  const workers = (): string[] => readFileSync(`/proc/${bridge.pid}/task/${bridge.pid}/children`, 'utf8').split(' ')
  const [first = ''] = workers()
  process.kill(Number(first), 'SIGKILL')
  const starts = (): boolean => workers().filter(Boolean).length === 2 && !workers().includes(first)
  await eventually(starts, 'another starts', PATIENCE_MS)
  rulesAt(policy, NEW)
  bridge.child.kill('SIGHUP')
  await eventually(() => bridge.err.includes('policy reloaded'), 'the new policy is in force', PATIENCE_MS)
  await eventually(() => bridge.err.split('the engine speaks').length > 3, 'it has started', PATIENCE_MS)
  for (let i = 0; i < 4; i++) expect((await call(socket, '/v1.44/info')).status).toBe(403)
}, 120_000)

it('of two SIGHUPs the later has the last word, though the file was slow to read at the first', async () => {
  const { engine, socket, policy } = await begin()
  rulesAt(policy, OLD)
  const bridge = await bridgeProcess(socket, engine, ['--audit-log', 'off', '--policy', policy])
  onTestFinished(() => bridge.kill())
  pipeAt(policy)
  bridge.child.kill('SIGHUP')
  const reading = await open(policy, 'w')
  rulesAt(policy, NEW)
  bridge.child.kill('SIGHUP')
  const told = (times: number): boolean => bridge.err.split('policy reloaded').length > times
  await eventually(() => told(1), 'the second is read first', 500).catch(() => undefined)
  await reading.writeFile(OLD)
  await reading.close()
  await eventually(() => told(2), 'both are read', 10_000)
  expect((await call(socket, '/v1.44/info')).status).toBe(403)
}, 120_000)
