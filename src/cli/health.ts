import { readConfig } from '../config.ts'
import { type Address, formatAddress } from '../http/address.ts'
import { READY_PATH } from '../proxy/ready-path.ts'
import { ask } from '../tools/ask.ts'
import { type Run, UsageError } from './command.ts'

const PING_TIMEOUT_MS = 5_000
/** Of what a bridge says of its engine. */
const MOST_WORDS = 500
const MOST_BYTES = 64 * 1024

/** `enginebridge health`: asks the bridge whether its engine answers. 0 when it does. */
export const run: Run = async (args, io) => {
  const config = readConfig(args, io.env)
  const { listen, admin } = config
  // Sockets of systemd are not passed to this process, and a listener with TLS asks it for a certificate.
  const plain = listen.find(({ kind }) => kind === 'unix' || (kind === 'tcp' && config['tls-cert'] === undefined))
  const address = plain === undefined || plain.kind === 'inherited' ? admin : plain
  if (address === undefined)
    throw new UsageError('a bridge on fd:// or with TLS alone is asked at its --admin address, which is not given')
  const problem = await ping(address, address === admin ? '/readyz' : READY_PATH)
  if (problem === undefined) return 0
  io.stderr.write(`enginebridge: ${formatAddress(address)}: ${problem}\n`)
  return 1
}

async function ping(address: Address, path: string): Promise<string | undefined> {
  try {
    const { status, body } = await ask(address, { path, timeoutMs: PING_TIMEOUT_MS, limit: MOST_BYTES })
    return status === 200 ? undefined : `answered ${status}: ${body.toString().slice(0, MOST_WORDS).trim()}`
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}
