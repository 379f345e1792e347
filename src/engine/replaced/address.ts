import type { EngineFacts } from '../../api/engine-facts.ts'
import { Refusal } from '../../api/errors.ts'
import type { OperationName } from '../../api/operations.ts'
import type { Call } from '../../api/read-call.ts'
import { SET_ASIDE } from '../../translate/replaced/label.ts'
import type { ReplacedContainers } from './replaced-containers.ts'

/** The path of a call as the engine knows it. */
export interface Addressee {
  readonly wirePath: string
  readonly params: Readonly<Record<string, string>>
  /** Whether any id needs translation on this engine. */
  readonly mapsIds: boolean
}

/** Calls that show all containers: none while one of them is having its place taken. */
const SHOWS_ALL: ReadonlySet<OperationName> = new Set<OperationName>(['ContainerList', 'ContainerListPs'])

/** Calls that would be cut off if their container were made anew. */
const STAYS: ReadonlySet<OperationName> = new Set<OperationName>([
  'ContainerAttach',
  'ContainerAttachWebsocket',
  'ContainerWait',
  'ContainerLogs',
  'ContainerStats',
])

const containerOf = ({ match }: Call): string | undefined =>
  match?.operation.path.startsWith('/containers/{') === true ? match.params['name'] : undefined

/**
 * Whether a call says what a container is to be called. Podman's own paths end in the same way. Docker's `{name:.*}` takes the
 * name of a link too, `parent/alias`.
 */
export const givesName = ({ method, path }: Call): boolean =>
  method === 'POST' &&
  (path.endsWith('/containers/create') || (path.includes('/containers/') && path.endsWith('/rename')))

/** A container that is called so would be taken for one that the bridge has set aside. */
function refuseOurNames(call: Call): void {
  if (!givesName(call)) return
  // Engines built with Go up to 1.16 take ; for & (go.dev/issue/25192).
  const names = new URLSearchParams(call.search.replaceAll(';', '&')).getAll('name')
  const taken = names.find((name) => name.replace(/^\/+/, '').startsWith(SET_ASIDE))
  if (taken === undefined) return
  throw new Refusal(
    'bad-request',
    `Invalid container name (${taken}): names that start with ${SET_ASIDE} are the bridge's own, choose another`,
  )
}

/** Which container a call is for: its own, or the one that stands for it. Waits while one takes another's place. */
export function addressed(
  replacedContainers: ReplacedContainers,
  call: Call,
  engine: EngineFacts,
): Addressee | Promise<Addressee> {
  refuseOurNames(call)
  const said = containerOf(call)
  const everything = call.match !== undefined && SHOWS_ALL.has(call.match.operation.name)
  const concerns = said !== undefined || everything
  const settled = concerns ? replacedContainers.settled(said) : undefined
  // Nearly always: nobody's place is being taken, and no id stands for another.
  if (settled === undefined && replacedContainers.ready(engine) === false) return own(call, false)
  return settling(replacedContainers, call, engine, said, { concerns, settled })
}

const NO_PARAMS: Readonly<Record<string, string>> = {}

const own = (call: Call, mapsIds: boolean): Addressee => ({
  wirePath: call.wirePath,
  params: call.match?.params ?? NO_PARAMS,
  mapsIds,
})

async function settling(
  replacedContainers: ReplacedContainers,
  call: Call,
  engine: EngineFacts,
  said: string | undefined,
  { concerns, settled }: { readonly concerns: boolean; readonly settled: Promise<unknown> | undefined },
): Promise<Addressee> {
  await settled
  const ready = replacedContainers.ready(engine)
  const mapsIds = typeof ready === 'boolean' ? ready : await ready
  // The look at the engine may have found one that was left half-way.
  if (typeof ready !== 'boolean' && concerns) await replacedContainers.settled(said)
  if (said === undefined || !mapsIds) return own(call, mapsIds)
  const id = await replacedContainers.resolve(said)
  if (id === said) return own(call, mapsIds)
  const rest = call.wirePath.slice('/containers/'.length + said.length) // digits alone: nothing is escaped in them
  return { wirePath: `/containers/${id}${rest}`, params: { ...call.match?.params, name: id }, mapsIds }
}

/** Says that the call stays with its container, until the returned function is called; undefined where it does not. */
export function watching(replacedContainers: ReplacedContainers, call: Call): (() => void) | undefined {
  const said = containerOf(call)
  if (said === undefined || call.match === undefined || !STAYS.has(call.match.operation.name)) return undefined
  return replacedContainers.watch(said)
}
