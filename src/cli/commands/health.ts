import { codeOf, messageOf } from '../../config/text.ts'
import { type Address, formatAddress } from '../../http/address.ts'
import { READY_PATH } from '../../proxy/local/ready-path.ts'
import { readConfig } from '../../proxy/settings/config.ts'
import { ask } from '../../tools/ask.ts'
import { type Run, UsageError } from '../command.ts'
import { plain } from '../words/text.ts'

const PING_TIMEOUT_MS = 5_000
/** Limit of the bridge's message about its engine. */
const MAX_WORDS = 500

/** `enginebridge health`: asks the bridge whether its engine answers. 0 when it does. */
export const run: Run = async ({ has, settings }, io) => {
  const config = readConfig(settings, io.env)
  const { listen, admin } = config
  // Sockets of systemd are not passed to this process, and a listener with TLS asks it for a certificate.
  const plainListener = listen.find(
    ({ kind }) => kind === 'unix' || (kind === 'tcp' && config['tls-cert'] === undefined),
  )
  const address = plainListener === undefined || plainListener.kind === 'inherited' ? admin : plainListener
  if (address === undefined)
    throw new UsageError('--admin ADDR is missing: the only way to ask a bridge on fd:// or with TLS')
  const problem = await ping(address, address === admin ? '/readyz' : READY_PATH)
  const where = formatAddress(address)
  const healthy = problem === undefined
  if (has('json')) io.stdout.write(`${JSON.stringify({ healthy, address: where, problem: problem ?? null })}\n`)
  else if (healthy) io.stdout.write(`healthy: ${where}, and its engine answers\n`)
  else io.stderr.write(`unhealthy: ${where}: ${problem}\n`)
  return healthy ? 0 : 1
}

async function ping(address: Address, path: string): Promise<string | undefined> {
  try {
    const { status, body } = await ask(address, { path, timeoutMs: PING_TIMEOUT_MS })
    return status === 200 ? undefined : said(status, body.toString())
  } catch (cause) {
    return REASONS[codeOf(cause)] ?? messageOf(cause)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no bridge: there is no such socket',
  ECONNREFUSED: 'no bridge: nothing listens there',
  EACCES: 'this user may not connect; see --socket-group and --socket-mode',
}

/** The response in one line. */
function said(status: number, body: string): string {
  const line = plain(body.trim().replaceAll(/\s+/g, ' ')).slice(0, MAX_WORDS)
  return line === '' ? `answered ${status}` : `answered ${status}: ${line}`
}
