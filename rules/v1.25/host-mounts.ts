import {
  isObject,
  isUnset,
  type JsonObject,
  type JsonValue,
  memberAt,
  numberText,
  setMember,
  stringOf,
} from '../../src/api/json/json.ts'
import type { StepContext } from '../../src/translate/message.ts'
import type { Whole } from '../../src/translate/ops/derived.ts'
import { objectAt } from '../by-hand/endpoints.ts'
import { bindOf, bindText } from '../by-hand/mount-options.ts'

/** Puts a mount in its older form: an entry of Binds, Volumes or Tmpfs. */
type Put = (host: JsonObject, create: JsonObject) => void

const inBinds =
  (bind: string): Put =>
  (host) => {
    if (!Array.isArray(host['Binds'])) host['Binds'] = []
    host['Binds'].push(bind)
  }

/** Whether an options object sets nothing but `known`. */
const onlySets = (options: JsonValue | undefined, ...known: readonly string[]): boolean =>
  isUnset(options) ||
  (isObject(options) && Object.entries(options).every(([name, value]) => known.includes(name) || isUnset(value)))

/** Undefined if the mount has no older form. Binds creates a missing host path, which a mount does not: accepted. */
function older(mount: JsonObject, context: StepContext): Put | undefined {
  const { Type, BindOptions, VolumeOptions, TmpfsOptions } = mount
  const source = stringOf(mount['Source'])
  const target = stringOf(mount['Target'])
  const readOnly = mount['ReadOnly'] === true ? 'ro' : ''
  const { highest } = context.engine
  if (target === '' || `${source}${target}`.includes(':')) return undefined
  if (Type === 'bind') {
    if (source === '' || (highest < 22 && !isUnset(memberAt(BindOptions, 'Propagation')))) return undefined
    const bind = bindOf(mount)
    return bind === undefined ? undefined : inBinds(bind)
  }
  if (Type === 'volume') {
    const nocopy = memberAt(VolumeOptions, 'NoCopy') === true ? 'nocopy' : ''
    if (highest < 21 || !onlySets(VolumeOptions, 'NoCopy')) return undefined
    if (source !== '') return inBinds(bindText(source, target, [readOnly, nocopy]))
    if (readOnly !== '' || nocopy !== '') return undefined
    return (_host, create) => setMember(objectAt(create, 'Volumes'), target, {})
  }
  if (Type === 'tmpfs') {
    if (source !== '' || highest < 22 || !onlySets(TmpfsOptions, 'SizeBytes', 'Mode')) return undefined
    return (host) => setMember(objectAt(host, 'Tmpfs'), target, tmpfsOptions(TmpfsOptions, readOnly))
  }
  return undefined
}

/** The entry of `Tmpfs`. */
export function tmpfsOptions(options: JsonValue | undefined, readOnly: string): string {
  const size = memberAt(options, 'SizeBytes')
  const mode = memberAt(options, 'Mode')
  const ofSize = isUnset(size) ? '' : `size=${numberText(size)}`
  const ofMode = typeof mode === 'number' && mode !== 0 ? `mode=${mode.toString(8)}` : ''
  return [readOnly, ofSize, ofMode].filter((word) => word !== '').join(',')
}

/** Converts all mounts or none: true if it did. */
export function mountsAsBinds(value: JsonValue, host: JsonObject, context: StepContext, create: Whole): boolean {
  if (!isObject(create) || !Array.isArray(value)) return false
  const mounts = value.map((mount) => (isObject(mount) ? older(mount, context) : undefined))
  if (mounts.includes(undefined)) return false
  for (const put of mounts) put?.(host, create)
  return true
}
