import { type JsonObject, type JsonValue, listOf, memberAt, objectOf } from '../../src/api/json/json.ts'
import { words } from '../../src/config/text.ts'

/** Options that any version has for the third field of a bind; changes translate those that an engine lacks. */
const KNOWN = new Set(
  words(`
  rw ro z Z nocopy cached delegated consistent default volume-nocopy private rprivate shared rshared slave
  rslave bind-nonrecursive readonly-recursive readonly-nonrecursive readonly-force-recursive bind-propagation
`),
)

/** The fields of each bind of a HostConfig: source, target and mode. */
export const bindsOf = (hostConfig: JsonValue | undefined): string[][] =>
  listOf(memberAt(hostConfig, 'Binds')).flatMap((bind) => (typeof bind === 'string' ? [bind.split(':')] : []))

/** The first bind whose mode no version knows. */
export const unknownBindMode = (hostConfig: JsonObject): string | undefined =>
  bindsOf(hostConfig)
    .flatMap(([, , mode]) => mode ?? [])
    .find((mode) => !mode.split(',').every((word) => KNOWN.has(word)))

/** The first published port that is neither a number nor a range. */
export function badHostPort({ PortBindings: bindings }: JsonObject): string | undefined {
  const ports = Object.values(objectOf(bindings))
    .flatMap(listOf)
    .map((binding) => memberAt(binding, 'HostPort'))
    .filter((port) => typeof port === 'string')
  return ports.find((port) => !/^(\d+(-\d+)?)?$/.test(port))
}
