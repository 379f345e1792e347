import type { EngineFacts } from '../../api/engine-facts.ts'
import { formatVersion } from '../../api/version.ts'
import { misledBy } from '../explain/named-client.ts'
import { type Finding, finding } from './finding.ts'

/** Programs that this engine's version misleads. */
export function lookAtClients({ highest }: EngineFacts, told: boolean): Finding[] {
  const misled = misledBy(highest)
  if (misled.length === 0) return []
  const names = misled.map(({ name, told: version }) => `${name} (${formatVersion(version)})`).join(', ')
  return told
    ? [finding('ok', 'clients', `programs that ${formatVersion(highest)} misleads are told another version: ${names}`)]
    : [finding('note', 'clients', `--known-clients off: ${formatVersion(highest)} misleads these: ${names}`)]
}
