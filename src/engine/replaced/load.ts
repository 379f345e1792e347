import { setTimeout as sleep } from 'node:timers/promises'
import { memberAt, stringOf } from '../../api/json/json.ts'
import type { Log } from '../../config/log.ts'
import { idOf, isFullId, REPLACES } from '../../translate/replaced/label.ts'
import type { Call } from '../../translate/replaced/undo.ts'
import type { ExclusiveWork } from './exclusive.ts'
import type { KeptIds } from './kept.ts'
import { containersIn, type Left, leftSetAside, putBack } from './recovery.ts'
import type { IdTable } from './table.ts'

interface Parts {
  readonly call: Call
  readonly table: IdTable
  readonly kept: KeptIds
  readonly work: ExclusiveWork
  readonly log: Pick<Log, 'warn'>
  /** How long another bridge may pause before its replacement counts as interrupted. */
  readonly graceMs: number
  /** Those that could not be undone after that time, by their containers: they are tried again without it. */
  readonly stuck: Set<string>
  /** An interrupted replacement is over: the ids have to be loaded again. */
  readonly over: () => void
}

/** Reads the replacements on an engine: those of the state directory whose containers are there. */
export async function load(parts: Parts) {
  const { call, table, kept, work, stuck } = parts
  const stored = await kept.read() // first: an id stored after the engine's response must not look gone
  const known = new Map(stored.map(({ client, engine }) => [engine, client]))
  const clientOf = (id: string): string => known.get(id) ?? table.toClient(id)
  const filters = new URLSearchParams({ filters: JSON.stringify({ label: [REPLACES] }) })
  // Second: while a replacement is undone, the new one is removed before the old one gets its name back.
  const left = await leftSetAside(call)
  for (const ids of stuck.difference(new Set(left.map(idsOf)))) stuck.delete(ids)
  const containers = containersIn(await call('GET', `/containers/json?all=1&${filters}`))
  const halfway = new Map(left.map((one) => recover(parts, one, clientOf)))
  const { body: images } = await call('GET', `/images/json?${filters}`)
  const present = new Set(containers.map(idOf))
  // Without any of them it may be another engine for a while, or one whose disk is not mounted yet.
  const isTheirs = stored.some(({ engine }) => present.has(engine))
  for (const one of stored) if (isTheirs && one.here && !present.has(one.engine)) void kept.remove(one, 'here')
  // Every client can set the label.
  const strangers = containers.filter((one) => {
    const said = stringOf(memberAt(one, 'Labels', REPLACES))
    return (
      isFullId(said) &&
      clientOf(idOf(one)) === idOf(one) &&
      !halfway.has(said) &&
      work.ownWork(({ id }) => id === said) === undefined
    )
  })
  kept.ignores(strangers.map(idOf))
  const ids = [...present]
    .map((engine) => ({ client: clientOf(engine), engine }))
    // An incomplete replacement will be removed: the client's container is the one that was set aside.
    .filter(({ client, engine }) => client !== engine && (halfway.get(client) ?? engine) === engine)
  // Images have the label if they were committed from replaced containers.
  return { ids, images: Array.isArray(images) && images.length > 0 }
}

/** Shares of the time: calls wait no longer than another bridge needs. */
const PAUSES = [0, ...Array<number>(10).fill(0.1)]

const idsOf = ({ containers }: Left): string => containers.map(idOf).join()

/**
 * Undoes an interrupted replacement of this or another bridge, unless that bridge continues it. Calls for it wait
 * meanwhile. Returns the client's id and that of its container.
 */
function recover(
  { call, work, log, graceMs, stuck, over }: Parts,
  left: Left,
  clientOf: (id: string) => string,
): readonly [client: string, own: string] {
  const own = idOf(left.containers[0] ?? {})
  const client = clientOf(own)
  const ids = idsOf(left)
  const isUnchanged = async (): Promise<boolean> =>
    (await leftSetAside(call)).some((now) => now.name === left.name && idsOf(now) === ids)
  const undone = async (): Promise<void> => {
    // Otherwise another process has ended it before, or continues it.
    for (const share of stuck.has(ids) ? [0] : PAUSES) {
      await sleep(share * graceMs, undefined, { ref: false })
      if (!(await isUnchanged())) return over()
    }
    const problem = await putBack(call, left, clientOf)
    if (problem === undefined) over()
    else if (stuck.has(ids)) return
    else stuck.add(ids)
    const outcome = problem ?? 'it is as it was'
    log.warn({ container: left.name, outcome }, 'a bridge ended while it recreated a container')
  }
  if (work.ownWork(({ name }) => name === left.name) !== undefined) return [client, own]
  void work
    .runExclusively({ id: client, name: left.name }, undone)
    .catch((err: Error) =>
      log.warn({ err, container: left.name }, 'cannot restore a container after a bridge ended while it recreated it'),
    )
  return [client, own]
}
