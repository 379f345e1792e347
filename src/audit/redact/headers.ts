import type { ReadonlyHeaders } from '../../http/headers.ts'
import { gatherFromText, usual } from './json.ts'

/** Headers that are credentials, and those that contain them as base64 of JSON, in either alphabet. */
const CREDENTIALS = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-registry-auth', 'x-registry-config'])

export const isCredential = (name: string): boolean => CREDENTIALS.has(name.toLowerCase())

/** Collects secrets from headers: the values and what they decode to. */
export function gatherFromHeaders(headers: ReadonlyHeaders, secrets: Set<string>): void {
  for (const [name, value] of headers.entries()) {
    if (!isCredential(name) || value === '') continue
    secrets.add(value)
    const decoded = Buffer.from(value, 'base64url').toString() // Node accepts both alphabets
    gatherFromText(decoded, { operation: undefined, secrets, redaction: usual })
  }
}
