import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dispatch } from '../../src/cli/dispatch.ts'
import { call, eventually } from '../support/client.ts'
import { captured } from '../support/io.ts'
import { socketFolder } from '../support/scripted-engine.ts'
import { DOCKER_ENGINES, liveEngine, onEngines, PODMAN } from './support/suites.ts'

const RANGES = {
  '20.10': ['1.12', '1.41'],
  '26.1': ['1.24', '1.45'],
  '28.5': ['1.24', '1.51'],
  '28.5-min1.44': ['1.44', '1.51'],
  'podman-5.4': ['1.24', '1.41'],
} as const

await onEngines([...DOCKER_ENGINES, PODMAN], ({ name, socket }) => {
  test('the doctor says what the engine is, and who is refused, as the engine itself does', async () => {
    const io = captured()
    expect(await dispatch(['doctor', socket, '--listen', `unix://${socket}.none`, '--json'], io)).toBe(0)
    const [report] = JSON.parse(io.out()).engines
    const [lowest, highest] = RANGES[name]
    expect(report.engine).toMatchObject({ lowest, highest })
    for (const { client, withoutBridge } of report.clients) {
      // Not /info: podman runs programs for a second to answer it.
      const { status } = await call(socket, `/v${client}/networks`)
      expect([client, status < 400], client).toEqual([client, withoutBridge.served])
    }
  })
})

await onEngines(['20.10'], (old) => {
  test('a recording of 20.10 tells what a newer engine does, and that engine agrees', async () => {
    const newer = await liveEngine('28.5-min1.44')
    const folder = await socketFolder()
    const [file, listen] = [join(folder.path, 'calls.jsonl'), join(folder.path, 'r.sock')]
    const io = captured()
    const recording = dispatch(['record', file, '--listen', `unix://${listen}`, '--engine', `unix://${old.socket}`], io)
    await Promise.race([recording, eventually(() => io.out() !== '', 'it listens')])
    for (const path of ['/_ping', '/version', '/containers/json?all=1', '/images/json', '/networks', '/volumes'])
      expect((await call(listen, `/v1.24${path}`)).status).toBe(200)
    io.stop()
    expect(await recording).toBe(0)
    const replayed = captured()
    await dispatch(['replay', file, '--engine', `unix://${newer.socket}`, '--json'], replayed)
    const { calls } = JSON.parse(replayed.out())
    for (const one of calls) {
      expect(one).toMatchObject({ withoutBridge: expect.stringContaining('1.24 is too old'), refused: null })
      expect(one.asked.kind, JSON.stringify(one.asked)).toMatch(/same|differs/)
    }
    expect(
      calls.filter(({ asked }: { asked: { kind: string } }) => asked.kind === 'same').length,
    ).toBeGreaterThanOrEqual(4)
    await folder.remove()
  })
})
