import { setTimeout as sleep } from 'node:timers/promises'
import { random } from '../fuzz/mutate.ts'
import { auditAccounts, hung, ledgerAccounts } from './accounts.ts'
import { type Called, type Kind, kinds, make } from './calls.ts'
import { type Disturbances, disturb, leftOpen, openStage, type Rhythm, type Stage } from './stage.ts'

export interface Chaos {
  readonly ms: number
  readonly seed: number
  readonly clients: number
  /** The socket of a real engine. It is never killed; only clients are. */
  readonly engine?: string
}

export interface Aftermath extends Readonly<Disturbances> {
  readonly calls: number
  readonly byKind: Readonly<Record<string, number>>
  readonly answered: number
  readonly changes: number
  /** The faults found, a sentence each. */
  readonly wrong: readonly string[]
}

const RHYTHM: Rhythm = { from: 100, spread: 600 }

/** Many calls of all lanes through the program while engine and clients are killed at random; then the accounts are checked. */
export async function chaos({ ms, seed, clients, engine }: Chaos): Promise<Aftermath> {
  const pick = random(seed)
  const stage = await openStage(engine)
  const counts = { clientsKilled: 0, enginesKilled: 0, enginesFrozen: 0 }
  try {
    const end = performance.now() + ms
    const disturbance = disturb(stage, pick, end, counts, RHYTHM)
    const called = await crowd(stage, pick, counts, { end, clients, firstNumber: 0, thinkMs: 0 })
    await disturbance
    const wrong = await accounts(stage, called)
    const byKind = Object.fromEntries(
      kinds.map(({ name }) => [name, called.filter(({ kind }) => kind.name === name).length]),
    )
    const answered = called.filter(({ status }) => status !== undefined).length
    const changes = called.filter(({ kind }) => kind.changes).length
    return { calls: called.length, byKind, answered, changes, ...counts, wrong }
  } finally {
    await stage.close()
  }
}

export interface Crowd {
  readonly end: number
  readonly clients: number
  /** Makes the ids of calls unique. */
  readonly firstNumber: number
  /** The longest rest of a client after a call. */
  readonly thinkMs: number
}

const kindOf = (pick: (below: number) => number): Kind => {
  const kind = kinds[pick(kinds.length)]
  if (kind === undefined) throw new RangeError('there are no kinds')
  return kind
}

/** Clients that call until the end; three of ten leave at any moment. */
export async function crowd(
  { socket }: Stage,
  pick: (below: number) => number,
  counts: Disturbances,
  { end, clients, firstNumber, thinkMs }: Crowd,
): Promise<Called[]> {
  const called: Called[] = []
  const client = async (number: number): Promise<void> => {
    for (let n = 0; performance.now() < end; n++) {
      const leaves = pick(10) < 3 ? pick(120) : undefined
      if (leaves !== undefined) counts.clientsKilled++
      called.push(await make(socket, kindOf(pick), `c${number}n${n}`, leaves))
      if (thinkMs > 0) await sleep(pick(thinkMs))
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(firstNumber + number)))
  return called
}

async function accounts(stage: Stage, called: readonly Called[]): Promise<string[]> {
  const { bridge, engine, audit, ledger } = stage
  const wrong = hung(called)
  if (!bridge.alive) wrong.push(`the bridge has ended: ${bridge.err.slice(-2000)}`)
  wrong.push(...(await leftOpen(stage)))
  await bridge.kill('SIGTERM') // writes the records that the audit still holds
  wrong.push(...(await auditAccounts(audit, called)))
  if (engine !== undefined) wrong.push(...(await ledgerAccounts(ledger, called)))
  return wrong
}
