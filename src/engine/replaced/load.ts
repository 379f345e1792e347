import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineFacts } from '../../api/engine-facts.ts'
import { type JsonObject, memberAt, stringOf } from '../../api/json/json.ts'
import type { Log } from '../../config/log.ts'
import { isFullId, REPLACES } from '../../translate/replaced/label.ts'
import type { ExclusiveWork } from './exclusive.ts'
import type { KeptIds } from './kept.ts'
import { type CallEngine, containersIn, idOf, type Left, leftSetAside, putBack } from './recovery.ts'
import type { Replacement } from './store.ts'
import type { IdTable } from './table.ts'

interface Parts {
  readonly call: CallEngine
  readonly table: IdTable
  readonly kept: KeptIds
  readonly work: ExclusiveWork
  readonly log: Pick<Log, 'warn'>
  /** How long another bridge may pause before its replacement counts as interrupted. */
  readonly graceMs: number
  /** An interrupted replacement is over: the ids have to be loaded again. `restored`: the id of a container that nothing replaces any more. */
  readonly over: (restored?: string) => void
}

export interface Loaded {
  readonly ids: readonly Replacement[]
  /** Images have the label: they were committed from replaced containers. */
  readonly images: boolean
}

/** Reads the replacements on an engine: those of the state directory whose containers are there. */
export async function load(parts: Parts, facts: EngineFacts): Promise<Loaded> {
  const { call, table, kept } = parts
  const stored = await kept.read() // first: an id stored after the engine's response must not look gone
  const known = new Map(stored.map(({ client, engine }) => [engine, client]))
  const clientOf = (id: string): string => known.get(id) ?? table.toClient(id)
  const filters = new URLSearchParams({ filters: JSON.stringify({ label: [REPLACES] }) })
  // Second: while a replacement is undone, the new one is removed before the old one gets its name back.
  const left = await leftSetAside(call, facts)
  const containers = containersIn(await call(facts, 'GET', `/containers/json?all=1&${filters}`))
  const undone = new Set(left.flatMap((one) => recover(parts, facts, one, clientOf)))
  const { body: images } = await call(facts, 'GET', `/images/json?${filters}`)
  const present = new Set(containers.map(idOf))
  for (const one of stored) if (!present.has(one.engine)) void kept.tidy(one)
  const strangers = containers.filter((one) => isStranger(parts, one, clientOf, undone))
  kept.ignores(strangers.map(idOf))
  const ids = [...present]
    .map((engine) => ({ client: clientOf(engine), engine }))
    .filter(({ client, engine }) => client !== engine)
    .filter(({ client, engine }) => !undone.has(client) || undone.has(engine)) // incomplete replacements will be removed
  return { ids, images: Array.isArray(images) && images.length > 0 }
}

/**
 * Undoes an interrupted replacement of this or another bridge, unless that bridge continues it. Calls for it wait
 * meanwhile. Returns its ids: its own and the client's.
 */
function recover(
  { call, work, log, graceMs, over }: Parts,
  facts: EngineFacts,
  left: Left,
  clientOf: (id: string) => string,
): string[] {
  const own = idOf(left.containers[0] ?? {})
  const client = clientOf(own)
  if (work.isBusyHere(({ name }) => name === left.name)) return [own, client]
  const now = async (): Promise<Left | undefined> =>
    (await leftSetAside(call, facts)).find(({ name }) => name === left.name)
  const putItBack = async (): Promise<void> => {
    if ((await now()) === undefined) return over() // another process had its turn before
    await sleep(graceMs, undefined, { ref: false })
    const still = await now()
    if (still === undefined) return over()
    if (idsOf(still) !== idsOf(left)) return over() // another process works on it
    const { outcome, isOver } = await putBack(call, facts, still, clientOf)
    if (isOver) over(own === client ? client : undefined)
    log.warn({ container: left.name, outcome }, 'a bridge ended while it recreated a container')
  }
  void work
    .alone({ id: client, name: left.name }, putItBack)
    .catch((err: Error) =>
      log.warn({ err, container: left.name }, 'cannot restore a container after a bridge ended while it recreated it'),
    )
  return [own, client]
}

/** Whether a container's label claims an id that this bridge did not give it. */
function isStranger(
  { work }: Parts,
  container: JsonObject,
  clientOf: (id: string) => string,
  undone: ReadonlySet<string>,
): boolean {
  const id = idOf(container)
  const said = stringOf(memberAt(container, 'Labels', REPLACES))
  return isFullId(said) && clientOf(id) === id && !undone.has(said) && !work.isBusyHere((one) => one.id === said)
}

const idsOf = ({ containers }: Left): string => containers.map(idOf).join()
