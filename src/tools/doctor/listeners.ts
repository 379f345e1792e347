import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import { reasonOf } from '../../config/text.ts'
import { type Address, formatAddress } from '../../http/address.ts'
import { protectionOf } from '../../http/listen/exposure.ts'
import { READY_HEADER, READY_PATH } from '../../proxy/local/ready-path.ts'
import type { Config } from '../../proxy/settings/settings.ts'
import { get } from './engine.ts'
import { type Finding, finding, type Level } from './finding.ts'
import { checkSocket } from './socket.ts'

const listenerIs = (level: Level, says: string, advice?: string): Finding => finding(level, 'listener', says, advice)

/** What a listener's state means where no bridge answers, and none may begin. */
const STATES = {
  stale: [
    'warning',
    'a bridge ended there without removing its socket; no process listens',
    'The next start takes the socket over.',
  ],
  'not-a-socket': ['broken', 'something else is at that path; the bridge will not remove it', undefined],
  unreachable: ['note', 'no bridge runs there', undefined],
} as const

/** Checks that the bridge listens on its configured addresses, or could. */
export async function checkListeners(config: Config): Promise<Finding[]> {
  // systemd passes its sockets only to the service.
  const own = config.listen.filter((one) => one.kind !== 'inherited')
  return (await Promise.all(own.map((address) => checkListener(address, config)))).flat()
}

async function checkListener(address: Address, config: Config): Promise<Finding[]> {
  const where = formatAddress(address)
  const { state, findings } = await checkSocket(address)
  if (state === 'up') return [...findings.filter(({ level }) => level === 'warning'), await pinged(address, config)]
  if (state === 'absent') return [await mayBegin(address, where)]
  if (state === 'forbidden') return findings.map((one) => ({ ...one, about: 'listener' }))
  const [level, says, advice] = STATES[state]
  return [listenerIs(level, `${where}: ${says}`, advice)]
}

async function pinged(address: Address, config: Config): Promise<Finding> {
  const where = formatAddress(address)
  const tcp = address.kind === 'tcp'
  try {
    // The check needs a response, not a trusted certificate: the listener is our own.
    const tls = tcp && config['tls-cert'] !== undefined ? { verify: false } : undefined
    const { status, headers } = await get(address, READY_PATH, tls)
    if (headers[READY_HEADER.toLowerCase()] === undefined) {
      const says = `${where}: another process listens there, perhaps the engine itself, so a bridge cannot`
      return listenerIs('broken', says, 'Choose another path for --listen.')
    }
    if (status === 200) return listenerIs('ok', `${where}: a bridge listens, and the engine answers through it`)
    const says = `${where}: a bridge listens, but its engine does not answer: ${status} (${headers['enginebridge-error']})`
    return listenerIs('broken', says)
  } catch (cause) {
    if (tcp && protectionOf(config) === 'certificates')
      return listenerIs('note', `${where}: it listens, and requires a client certificate, which doctor does not have`)
    return listenerIs('broken', `${where}: a process listens, but does not respond (${reasonOf(cause)})`)
  }
}

async function mayBegin(address: Address, where: string): Promise<Finding> {
  const says = `${where}: no bridge runs there`
  if (address.kind === 'tcp') return listenerIs('note', says)
  const folder = dirname(address.path)
  try {
    await access(folder, constants.W_OK)
    return listenerIs('note', says)
  } catch (cause) {
    const reason = reasonOf(cause)
    return reason === 'ENOENT'
      ? listenerIs('warning', `${says}, and there is no directory ${folder}`, 'Make it: the bridge does not.')
      : listenerIs('warning', `${says}, and this user cannot start one (${folder}: ${reason})`)
  }
}
