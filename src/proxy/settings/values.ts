import { z } from 'zod'
import { type ApiVersion, parseVersion } from '../../api/version.ts'
import { semver } from '../../config/lazy-imports.ts'
import { messageOf } from '../../config/text.ts'
import { amount, byteSize } from '../../config/units.ts'
import { type Address, type EngineAddress, parseAddress, parseEngineAddress } from '../../http/address.ts'
import type { ListenAddress } from '../../http/listen/inherited.ts'

const readBy = <T>(read: (text: string) => T) =>
  z.string().transform((text, context): T => {
    try {
      return read(text)
    } catch (cause) {
      context.addIssue({ code: 'custom', message: messageOf(cause) })
      return z.NEVER
    }
  })

/** A listening address. */
export const address = readBy<Address>(parseAddress)
export const engineAddress = readBy<EngineAddress>(parseEngineAddress)

export const listenAddress = readBy(
  (text): ListenAddress =>
    text.startsWith('fd://') ? { kind: 'inherited', which: text.slice('fd://'.length) } : parseAddress(text),
)

function readVersion(text: string): ApiVersion {
  const version = parseVersion(text)
  if (version === undefined) throw new Error(`"${text}" is not an API version, such as 1.44`)
  return version
}

export const version = readBy(readVersion)

/**
 * Whether the bridge may use a version with the engine. `auto`: all that the engine serves; one version, or a range as
 * people type it: `>=1.24 <1.44`, `1.24 - 1.40`.
 */
export function allowedVersions(text: string): (version: ApiVersion) => boolean {
  if (text === 'auto') return () => true
  const one = parseVersion(text)
  if (one !== undefined) return (version) => version === one
  const { satisfies, validRange } = semver()
  if (validRange(text) === null)
    throw new Error(`"${text}" is neither auto, nor a version (1.44), nor a range (>=1.24 <1.44)`)
  return (version) => satisfies(`1.${version}.0`, text)
}

/** Kept as text, because settings are sent to workers. */
export const engineApi = readBy((text) => allowedVersions(text) && text)

/** Version of calls without a prefix: for one listener (`tcp://127.0.0.1:2375=1.44`), or for the others (`1.44`). */
export const unversioned = readBy((text) => {
  const [, listener, version = text] = /^(?:(.+)=)?([^=]+)$/.exec(text) ?? []
  return { version: readVersion(version), listener: listener === undefined ? undefined : parseAddress(listener) }
})

export const seconds = amount({ least: 0, most: 86_400 })

export const MIB = 1 << 20

/** At most what the audit reads of a body to find secrets: the inspector shows no bytes that it has not scanned. */
export const atMost = (most: number, text: string) =>
  byteSize.refine((size) => size <= most, { error: `at most ${text}` })

export const auditLog = z
  .string()
  .min(1)
  .regex(/^(?!file:)/, 'a file is named by its path alone')

export const socketMounts = z
  .string()
  .regex(/^(keep|follow|\/.+)$/, 'must be keep, follow, or the path of the bridge’s socket on the engine’s host')

/** A file mode in octal, as for chmod. */
export const mode = z
  .string()
  .regex(/^0?[0-7]{3}$/, 'must be an octal mode such as 0660')
  .transform((text) => Number.parseInt(text, 8))
