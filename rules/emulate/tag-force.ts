import { ProxyError } from '../../src/api/errors.ts'
import { isObject } from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'
import { isTrue } from '../../src/translate/ops.ts'

/**
 * Up to engine 1.9 an existing tag moved only with force, even if it already named the same image (graph/tags.go:SetLoad).
 * Newer engines always move it, at every prefix. A client that relies on the conflict would silently lose its tagged image,
 * so it gets the conflict of its own engine (recorded on 1.6.2 … 1.9.1, image-tag-again). Another client may set the tag
 * between the check and the call: accepted.
 */
export async function refuseSetTag({ path, query }: RequestMessage, context: EmulationContext): Promise<void> {
  const repository = query.get('repo') ?? ''
  if (repository === '' || isTrue(query.get('force'))) return
  const tag = query.get('tag') || 'latest'
  const { body } = await context.engineCall('GET', `/images/${encoded(`${repository}:${tag}`)}/json`)
  if (!isObject(body)) return
  // The engine reports a missing source image.
  const source = await context.engineCall('GET', path.replace(/\/tag$/, '/json'))
  if (source.status >= 400) return
  const id = String(body['Id']).replace(/^sha256:/, '')
  const [name, image] = context.client < 21 ? [tag, id] : [`${repository}:${tag}`, id.slice(0, 12)]
  const advice = 'if you want to replace it, please use -f option'
  throw new ProxyError('conflict', `Conflict: Tag ${name} is already set to image ${image}, ${advice}`)
}

const encoded = (reference: string): string =>
  encodeURI(reference).replace(/[?#]/g, (character) => encodeURIComponent(character))
