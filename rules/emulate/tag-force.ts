import { ProxyError } from '../../src/api/errors.ts'
import { isObject } from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'
import { isTrue } from '../../src/translate/ops.ts'

/**
 * Up to 1.9 a tag that is set stayed without force, even when it named the same image already (graph/tags.go:SetLoad).
 * Newer engines move it at every prefix: a client that counts on the conflict would lose the image under its tag without
 * a word, so it gets the conflict that its own engine answered (recorded on 1.6.2 … 1.9.1, image-tag-again). Between the
 * look and the call somebody else may set it: accepted.
 */
export async function refuseSetTag({ path, query }: RequestMessage, context: EmulationContext): Promise<void> {
  const repository = query.get('repo') ?? ''
  if (repository === '' || isTrue(query.get('force'))) return
  const tag = query.get('tag') || 'latest'
  const { body } = await context.engineCall('GET', `/images/${encoded(`${repository}:${tag}`)}/json`)
  if (!isObject(body)) return
  // An image that is not there is the engine's to say.
  const source = await context.engineCall('GET', path.replace(/\/tag$/, '/json'))
  if (source.status >= 400) return
  const id = String(body['Id']).replace(/^sha256:/, '')
  const [name, image] = context.client < 21 ? [tag, id] : [`${repository}:${tag}`, id.slice(0, 12)]
  const advice = 'if you want to replace it, please use -f option'
  throw new ProxyError('conflict', `Conflict: Tag ${name} is already set to image ${image}, ${advice}`)
}

const encoded = (reference: string): string =>
  encodeURI(reference).replace(/[?#]/g, (character) => encodeURIComponent(character))
