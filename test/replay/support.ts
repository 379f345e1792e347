import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { type Bridge, startBridge } from '../../src/proxy/bridge.ts'
import { readConfig } from '../../src/proxy/settings/config.ts'
import { socketFolder } from '../support/scripted-engine.ts'
import { type ReplayEngine, replayEngine } from './engine.ts'
import { loadEngine, type RecordedEngine } from './exchange.ts'

export interface ReplayStage {
  engine(): ReplayEngine
  /** The bridge's socket. */
  socket(): string
  folder(): string
}

/** A recorded engine with a bridge before it, for the tests of the block that calls this. */
export function replayStage(name: RecordedEngine, flags: readonly string[] = []): ReplayStage {
  let engine: ReplayEngine | undefined
  let bridge: Bridge | undefined
  let folder: Awaited<ReturnType<typeof socketFolder>> | undefined
  const there = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the stage is not up yet')
    return value
  }
  const socket = (): string => join(there(folder).path, 'b.sock')
  beforeAll(async () => {
    folder = await socketFolder()
    engine = await replayEngine(join(folder.path, 'e.sock'), loadEngine(name))
    const config = readConfig(
      [
        '--listen',
        `unix://${socket()}`,
        '--engine',
        `unix://${engine.socket}`,
        '--grace',
        '0',
        '--state',
        'off',
        ...flags,
      ],
      {},
    )
    bridge = await startBridge(config, { log: pino({ level: 'silent' }), audit: { write: () => undefined } })
  })
  afterAll(async () => {
    await bridge?.close()
    await engine?.close()
    await folder?.remove()
  })
  return { engine: () => there(engine), socket, folder: () => there(folder).path }
}
