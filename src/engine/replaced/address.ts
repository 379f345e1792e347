import type { EngineFacts } from '../../api/engine-facts.ts'
import { ProxyError } from '../../api/errors.ts'
import { type OperationName, operationsNamed } from '../../api/operations.ts'
import type { Call } from '../../api/read-call.ts'
import { SET_ASIDE } from '../../translate/replaced/label.ts'
import type { ReplacedContainers } from './replaced-containers.ts'

/** The path of a call with the engine's container id. */
export interface Addressee {
  readonly wirePath: string
  readonly params: Readonly<Record<string, string>>
  /** Whether this engine has replaced containers. */
  readonly mapsIds: boolean
}

/** Calls that list or remove containers, or name one outside of their path: they wait while any is being replaced. */
const CONCERN_ALL: ReadonlySet<OperationName> = new Set(
  operationsNamed('ContainerList ContainerListPs ContainerPrune ImageCommit NetworkConnect NetworkDisconnect'),
)

/** Calls that would be interrupted if their container were replaced. */
const STAYS: ReadonlySet<OperationName> = new Set(
  operationsNamed('ContainerAttach ContainerAttachWebsocket ContainerWait ContainerLogs ContainerStats'),
)

const containerOf = ({ match }: Call): string | undefined =>
  match?.operation.path.startsWith('/containers/{') === true ? match.params['name'] : undefined

/**
 * Whether a call names a container. Podman's own paths have the same endings. Docker's `{name:.*}` also matches the
 * name of a link, `parent/alias`.
 */
export const givesName = ({ method, path }: Call): boolean =>
  method === 'POST' &&
  (path.endsWith('/containers/create') || (path.includes('/containers/') && path.endsWith('/rename')))

/** The bridge would take such a container for one it has set aside. */
function refuseOurNames(call: Call): void {
  if (!givesName(call)) return
  // Go up to 1.16 also splits a query at `;` (go.dev/issue/25192).
  const query = [...new URLSearchParams(call.search.replaceAll(';', '&'))]
  // Podman reads parameters in any case.
  const names = query.flatMap(([name, value]) => (name.toLowerCase() === 'name' ? [value] : []))
  const taken = names.find((name) => name.replace(/^\/+/, '').startsWith(SET_ASIDE))
  if (taken === undefined) return
  throw new ProxyError(
    'bad-request',
    `Invalid container name (${taken}): names that start with ${SET_ASIDE} are the bridge's own, choose another`,
  )
}

/** Resolves the container of a call. Waits while it is being replaced. */
export function addressed(
  replacedContainers: ReplacedContainers,
  call: Call,
  engine: EngineFacts,
): Addressee | Promise<Addressee> {
  refuseOurNames(call)
  const said = containerOf(call)
  // A name is free for a moment while its container is being replaced.
  const all = givesName(call) || (call.match !== undefined && CONCERN_ALL.has(call.match.operation.name))
  const whenFree = (): Promise<unknown> | undefined =>
    all || said !== undefined ? replacedContainers.whenFree(all ? undefined : said) : undefined
  const params = call.match?.params ?? NO_PARAMS
  const waiting = async (): Promise<Addressee> => {
    await whenFree()
    const mapsIds = await replacedContainers.mapsIds(engine)
    await whenFree() // loading the ids may have found an interrupted replacement
    const id = said !== undefined && mapsIds ? await replacedContainers.resolve(said) : said
    if (said === undefined || id === undefined || id === said) return { wirePath: call.wirePath, params, mapsIds }
    const rest = call.wirePath.slice('/containers/'.length + said.length) // a known id is hexadecimal, hence not escaped
    return { wirePath: `/containers/${id}${rest}`, params: { ...params, name: id }, mapsIds }
  }
  // Fast path: nothing is being replaced, and no id differs.
  const isPlain = whenFree() === undefined && replacedContainers.mapsIds(engine) === false
  return isPlain ? { wirePath: call.wirePath, params, mapsIds: false } : waiting()
}

const NO_PARAMS: Readonly<Record<string, string>> = {}

/** Registers a call that must not be interrupted, until the returned function is called; undefined for other calls. */
export function watching(replacedContainers: ReplacedContainers, call: Call): (() => void) | undefined {
  const said = containerOf(call)
  if (said === undefined || call.match === undefined || !STAYS.has(call.match.operation.name)) return undefined
  return replacedContainers.watch(said)
}
