import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { heardFrom } from '../../src/policy/file/environment.ts'
import { eventually } from '../support/client.ts'
import { Process } from '../support/processes.ts'
import { PROGRAM } from '../support/program.ts'
import { engine28, scriptedEngine, socketFolder } from '../support/scripted-engine.ts'

const PATIENCE_MS = 120_000

describe('variables of another socket proxy', () => {
  it('are understood, another setting here, or not known', () => {
    const env = { SP_ALLOW_GET: '/.*', SP_LISTENIP: '0.0.0.0', SP_LISTENPORT: '1', SP_LOGJSON: '', PATH: '/bin' }
    expect(heardFrom(env)).toEqual({
      sentence:
        'variables of another socket proxy; understood: SP_ALLOW_GET; without effect, another setting here: SP_LISTENIP (--listen tcp://IP:PORT); not known: SP_LISTENPORT',
      allUnderstood: false,
    })
  })

  it('that are all understood make a short line', () => {
    expect(heardFrom({ POST: '0', CONTAINERS: '1' })).toEqual({
      sentence: 'variables of another socket proxy; understood: CONTAINERS, POST',
      allUnderstood: true,
    })
  })

  it('are named in the log of a start, without their values', { timeout: PATIENCE_MS }, async () => {
    const folder = await socketFolder()
    const engine = await scriptedEngine(join(folder.path, 'e.sock'), { version: engine28 })
    const sockets = ['--listen', `unix://${join(folder.path, 'b.sock')}`, '--engine', `unix://${engine.socket}`]
    const command = [...PROGRAM, 'serve', ...sockets, '--audit-log', 'off']
    const env = { PATH: process.env['PATH'], SP_ALLOW_GET: '/v1.*', SP_SOCKETPATH: '/a/b.sock', SP_LOGLEVEL: 'DEBUG' }
    const running = new Process(command, env)
    try {
      await eventually(() => running.err.includes('listening') || !running.alive, 'it serves, or ended', PATIENCE_MS)
      const line = running.err.split('\n').find((text) => text.includes('variables of another socket proxy'))
      expect(JSON.parse(line ?? '{}')).toMatchObject({
        level: 'warn',
        msg: 'variables of another socket proxy; understood: SP_ALLOW_GET; without effect, another setting here: SP_LOGLEVEL (--log-level), SP_SOCKETPATH (--engine unix:///PATH)',
      })
    } finally {
      await running.kill()
      await engine.close()
      await folder.remove()
    }
  })
})
