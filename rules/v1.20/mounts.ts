import { isObject, type JsonObject, type JsonValue, listOf, objectOf, stringOf } from '../../src/api/json/json.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { bindsOf } from '../by-hand/binds.ts'

/** A member of each mount by its destination, in Go's order of keys (daemon/inspect_linux.go:containerInspectPre120 @v20.10). */
export const byDestination =
  (member: string, missing: JsonValue) =>
  ({ Mounts: mounts }: JsonObject): JsonObject =>
    Object.fromEntries(
      listOf(mounts)
        .filter(isObject)
        .map((mount): [string, JsonValue] => [String(mount['Destination'] ?? ''), mount[member] ?? missing])
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    )

/** `<root>/volumes/<name>/_data` since 1.7, `<root>/vfs/dir/<64 hex digits>` on 1.6; anything else is a bind. */
const volumeName = (source: string): string | undefined =>
  /\/volumes\/([^/]+)\/_data$/.exec(source)?.[1] ?? /\/vfs\/dir\/([0-9a-f]{64})$/.exec(source)?.[1]

/** Mounts from Volumes and VolumesRW, with name, driver and mode as far as they can be derived. */
export function mountsFromVolumes(container: JsonObject, { client }: StepContext): JsonValue {
  const volumes = objectOf(container['Volumes'])
  const writable = objectOf(container['VolumesRW'])
  const binds = bindsOf(container['HostConfig'])
  return Object.entries(volumes).map(([destination, value]): JsonObject => {
    const source = stringOf(value)
    const name = volumeName(source)
    return {
      ...(name === undefined ? {} : { Name: name }),
      Source: source,
      Destination: destination,
      ...(name === undefined ? {} : { Driver: 'local' }),
      Mode: binds.find(([, target]) => target === destination)?.[2] ?? '',
      RW: writable[destination] ?? true,
      // The default of engine 1.10 (recorded, inspect-pub).
      ...(client >= 22 ? { Propagation: name === undefined ? 'rprivate' : '' } : {}),
    }
  })
}
