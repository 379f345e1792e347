import { unlessFailed } from '../../src/api/errors.ts'
import { isObject, listOf, memberAt, stringOf } from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage, ResponseMessage } from '../../src/translate/message.ts'
import { tagged } from '../by-hand/references.ts'
import { isRollback } from './keep-unseen.ts'

const UNPINNED = 'unpinned-image'

/** daemon/cluster/services.go:digestWarning. */
export const warning = (image: string): string =>
  `image ${image} could not be accessed on a registry to record\nits digest. Each node will access ${image} independently,\npossibly leading to different nodes running different\nversions of the image.\n`

/** How long engines look for a digest before they warn (daemon/cluster/cluster.go:swarmRequestTimeout). */
const TIMEOUT_MS = 20_000

const IS_PINNED = /@|^(?:sha256:)?[0-9a-f]{64}$/
/** Safe as a path; the engine judges the rest. */
const isName = (name: string): boolean =>
  name.split('/').every((part) => /^[\w.:-]+$/.test(part) && part !== '.' && part !== '..')

/**
 * Engines ask the registry for the digest of a service's image only for clients up to 1.29; newer clients ask themselves.
 * Without the header of an update they use the stored credential, which the bridge cannot see.
 */
export async function pinImage(message: RequestMessage, context: EmulationContext): Promise<void> {
  const spec = memberAt(message.body, 'TaskTemplate', 'ContainerSpec')
  if (!isObject(spec) || isRollback(message.query)) return
  const image = stringOf(spec['Image'])
  const isAllowed = (Image: string): boolean =>
    context.allows('POST', message.path, { TaskTemplate: { ContainerSpec: { Image } } })
  if (image === '' || IS_PINNED.test(image) || !isAllowed(image)) return // the policy denies the call as usual
  const name = tagged(image)
  const digest = isName(name) ? await digestOf(name, message.headers.get('X-Registry-Auth'), context) : ''
  const pinned = `${name}@${digest}`
  // A policy may list tags, before which no digest is allowed.
  if (digest !== '' && isAllowed(pinned)) spec['Image'] = pinned
  else context.memory.set(UNPINNED, image)
}

/** The digest in the registry; empty if the engine does not tell it, or the policy forbids the call. */
async function digestOf(name: string, registryAuth: string | undefined, context: EmulationContext): Promise<string> {
  const path = `/distribution/${name}/json`
  if (!context.allows('GET', path)) return ''
  const answer = await unlessFailed(context.engineCall('GET', path, { registryAuth, timeoutMs: TIMEOUT_MS }))
  return answer?.status === 200 ? stringOf(memberAt(answer.body, 'Descriptor', 'digest')) : ''
}

export async function warnUnpinned({ body }: ResponseMessage, { memory }: EmulationContext): Promise<void> {
  const image = memory.get(UNPINNED)
  if (image !== undefined && isObject(body)) body['Warnings'] = [...listOf(body['Warnings']), warning(stringOf(image))]
}
