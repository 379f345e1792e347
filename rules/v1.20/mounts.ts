import { isObject, type JsonObject, type JsonValue, listOf, objectOf, stringOf } from '../../src/api/json/json.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'

/** Volumes and VolumesRW from Mounts (daemon/inspect_linux.go:containerInspectPre120 @v20.10: every mount, tmpfs too). */
export function volumesFromMounts({ body }: ResponseMessage): void {
  if (!isObject(body)) return
  const mounts = Array.isArray(body['Mounts']) ? body['Mounts'].filter(isObject) : []
  const each = (member: string, missing: JsonValue): JsonObject =>
    Object.fromEntries(mounts.map((mount) => [String(mount['Destination'] ?? ''), mount[member] ?? missing]))
  // If the engine already answered in the old form, it stays.
  body['Volumes'] ??= each('Source', '')
  body['VolumesRW'] ??= each('RW', true)
}

/** `<root>/volumes/<name>/_data` since 1.7, `<root>/vfs/dir/<64 hex digits>` on 1.6; anything else is a bind. */
const volumeName = (source: string): string | undefined =>
  /\/volumes\/([^/]+)\/_data$/.exec(source)?.[1] ?? /\/vfs\/dir\/([0-9a-f]{64})$/.exec(source)?.[1]

/** The third field of the bind with that target. */
function modeOf(binds: JsonValue | undefined, destination: string): string {
  const fields = listOf(binds).flatMap((bind) => (typeof bind === 'string' ? [bind.split(':')] : []))
  return fields.find(([, target]) => target === destination)?.[2] ?? ''
}

/** Mounts from Volumes and VolumesRW, with name, driver and mode as far as they can be derived. */
export function mountsFromVolumes({ body }: ResponseMessage, { client }: StepContext): void {
  if (!isObject(body) || Object.hasOwn(body, 'Mounts')) return
  const volumes = objectOf(body['Volumes'])
  const writable = objectOf(body['VolumesRW'])
  const hostConfig = objectOf(body['HostConfig'])
  body['Mounts'] = Object.entries(volumes).map(([destination, value]): JsonObject => {
    const source = stringOf(value)
    const name = volumeName(source)
    return {
      ...(name === undefined ? {} : { Name: name }),
      Source: source,
      Destination: destination,
      ...(name === undefined ? {} : { Driver: 'local' }),
      Mode: modeOf(hostConfig['Binds'], destination),
      RW: writable[destination] ?? true,
      // The default of engine 1.10 (recorded, inspect-pub).
      ...(client >= 22 ? { Propagation: name === undefined ? 'rprivate' : '' } : {}),
    }
  })
  delete body['Volumes']
  delete body['VolumesRW']
}
