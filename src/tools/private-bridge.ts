import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../config/log.ts'
import type { Environment } from '../config/process.ts'
import type { Address } from '../http/address.ts'
import { startBridge } from '../proxy/bridge.ts'
import type { Dependencies } from '../proxy/core.ts'
import { readConfig } from '../proxy/settings/config.ts'

/** A bridge for one tool: on a socket that only this user may open, without audit records. `flags`: its other settings. */
export async function privateBridge(
  flags: readonly string[],
  env: Environment,
  options: Partial<Dependencies>,
): Promise<{ readonly address: Address; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'enginebridge-'))
  const removed = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const address = { kind: 'unix', path: join(folder, 's.sock') } as const
    const config = readConfig(['--listen', `unix://${address.path}`, '--grace', '0', ...flags], env)
    const bridge = await startBridge(config, { log: createLog(config), audit: { write: () => undefined }, ...options })
    return { address, close: () => bridge.close().finally(removed) }
  } catch (cause) {
    await removed()
    throw cause
  }
}
