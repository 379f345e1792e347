import { existsSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type EngineAddress, formatAddress } from '../../http/address.ts'
import type { Listening } from '../../http/listen/inherited.ts'

/** People set DOCKER_HOST to the bridge's own socket. Not looked for where settings are read: `health` has no engine. */
export const ownListener = (engine: EngineAddress, listening: readonly Listening[]): string[] =>
  listening.some(({ address }) => placeOf(address) === placeOf(engine))
    ? [`the engine ${formatAddress(engine)} is the bridge's own listener: name the engine with --engine`]
    : []

/**
 * The same text for each name of an address: /var/run links to /run, docker.sock to that of a bridge; localhost, 0.0.0.0 and
 * [::] reach 127.0.0.1.
 */
function placeOf(address: EngineAddress): string {
  if (address.kind !== 'unix')
    return formatAddress(address).replace(/\/\/(localhost|0\.0\.0\.0|\[::\]):/i, '//127.0.0.1:')
  const path = targetOf(address.path)
  return existsSync(dirname(path)) ? join(realpathSync(dirname(path)), basename(path)) : path
}

/** Links in a row that Linux follows. */
const MAX_LINKS = 40

/** What a link names, which may not be there yet. */
function targetOf(path: string, links = MAX_LINKS): string {
  if (links === 0) return path
  try {
    return targetOf(resolve(realpathSync(dirname(path)), readlinkSync(path)), links - 1)
  } catch {
    return path // not a link
  }
}
