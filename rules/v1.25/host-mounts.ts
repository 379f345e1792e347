import {
  isObject,
  isUnset,
  type JsonObject,
  type JsonValue,
  listOf,
  memberAt,
  numberText,
  setMember,
  stringOf,
} from '../../src/api/json/json.ts'
import type { StepContext } from '../../src/translate/message.ts'
import type { Whole } from '../../src/translate/ops/everywhere.ts'
import { objectAt } from '../by-hand/endpoints.ts'
import { bindOf, bindText } from '../by-hand/mount-options.ts'

/** The older form of a mount: an entry of Binds, Volumes or Tmpfs. */
type Older =
  | { readonly bind: string }
  | { readonly volume: string }
  | { readonly tmpfs: readonly [target: string, options: string] }

/** Whether an options object sets nothing but `known`. */
const onlySets = (options: JsonValue | undefined, ...known: readonly string[]): boolean =>
  isUnset(options) ||
  (isObject(options) && Object.entries(options).every(([name, value]) => known.includes(name) || isUnset(value)))

/** Undefined if the mount has no older form. Binds creates a missing host path, which a mount does not: accepted. */
function older(mount: JsonObject, context: StepContext): Older | undefined {
  const { Type, BindOptions, VolumeOptions, TmpfsOptions } = mount
  const source = stringOf(mount['Source'])
  const target = stringOf(mount['Target'])
  const readOnly = mount['ReadOnly'] === true ? 'ro' : ''
  const { highest } = context.engine
  if (target === '' || `${source}${target}`.includes(':')) return undefined
  if (Type === 'bind') {
    const bind =
      source === '' || (highest < 22 && !isUnset(memberAt(BindOptions, 'Propagation'))) ? undefined : bindOf(mount)
    return bind === undefined ? undefined : { bind }
  }
  if (Type === 'volume') {
    const nocopy = memberAt(VolumeOptions, 'NoCopy') === true ? 'nocopy' : ''
    if (highest < 21 || !onlySets(VolumeOptions, 'NoCopy')) return undefined
    if (source !== '') return { bind: bindText(source, target, [readOnly, nocopy]) }
    return readOnly === '' && nocopy === '' ? { volume: target } : undefined
  }
  if (Type === 'tmpfs') {
    if (source !== '' || highest < 22 || !onlySets(TmpfsOptions, 'SizeBytes', 'Mode')) return undefined
    return { tmpfs: [target, tmpfsOptions(TmpfsOptions, readOnly)] }
  }
  return undefined
}

function tmpfsOptions(options: JsonValue | undefined, readOnly: string): string {
  const size = memberAt(options, 'SizeBytes')
  const mode = memberAt(options, 'Mode')
  return [
    readOnly,
    isUnset(size) ? '' : `size=${numberText(size)}`,
    typeof mode === 'number' && mode !== 0 ? `mode=${mode.toString(8)}` : '',
  ]
    .filter((word) => word !== '')
    .join(',')
}

/** Converts all mounts or none: true if it did. */
export function mountsAsBinds(value: JsonValue, host: JsonObject, context: StepContext, create: Whole): boolean {
  if (!isObject(create) || !Array.isArray(value)) return false
  const mounts = value.map((mount) => (isObject(mount) ? older(mount, context) : undefined))
  if (mounts.includes(undefined)) return false
  const binds: string[] = []
  for (const mount of mounts) {
    if (mount === undefined) continue
    if ('volume' in mount) setMember(objectAt(create, 'Volumes'), mount.volume, {})
    else if ('tmpfs' in mount) setMember(objectAt(host, 'Tmpfs'), ...mount.tmpfs)
    else binds.push(mount.bind)
  }
  if (binds.length > 0) host['Binds'] = [...listOf(host['Binds']), ...binds]
  return true
}
