import { isObject, listOf, memberAt, stringOf } from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage, ResponseMessage } from '../../src/translate/message.ts'

const UNPINNED = 'unpinned-image'

/** daemon/cluster/services.go:digestWarning. */
export const warning = (image: string): string =>
  `image ${image} could not be accessed on a registry to record\nits digest. Each node will access ${image} independently,\npossibly leading to different nodes running different\nversions of the image.\n`

/** The name with a tag, as engines show it; undefined for an id, for what has a digest already, and for what is no name. */
function tagged(image: string): string | undefined {
  const parts = image.split('/')
  if (parts.some((part) => !/^[\w.:-]+$/.test(part) || part === '.' || part === '..')) return undefined
  if (/^(sha256:)?[0-9a-f]{64}$/.test(image)) return undefined
  const short = image.replace(/^(index\.)?docker\.io\/(library\/)?/, '')
  return short.lastIndexOf(':') > short.lastIndexOf('/') ? short : `${short}:latest`
}

/** Engines ask the registry for the digest of a service's image only for clients up to 1.29; newer clients ask themselves. */
export async function pinImage(message: RequestMessage, context: EmulationContext): Promise<void> {
  const spec = memberAt(message.body, 'TaskTemplate', 'ContainerSpec')
  if (!isObject(spec) || message.query.get('rollback')) return // the engine ignores the body then
  const image = stringOf(spec['Image'])
  const name = tagged(image)
  if (name === undefined) return
  const digest = await digestOf(name, message.headers.get('X-Registry-Auth'), context)
  const pinned = `${name}@${digest}`
  // A policy may list tags, before which no digest is allowed.
  const service = { TaskTemplate: { ContainerSpec: { Image: pinned } } }
  if (digest !== '' && context.allows?.('POST', message.path, service) !== false) spec['Image'] = pinned
  else context.memory.set(UNPINNED, image)
}

/** The digest in the registry; empty if it cannot be asked, or the policy forbids the call. */
async function digestOf(name: string, registryAuth: string | undefined, context: EmulationContext): Promise<string> {
  const path = `/distribution/${name}/json`
  if (context.allows?.('GET', path) === false) return ''
  const { status, body } = await context.engineCall('GET', path, { registryAuth })
  return status === 200 ? stringOf(memberAt(body, 'Descriptor', 'digest')) : ''
}

export async function warnUnpinned({ body }: ResponseMessage, { memory }: EmulationContext): Promise<void> {
  const image = memory.get(UNPINNED)
  if (image !== undefined && isObject(body)) body['Warnings'] = [...listOf(body['Warnings']), warning(stringOf(image))]
}
