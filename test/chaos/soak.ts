import { truncateSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { random } from '../fuzz/mutate.ts'
import { memoryOf } from '../support/memory.ts'
import { auditAccounts, hung, ledgerAccounts } from './accounts.ts'
import type { Called } from './calls.ts'
import { crowd } from './chaos.ts'
import { notFlat, type Rest } from './flat.ts'
import { type Disturbances, disturb, leftOpen, openStage, type Rhythm, type Stage } from './stage.ts'

export interface Soak {
  readonly ms: number
  /** The time between two rests. */
  readonly stretchMs: number
  readonly seed: number
  readonly clients: number
  readonly thinkMs: number
  /** The socket of a real engine. It is never killed; only clients are. */
  readonly engine?: string
  readonly tell?: (rest: Rest, wrongSoFar: number) => void
}

export interface Soaked extends Readonly<Disturbances> {
  readonly calls: number
  readonly changes: number
  readonly rests: readonly Rest[]
  /** The faults found, a sentence each. */
  readonly wrong: readonly string[]
}

const RHYTHM: Rhythm = { from: 2_000, spread: 6_000 }

/** The chaos for hours, in stretches. After each, all clients leave, the accounts are checked and the program is measured. */
export async function soak({ ms, stretchMs, seed, clients, thinkMs, engine, tell }: Soak): Promise<Soaked> {
  const pick = random(seed)
  const stage = await openStage(engine)
  const counts = { clientsKilled: 0, enginesKilled: 0, enginesFrozen: 0 }
  const rests: Rest[] = []
  const wrong: string[] = []
  let [calls, changes, stretch] = [0, 0, 0]
  try {
    const end = performance.now() + ms
    while (performance.now() < end && stage.bridge.alive) {
      const until = Math.min(end, performance.now() + stretchMs)
      const disturbance = disturb(stage, pick, until, counts, RHYTHM)
      const firstNumber = clients * stretch++
      stage.bridge.child.kill('SIGHUP') // reopens logs and reads policy and certificates again: no file may stay open
      const called = await crowd(stage, pick, counts, { end: until, clients, firstNumber, thinkMs })
      await disturbance
      calls += called.length
      changes += called.filter(({ kind }) => kind.changes).length
      wrong.push(...(await checkStretch(stage, called)))
      const rest = await restOf(stage, calls)
      rests.push(rest)
      tell?.(rest, wrong.length)
      if (engine === undefined) await stage.startEngine()
    }
    if (!stage.bridge.alive) wrong.push(`the bridge has ended: ${stage.bridge.err.slice(-2000)}`)
    return { calls, changes, ...counts, rests, wrong: [...wrong, ...notFlat(rests)] }
  } finally {
    await stage.close()
  }
}

async function restOf({ bridge }: Stage, calls: number): Promise<Rest> {
  const memory = await memoryOf(bridge)
  return { calls, ...memory, sockets: bridge.sockets, descriptors: bridge.descriptors().length }
}

/** No call is under way: the audit gets no more records. */
async function checkStretch(stage: Stage, called: readonly Called[]): Promise<string[]> {
  const wrong = [...hung(called), ...(await leftOpen(stage))]
  let audited: string[] = []
  const complete = async (): Promise<boolean> => {
    audited = await auditAccounts(stage.audit, called)
    return audited.length === 0
  }
  await settled(complete)
  wrong.push(...audited)
  if (stage.engine !== undefined) wrong.push(...(await ledgerAccounts(stage.ledger, called)))
  truncateSync(stage.audit)
  if (stage.engine !== undefined) truncateSync(stage.ledger)
  return wrong
}

const WRITTEN_MS = 10_000

/** The queue of the audit may be a moment behind. A line may be half written when it is read. */
async function settled(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + WRITTEN_MS
  while (performance.now() < end && !(await holds().catch(() => false))) await sleep(100)
}
