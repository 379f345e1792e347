import { gatherFromText, usual } from './json.ts'

/** Headers that are credentials, and those that contain them as base64 of JSON, in either alphabet. */
const CREDENTIALS = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-registry-auth', 'x-registry-config'])

export const isCredential = (name: string): boolean => CREDENTIALS.has(name.toLowerCase())

/** Collects secrets from headers (flat name/value pairs): the values and what they decode to. */
export function gatherFromHeaders(raw: readonly string[], secrets: Set<string>): void {
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const value = raw[i + 1] ?? ''
    if (!isCredential(raw[i] ?? '') || value === '') continue
    secrets.add(value)
    const decoded = Buffer.from(value, 'base64url').toString() // Node accepts both alphabets
    gatherFromText(decoded, { operation: undefined, secrets, redaction: usual })
  }
}
