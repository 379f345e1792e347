import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach } from 'vitest'
import { type Bridge, startBridge } from '../../src/proxy/bridge.ts'
import type { Dependencies } from '../../src/proxy/core.ts'
import { readConfig } from '../../src/proxy/settings/config.ts'
import { makeInspector } from '../../src/tools/inspect/lazily.ts'
import { checkRecord, expectRecords } from './audit-schema.ts'
import { type Script, type ScriptedEngine, scriptedEngine, socketFolder } from './scripted-engine.ts'

export interface Stage {
  readonly engine: ScriptedEngine
  readonly bridge: Bridge
  /** The bridge's socket. */
  readonly socket: string
  readonly folder: string
  readonly audit: Record<string, unknown>[]
}

/** Dependencies that a test gives the bridge in place of the stage's own. */
export type Given = Partial<Pick<Dependencies, 'audit' | 'observers' | 'log'>>

export interface StageMaker {
  /** A scripted engine with a bridge before it. */
  (script: Script, flags?: readonly string[], given?: Given): Promise<Stage>
  /** A bridge before an address at which the engine may start later. */
  bridge(
    engineSocket: string,
    flags?: readonly string[],
    given?: Given,
  ): Promise<Stage['bridge'] & { socket: string; audit: Record<string, unknown>[] }>
  folder(): string
}

/** The port of its TCP listener. */
export function portOf({ addresses }: Pick<Bridge, 'addresses'>): number {
  const tcp = addresses.find((address) => address.kind === 'tcp')
  return tcp?.kind === 'tcp' ? tcp.port : 0
}

/** Registers set-up and tear-down with the test file: after each test, everything that it started is closed. */
export function stages(): StageMaker {
  let folder = ''
  let count = 0
  let cleanUp: (() => Promise<void>)[] = []
  beforeEach(async () => {
    const made = await socketFolder()
    folder = made.path
    cleanUp = [made.remove]
  })
  afterEach(async () => {
    for (const close of cleanUp.reverse()) await close()
    expectRecords()
  })
  const bridge: StageMaker['bridge'] = async (engineSocket, flags = [], given = {}) => {
    const socket = join(folder, `bridge${count++}.sock`)
    const audit: Record<string, unknown>[] = []
    const config = readConfig(
      [
        '--listen',
        `unix://${socket}`,
        '--engine',
        engineSocket.includes('://') ? engineSocket : `unix://${engineSocket}`,
        '--grace',
        '0',
        ...(flags.includes('--state') ? [] : ['--state', join(folder, 'state')]),
        ...flags,
      ],
      {},
    )
    const started = await startBridge(config, {
      inspector: makeInspector,
      log: pino({ level: 'silent' }),
      audit: {
        write: (record) => {
          checkRecord(record)
          audit.push({ ...record })
          return undefined
        },
      },
      ...given,
    })
    cleanUp.push(() => started.close())
    return { ...started, socket, audit }
  }
  const make = async (script: Script, flags: readonly string[] = [], given: Given = {}): Promise<Stage> => {
    const engine = await scriptedEngine(join(folder, `engine${count++}.sock`), script)
    cleanUp.push(() => engine.close())
    const started = await bridge(engine.socket, flags, given)
    return { engine, bridge: started, socket: started.socket, folder, audit: started.audit }
  }
  return Object.assign(make, { bridge, folder: () => folder })
}
