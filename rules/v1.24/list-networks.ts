import { type JsonObject, memberAt, objectOf, stringOf } from '../../src/api/json/json.ts'

/** Whether a listed container is in one of the networks, given by name or id prefix. */
export function isInNetwork({ NetworkSettings: settings }: JsonObject, wanted: readonly string[]): boolean {
  const networks = objectOf(memberAt(settings, 'Networks'))
  return Object.entries(networks).some(([name, endpoint]) => {
    const id = stringOf(memberAt(endpoint, 'NetworkID'))
    return wanted.some((value) => value === name || (value !== '' && id.startsWith(value)))
  })
}
