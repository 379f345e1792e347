import { type EngineAddress, formatAddress } from '../../http/address.ts'
import type { EngineTls } from '../ask.ts'
import { type EngineReport, lookAtEngine } from './engine.ts'
import { finding, reasonOf } from './finding.ts'

const SSH_MS = 10_000

/** `lookAtEngine` for remote engines too: forwards the socket of an engine behind ssh. */
export async function lookAtAnyEngine(
  address: EngineAddress,
  tls: EngineTls | undefined,
  knownClients?: boolean,
): Promise<EngineReport> {
  if (address.kind !== 'ssh') return lookAtEngine(address, tls, knownClients)
  const { SshForward } = await import('../../http/engine/ssh.ts')
  const forward = new SshForward(address, SSH_MS, () => undefined)
  const where = formatAddress(address)
  try {
    const path = await forward.open()
    return { ...(await lookAtEngine({ kind: 'unix', path }, undefined, knownClients)), address: where }
  } catch (cause) {
    return { address: where, findings: [finding('broken', 'engine', reasonOf(cause))], forecasts: [] }
  } finally {
    forward.close()
  }
}
