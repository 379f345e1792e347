import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const make = stages()
const NEVER_ACCEPTS = `require('net').createServer().listen({ path: process.argv[1], backlog: 1 }, () => {
  process.stdout.write('up')
  process.kill(process.pid, 'SIGSTOP')
})`

/** Such as the socket that ssh forwards, at which 128 may wait: the call had `broke off: connect EAGAIN`, as if it had begun. */
it('an engine at whose socket no more connections may wait has accepted none', async () => {
  const path = join(make.folder(), 'full.sock')
  const engine = spawn(process.execPath, ['-e', NEVER_ACCEPTS, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void engine.kill('SIGKILL'))
  await once(engine.stdout, 'data')
  const waiting = [1, 2, 3].map(() => net.connect(path).on('error', () => undefined))
  await Promise.all(waiting.map((one) => once(one, 'connect').catch(() => undefined)))
  const { socket } = await make.bridge(path, ['--connect-timeout', '2s', '--answer-timeout', '2s'])
  const reply = await call(socket, '/v1.44/info')
  expect(reply.text).toContain('did not accept a connection in time')
  for (const one of waiting) one.destroy()
})
