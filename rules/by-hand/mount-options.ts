import {
  isObject,
  isUnset,
  type JsonObject,
  type JsonValue,
  listOf,
  mapMembers,
  memberAt,
  objectOf,
  stringOf,
} from '../../src/api/json/json.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'

export const mountsOf = ({ body }: { readonly body: JsonValue | undefined }): JsonObject[] =>
  listOf(memberAt(body, 'HostConfig', 'Mounts')).filter(isObject)

/**
 * Moves bind mounts with CreateMountpoint to `Binds`, which always create their source. A mount with other options that
 * `Binds` cannot express is refused.
 */
export function createdMountsAsBinds({ body }: RequestMessage, context: StepContext, change: BoundChange): void {
  moveElements(memberAt(body, 'HostConfig'), 'Mounts', 'Binds', (mount) => {
    const options = memberAt(mount, 'BindOptions')
    if (!isObject(mount) || !isObject(options)) return undefined
    const creates = options['CreateMountpoint'] === true
    delete options['CreateMountpoint']
    if (!creates || mount['Type'] !== 'bind') return undefined
    const what = 'HostConfig.Mounts[].BindOptions.CreateMountpoint'
    const bind = bindOf(mount)
    if (bind === undefined) context.lose({ what, needs: change.version, change: change.id, onLoss: 'refuse' })
    return bind
  })
}

/** Moves elements of a list to another list of the same object, in another form; those without one stay. */
export function moveElements(
  object: JsonValue | undefined,
  from: string,
  to: string,
  formOf: (element: JsonValue) => JsonValue | undefined,
): void {
  if (!isObject(object) || !Array.isArray(object[from])) return
  const moved: JsonValue[] = []
  object[from] = object[from].filter((element) => {
    const form = formOf(element)
    if (form !== undefined) moved.push(form)
    return form === undefined
  })
  if (moved.length > 0) object[to] = [...listOf(object[to]), ...moved]
}

/** The entry of `Binds` for a bind mount; undefined if there is none. */
export function bindOf({ Source, Target, ReadOnly, BindOptions }: JsonObject): string | undefined {
  const { Propagation, ...others } = objectOf(BindOptions)
  const propagation = Propagation ?? ''
  if (typeof Source !== 'string' || typeof Target !== 'string' || typeof propagation !== 'string') return undefined
  if (`${Source}${Target}`.includes(':') || !Object.values(others).every(isUnset)) return undefined
  return bindText(Source, Target, [ReadOnly === true ? 'ro' : '', propagation])
}

/** Options that each tmpfs has by default: Docker 1.10 on, and Podman, which shows them. */
const OF_TMPFS = ['rw', 'rprivate', 'nosuid', 'nodev', 'noexec', 'tmpcopyup', 'notmpcopyup']

export const tmpfsAsAsked = (mounts: JsonValue | undefined): JsonObject =>
  mapMembers(objectOf(mounts), (options) => {
    const words = stringOf(options).split(',')
    return words.filter((word) => !OF_TMPFS.includes(word)).join(',')
  })

/** An entry of `Binds` with its options edited. */
export function withOptions(bind: string, edit: (options: string[]) => readonly string[]): string {
  const [source = '', target, ...mode] = bind.split(':')
  return target === undefined ? bind : bindText(source, target, edit(mode.join(':').split(',')))
}

/** The entry of `Binds`; empty words do not count. */
export function bindText(source: string, target: string, words: readonly string[]): string {
  const mode = words.filter((word) => word !== '').join(',')
  return `${source}:${target}${mode === '' ? '' : `:${mode}`}`
}
