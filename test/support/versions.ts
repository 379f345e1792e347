import { apiVersion } from '../../src/api/version.ts'
import type { Versions } from '../../src/translate/change.ts'

/** Of minor versions: `versionsOf(22, 44, 51)` is 1.22 to an engine that is asked for 1.44 and speaks 1.51. */
export const versionsOf = (client: number, target: number, highest = target): Versions => ({
  client: apiVersion(client),
  target: apiVersion(target),
  highest: apiVersion(highest),
})
