import { knownClients, toldInstead } from '../../../rules/clients.ts'
import type { EngineFacts } from '../../api/engine-facts.ts'
import { type ApiVersion, apiVersion, formatVersion, isNewer, isOlder } from '../../api/version.ts'
import { forOperations } from '../explain/forecast.ts'
import { type Finding, finding } from './finding.ts'

/** moby daemon/config/config.go: lowest `min-api-version`; DOCKER_MIN_API_VERSION is read from 25.0 on (1.44). */
const LOWEST_ALLOWED = apiVersion(24)
const READS_VARIABLE_FROM = apiVersion(44)
/** `min-api-version` in daemon.json: moby 9b8419f6, in 29.0. */
const READS_FILE_FROM = apiVersion(52)

const GONE = ' is gone'

/** Reports whether an engine setting can replace the bridge, and what clients would then miss. */
export function checkNeed({ product, lowest, highest }: EngineFacts): Finding[] {
  if (product !== undefined || isOlder(highest, READS_VARIABLE_FROM)) return []
  const from = formatVersion(LOWEST_ALLOWED)
  const served = !isNewer(lowest, LOWEST_ALLOWED)
  const says = `clients from ${from} on ${served ? 'can' : 'could'} use this engine directly unless they read these removed members: ${missed(LOWEST_ALLOWED, highest)}`
  if (served) return [finding('note', 'engine', says)]
  const file = isOlder(highest, READS_FILE_FROM) ? '' : ` (or "min-api-version": "${from}" in daemon.json)`
  const advice = `The engine serves them when dockerd is started with DOCKER_MIN_API_VERSION=${from}${file}. Below ${from} only a bridge helps.`
  return [finding('note', 'engine', says, advice)]
}

/** Response members that a client knows and the engine has removed, most recently removed first. */
export function lostMembers(client: ApiVersion, highest: ApiVersion): readonly string[] {
  const applied = [...forOperations({ client, target: client, highest }).values()].flat()
  const gone = applied
    .filter(({ way, legs }) => way === 'up' && legs.includes('responseDown'))
    .toSorted((a, b) => b.change.version - a.change.version)
    .flatMap(({ descriptions }) => descriptions.filter((words) => words.endsWith(GONE)))
  return [...new Set(gone)].map((words) => words.slice(0, -GONE.length))
}

/** `NetworkSettings (IPAddress, Gateway), Info (KernelMemoryTCP)`. */
function missed(client: ApiVersion, highest: ApiVersion): string {
  const members = lostMembers(client, highest).map((path) => ({ parent: path.replace(/\.[^.]*$/, ''), path }))
  const groups = Map.groupBy(members, ({ parent }) => parent)
  const named = [...groups].map(
    ([parent, all]) => `${parent} (${all.map(({ path }) => path.slice(parent.length + 1)).join(', ')})`,
  )
  return named.join(', ')
}

/** Programs that this engine's version misleads. */
export function checkClients({ highest }: EngineFacts, told: boolean): Finding[] {
  const misled = knownClients.flatMap((known) => {
    const instead = toldInstead(known, highest)
    return instead === undefined ? [] : [`${known.name} (${formatVersion(instead)})`]
  })
  if (misled.length === 0) return []
  const names = misled.join(', ')
  return told
    ? [finding('ok', 'clients', `programs that ${formatVersion(highest)} misleads are told another version: ${names}`)]
    : [finding('note', 'clients', `--known-clients off: ${formatVersion(highest)} misleads these: ${names}`)]
}
