import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { random } from '../fuzz/mutate.ts'
import { eventually } from '../support/client.ts'
import { bridgeProcess, engineProcess, ledgerOf, type Process } from '../support/processes.ts'
import { socketFolder } from '../support/scripted-engine.ts'
import { type Called, kinds, make } from './calls.ts'

export interface Chaos {
  readonly ms: number
  readonly seed: number
  readonly clients: number
  /** A real engine's socket: it is left alone, only clients are killed. */
  readonly engine?: string
}

export interface Aftermath {
  readonly calls: number
  readonly byKind: Readonly<Record<string, number>>
  readonly answered: number
  readonly changes: number
  readonly clientsKilled: number
  readonly enginesKilled: number
  readonly enginesFrozen: number
  /** What must not be: each is a sentence. */
  readonly wrong: readonly string[]
}

const PATIENCE_MS = 30_000

/** Many calls of all lanes through the program while engine and clients are killed at random; then the accounts are checked. */
export async function chaos({ ms, seed, clients, engine: real }: Chaos): Promise<Aftermath> {
  const pick = random(seed)
  const folder = await socketFolder()
  const at = (name: string): string => join(folder.path, name)
  const ledger = at('ledger')
  const stage = { engine: real === undefined ? await engineProcess(at('e.sock'), ledger) : undefined }
  const bridge = await bridgeProcess(at('b.sock'), real ?? at('e.sock'), ['--audit-log', at('audit')])
  const counts = { clientsKilled: 0, enginesKilled: 0, enginesFrozen: 0 }
  const called: Called[] = []
  try {
    await make(at('b.sock'), kinds[0] ?? never(), 'warm-up', undefined)
    await stage.engine?.kill()
    await sleep(200)
    const baseline = bridge.sockets
    if (stage.engine !== undefined) stage.engine = await engineProcess(at('e.sock'), ledger)
    const end = performance.now() + ms
    const disturbance = disturb(stage, () => engineProcess(at('e.sock'), ledger), pick, end, counts)
    const client = async (number: number): Promise<void> => {
      for (let n = 0; performance.now() < end; n++) {
        const leaves = pick(10) < 3 ? pick(120) : undefined
        if (leaves !== undefined) counts.clientsKilled++
        called.push(await make(at('b.sock'), kinds[pick(kinds.length)] ?? never(), `c${number}n${n}`, leaves))
      }
    }
    await Promise.all([disturbance, ...Array.from({ length: clients }, (_, number) => client(number))])
    const wrong = await accounts(bridge, stage, baseline, called, { ledger, audit: at('audit') })
    const byKind = Object.fromEntries(
      kinds.map(({ name }) => [name, called.filter(({ kind }) => kind.name === name).length]),
    )
    const answered = called.filter(({ status }) => status !== undefined).length
    const changes = called.filter(({ kind }) => kind.changes).length
    return { calls: called.length, byKind, answered, changes, ...counts, wrong }
  } finally {
    await bridge.kill()
    await stage.engine?.kill()
    await folder.remove()
  }
}

const never = (): never => {
  throw new RangeError('there is none')
}

/** Kills, starts again and freezes the engine until the end, and leaves it running. */
async function disturb(
  stage: { engine: Process | undefined },
  start: () => Promise<Process>,
  pick: (below: number) => number,
  end: number,
  counts: { enginesKilled: number; enginesFrozen: number },
): Promise<void> {
  while (stage.engine !== undefined && performance.now() < end) {
    await sleep(100 + pick(600))
    if (pick(3) === 0) {
      counts.enginesFrozen++
      stage.engine.child.kill('SIGSTOP')
      await sleep(pick(300))
      stage.engine.child.kill('SIGCONT')
    } else {
      counts.enginesKilled++
      await stage.engine.kill()
      await sleep(pick(200))
      stage.engine = await start()
    }
  }
}

interface AuditLine {
  readonly auditId: string
  readonly stage: string
  readonly operation?: string
  readonly userAgent?: string
}

async function accounts(
  bridge: Process,
  stage: { engine: Process | undefined },
  baseline: number,
  called: readonly Called[],
  files: { ledger: string; audit: string },
): Promise<string[]> {
  const wrong = called.filter(({ hung }) => hung).map(({ kind, id }) => `hung: ${kind.name} (${id})`)
  if (!bridge.alive) wrong.push(`the bridge has ended: ${bridge.err.slice(-2000)}`)
  // Pooled connections end with the engine: what is left then is nobody's.
  await stage.engine?.kill()
  const back = (): boolean => bridge.sockets <= baseline + (stage.engine === undefined ? 40 : 0)
  await eventually(back, 'descriptors are given back', PATIENCE_MS).catch(() =>
    wrong.push(`${bridge.sockets} sockets are open, ${baseline} were at the beginning`),
  )
  await bridge.kill('SIGTERM') // what the audit still holds is written
  wrong.push(...auditAccounts(files.audit, called))
  if (stage.engine !== undefined) wrong.push(...ledgerAccounts(files.ledger, called))
  return wrong
}

/** Every call that was answered has one record of its end, no call has two, and what was begun is ended. */
function auditAccounts(file: string, called: readonly Called[]): string[] {
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditLine)
  const ends = new Map<string, number>()
  const open = new Map<string, string>()
  for (const { auditId, stage, operation, userAgent } of lines) {
    const who = userAgent ?? ''
    if (stage === 'received') open.set(auditId, `${operation} of ${who}`)
    if (stage !== 'complete' && stage !== 'failed') continue
    open.delete(auditId)
    ends.set(who, (ends.get(who) ?? 0) + 1)
  }
  const wrong = [...open].map(([auditId, what]) => `the audit has no end of ${what} (${auditId})`)
  for (const { kind, id, status } of called) {
    const count = ends.get(id) ?? 0
    if (count > 1 || (count === 0 && status !== undefined))
      wrong.push(`${count} ends in the audit of ${kind.name} (${id})`)
  }
  return wrong
}

/** What changes something reached the engine once at most, and once where its client was told that it is done. */
function ledgerAccounts(file: string, called: readonly Called[]): string[] {
  const reached = new Map<string, number>()
  for (const line of ledgerOf(file)) {
    const id = /\bc\d+n\d+\b/.exec(line)?.[0]
    if (id !== undefined && line.startsWith('POST ')) reached.set(id, (reached.get(id) ?? 0) + 1)
  }
  return called.flatMap(({ kind, id, status }) => {
    const times = kind.changes ? (reached.get(id) ?? 0) : 0
    const done = kind.changes && status !== undefined && status < 300
    if (times > 1) return [`${kind.name} (${id}) reached the engine ${times} times`]
    return done && times === 0 ? [`${kind.name} (${id}) was answered ${status} and never reached the engine`] : []
  })
}
