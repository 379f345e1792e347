import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Address, formatAddress } from '../../http/address.ts'
import { protectionOf } from '../../http/listen/exposure.ts'
import { READY_HEADER, READY_PATH } from '../../proxy/local/ready-path.ts'
import type { Config } from '../../proxy/settings/settings.ts'
import type { EngineTls } from '../ask.ts'
import { ask } from './engine.ts'
import { type Finding, finding, reasonOf } from './finding.ts'
import { lookAtSocket } from './socket.ts'

/** Checks that the bridge listens on its configured addresses, or could. */
export async function lookAtListeners(config: Config): Promise<Finding[]> {
  // The check needs a response, not a trusted certificate: the listener is our own.
  const tls = config['tls-cert'] === undefined ? undefined : { verify: false }
  const wantsCertificates = protectionOf(config) === 'certificates'
  // systemd passes its sockets only to the service.
  const own = config.listen.filter((one) => one.kind !== 'inherited')
  const looks = own.map((address) =>
    address.kind === 'tcp' ? lookAtListener(address, { tls, wantsCertificates }) : lookAtListener(address, {}),
  )
  return (await Promise.all(looks)).flat()
}

interface Listener {
  readonly tls?: EngineTls | undefined
  readonly wantsCertificates?: boolean
}

async function lookAtListener(address: Address, listener: Listener): Promise<Finding[]> {
  const where = formatAddress(address)
  const { state, findings } = await lookAtSocket(address)
  switch (state) {
    case 'up':
      return [...findings.filter(({ level }) => level === 'warning'), await pinged(address, listener)]
    case 'absent':
      return [await mayBegin(address, where)]
    case 'stale':
      return [
        finding(
          'warning',
          'listener',
          `${where}: a bridge ended there without removing its socket; no process listens`,
          'The next start takes the socket over.',
        ),
      ]
    case 'not-a-socket':
      return [finding('broken', 'listener', `${where}: something else is at that path; the bridge will not remove it`)]
    case 'forbidden':
      return findings.map((one) => ({ ...one, about: 'listener' }))
    case 'unreachable':
      return [finding('note', 'listener', `${where}: no bridge runs there`)]
    default:
      return state satisfies never
  }
}

async function pinged(address: Address, { tls, wantsCertificates = false }: Listener): Promise<Finding> {
  const where = formatAddress(address)
  try {
    const { status, headers } = await ask(address, READY_PATH, tls)
    if (headers[READY_HEADER.toLowerCase()] === undefined) {
      const says = `${where}: another process listens there, perhaps the engine itself, so a bridge cannot`
      return finding('broken', 'listener', says, 'Choose another path for --listen.')
    }
    if (status === 200)
      return finding('ok', 'listener', `${where}: a bridge listens, and the engine answers through it`)
    const says = `${where}: a bridge listens, but its engine does not answer: ${status} (${headers['enginebridge-error']})`
    return finding('broken', 'listener', says)
  } catch (cause) {
    if (wantsCertificates)
      return finding('note', 'listener', `${where}: it listens, and wants a certificate, which the doctor has not`)
    return finding('broken', 'listener', `${where}: a process listens, but does not respond (${reasonOf(cause)})`)
  }
}

async function mayBegin(address: Address, where: string): Promise<Finding> {
  if (address.kind === 'tcp') return finding('note', 'listener', `${where}: no bridge runs there`)
  const folder = dirname(address.path)
  try {
    await access(folder, constants.W_OK)
    return finding('note', 'listener', `${where}: no bridge runs there`)
  } catch (cause) {
    if (reasonOf(cause) === 'ENOENT') {
      const says = `${where}: no bridge runs there, and there is no directory ${folder}`
      return finding('warning', 'listener', says, 'Make it: the bridge does not.')
    }
    const says = `${where}: no bridge runs there, and this user cannot start one (${folder}: ${reasonOf(cause)})`
    return finding('warning', 'listener', says)
  }
}
