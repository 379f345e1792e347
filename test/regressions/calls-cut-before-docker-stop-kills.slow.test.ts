import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { stages } from '../support/bridge.ts'
import { eventually } from '../support/client.ts'
import { Process } from '../support/processes.ts'
import { PROGRAM } from '../support/program.ts'
import { scriptedEngine } from '../support/scripted-engine.ts'

const PATIENCE_MS = 60_000
/** Between SIGTERM and SIGKILL (moby, daemon/config: the default of StopTimeout). */
const DOCKER_STOP_MS = 10_000

const stage = stages()

it('a bridge that docker stop ends writes the record of a stream that stayed open: it was killed while it waited', async () => {
  const { socket: engine, close } = await scriptedEngine(join(stage.folder(), 'engine.sock'), {
    onRequest: (_req, res) => res.writeHead(200, { 'Content-Type': 'application/json' }).flushHeaders(),
  })
  onTestFinished(close)
  const [socket, log] = [join(stage.folder(), 'bridge.sock'), join(stage.folder(), 'audit.log')]
  const where = ['--listen', `unix://${socket}`, '--engine', `unix://${engine}`, '--state', 'off']
  const bridge = new Process([...PROGRAM, 'serve', ...where, '--audit-log', log])
  onTestFinished(() => bridge.kill())
  await eventually(() => bridge.err.includes('listening on'), 'it listens', PATIENCE_MS)
  const client = new Process(['curl', '-sN', '--unix-socket', socket, 'http://docker/v1.44/events'])
  onTestFinished(() => client.kill())
  const records = (): string => readFileSync(log, 'utf8')
  await eventually(() => records().includes('"answered"'), 'the stream is open', PATIENCE_MS)
  bridge.child.kill('SIGTERM')
  await Promise.race([bridge.ended, sleep(DOCKER_STOP_MS)])
  await bridge.kill()
  expect(records()).toContain('"stage":"complete"')
}, 120_000)
