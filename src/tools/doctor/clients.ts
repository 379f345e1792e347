import type { EngineFacts } from '../../api/engine-facts.ts'
import { formatVersion } from '../../api/version.ts'
import { misledBy } from '../explain/named-client.ts'
import { type Finding, finding } from './finding.ts'

/** Programs that misread this engine's version. */
export function lookAtClients({ highest }: EngineFacts, told: boolean): Finding[] {
  const misled = misledBy(highest)
  if (misled.length === 0) return []
  const names = misled.map(({ name, understands }) => `${name} (${formatVersion(understands)})`).join(', ')
  return told
    ? [finding('ok', 'clients', `programs that misread ${formatVersion(highest)} are told less: ${names}`)]
    : [finding('note', 'clients', `--known-clients off: these misread ${formatVersion(highest)}: ${names}`)]
}
