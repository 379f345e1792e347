import {
  isObject,
  type JsonObject,
  type JsonValue,
  listOf,
  memberAt,
  objectOf,
  stringOf,
} from '../../src/api/json/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { bindOf, mountsOf, moveElements } from '../by-hand/mount-options.ts'

const PROPAGATIONS = new Set(['private', 'rprivate', 'shared', 'rshared', 'slave', 'rslave'])

/**
 * Up to 1.43 mounts below a read-only bind stayed writable. `Binds` cannot express that, so such a bind becomes a mount;
 * with SELinux or nocopy it stays, and is recursively read-only.
 */
export function keepMountsBelowWritable(message: RequestMessage, { engine }: StepContext): void {
  if (engine.os === 'windows') return
  for (const mount of mountsOf(message)) {
    if (mount['Type'] !== 'bind' || mount['ReadOnly'] !== true) continue
    const options = objectOf(mount['BindOptions'])
    mount['BindOptions'] = { ...options, ReadOnlyNonRecursive: true }
  }
  moveElements(memberAt(message.body, 'HostConfig'), 'Binds', 'Mounts', (bind) => asMount(stringOf(bind)))
}

function asMount(bind: string): JsonObject | undefined {
  const [source = '', target = '', mode = '', ...more] = bind.split(':')
  const words = mode.split(',')
  const [propagation, ...others] = words.filter((word) => word !== 'ro')
  if (more.length > 0 || others.length > 0 || !words.includes('ro')) return undefined
  if (!source.startsWith('/') || !target.startsWith('/') || target === '/') return undefined
  if (propagation !== undefined && !PROPAGATIONS.has(propagation)) return undefined
  const options = { CreateMountpoint: true, ReadOnlyNonRecursive: true }
  return {
    Type: 'bind',
    Source: source,
    Target: target,
    ReadOnly: true,
    BindOptions: propagation === undefined ? options : { ...options, Propagation: propagation },
  }
}

/** Shows such mounts as binds again, and removes the option from the others. */
export function showAsBinds(message: ResponseMessage): void {
  const { body } = message
  const hostConfig = memberAt(body, 'HostConfig')
  if (!isObject(body) || !isObject(hostConfig) || !Array.isArray(hostConfig['Mounts'])) return
  moveElements(hostConfig, 'Mounts', 'Binds', (mount) => {
    const bind = bindOfReadOnly(objectOf(mount))
    for (const point of bind === undefined ? [] : listOf(body['Mounts']).filter(isObject))
      if (point['Destination'] === memberAt(mount, 'Target')) point['Mode'] = bind?.split(':')[2]
    return bind
  })
  const mounts = mountsOf(message)
  for (const mount of mounts) dropOption(mount)
  if (mounts.length === 0) delete hostConfig['Mounts']
}

/** The list does not distinguish binds from mounts; for clients that know only binds (up to 1.24), all are binds. */
export function bindMode(mode: JsonValue, point: JsonObject, { client }: StepContext): JsonValue | undefined {
  const { Type, RW, Propagation: propagation } = point
  if (client >= 25 || Type !== 'bind' || RW !== false || mode !== '') return undefined
  return propagation === '' || propagation === 'rprivate' ? 'ro' : `ro,${propagation}`
}

function bindOfReadOnly(mount: JsonObject): string | undefined {
  const { CreateMountpoint: creates, ReadOnlyNonRecursive: nonRecursive, ...others } = objectOf(mount['BindOptions'])
  const isBind = mount['Type'] === 'bind' && mount['ReadOnly'] === true && creates === true && nonRecursive === true
  return isBind ? bindOf({ ...mount, BindOptions: others }) : undefined
}

function dropOption(mount: JsonObject): void {
  const options = mount['BindOptions']
  if (!isObject(options) || options['ReadOnlyNonRecursive'] !== true) return
  delete options['ReadOnlyNonRecursive']
  if (Object.keys(options).length === 0) delete mount['BindOptions']
}
