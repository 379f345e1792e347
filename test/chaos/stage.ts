import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../support/client.ts'
import { PROBED } from '../support/memory.ts'
import { bridgeProcess, engineProcess, type Process } from '../support/processes.ts'
import { socketFolder } from '../support/scripted-engine.ts'
import { kinds, make } from './calls.ts'

const PATIENCE_MS = 30_000

/** The program in front of an engine, each in a process of its own. */
export interface Stage {
  readonly bridge: Process
  /** Undefined: a real one, which is left alone. */
  engine: Process | undefined
  readonly socket: string
  readonly ledger: string
  readonly audit: string
  /** Sockets of the bridge while no client is connected and no engine is there. */
  readonly baseline: number
  startEngine(): Promise<void>
  close(): Promise<void>
}

export async function openStage(real: string | undefined): Promise<Stage> {
  const folder = await socketFolder()
  const at = (name: string): string => join(folder.path, name)
  const [socket, ledger, audit] = [at('b.sock'), at('ledger'), at('audit')]
  const startEngine = (): Promise<Process> => engineProcess(at('e.sock'), ledger)
  let engine = real === undefined ? await startEngine() : undefined
  const bridge = await bridgeProcess(socket, real ?? at('e.sock'), ['--audit-log', audit], undefined, PROBED)
  const close = async (): Promise<void> => {
    await bridge.kill()
    await stage.engine?.kill()
    await folder.remove()
  }
  const [ping] = kinds
  if (ping !== undefined) await make(socket, ping, 'warm-up', undefined)
  await engine?.kill()
  await sleep(200)
  const baseline = bridge.sockets
  if (engine !== undefined) engine = await startEngine()
  const stage: Stage = {
    ...{ bridge, engine, socket, ledger, audit, baseline, close },
    startEngine: async () => {
      stage.engine = await startEngine()
    },
  }
  return stage
}

/** How often an engine is killed or frozen: `from` milliseconds, and up to `spread` more. */
export interface Rhythm {
  readonly from: number
  readonly spread: number
}

export interface Disturbances {
  clientsKilled: number
  enginesKilled: number
  enginesFrozen: number
}

/** Kills, starts again and freezes the engine until the end, and leaves it running. */
export async function disturb(
  stage: Stage,
  pick: (below: number) => number,
  end: number,
  counts: Disturbances,
  { from, spread }: Rhythm,
): Promise<void> {
  while (stage.engine !== undefined) {
    const wait = from + pick(spread)
    if (performance.now() + wait > end) return
    await sleep(wait)
    if (pick(3) === 0) {
      counts.enginesFrozen++
      stage.engine.child.kill('SIGSTOP')
      await sleep(pick(300))
      stage.engine.child.kill('SIGCONT')
    } else {
      counts.enginesKilled++
      await stage.engine.kill()
      await sleep(pick(200))
      await stage.startEngine()
    }
  }
}

/**
 * Waits for the descriptors that calls had, and says what is left. Pooled connections end with the engine: what is left
 * then is nobody's. A real engine stays: its pool may too.
 */
export async function leftOpen({ bridge, engine, baseline }: Stage): Promise<string[]> {
  const allowed = baseline + (engine === undefined ? 40 : 0)
  await engine?.kill()
  const back = (): boolean => !bridge.alive || bridge.sockets <= allowed
  return eventually(back, 'descriptors are given back', PATIENCE_MS).then(
    () => [],
    () => [`${bridge.sockets} sockets are open, ${baseline} were at the beginning`],
  )
}
