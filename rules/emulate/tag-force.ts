import { Refusal } from '../../src/errors.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import { isObject } from '../../src/translate/json.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'
import { isTrue } from '../../src/translate/ops.ts'

/**
 * Up to 1.9 a tag that is set stayed without force, even when it named the same image already (graph/tags.go:SetLoad).
 * Engine 20.10 moves it at every prefix: so it is a finding, and a conflict only in strict mode and where the
 * specification counts. Between the look and the call somebody else may set it: accepted.
 */
export async function reportSetTag(
  { path, query }: RequestMessage,
  context: EmulationContext,
  change: BoundChange,
): Promise<void> {
  const repository = query.get('repo') ?? ''
  if (repository === '' || isTrue(query.get('force'))) return
  const tag = query.get('tag') || 'latest'
  const { body } = await context.engineCall('GET', `/images/${encoded(`${repository}:${tag}`)}/json`)
  if (!isObject(body)) return
  // An image that is not there is the engine's to say.
  const source = await context.engineCall('GET', path.replace(/\/tag$/, '/json'))
  if (source.status >= 400) return
  const { losses, profile } = context.policy
  if (losses !== 'strict' && profile !== 'spec') {
    context.ignore(`${repository}:${tag}, set without force`, change.id)
    return
  }
  const id = String(body['Id']).replace(/^sha256:/, '')
  const [name, image] = context.client < 21 ? [tag, id] : [`${repository}:${tag}`, id.slice(0, 12)]
  const advice = 'if you want to replace it, please use -f option'
  throw new Refusal('conflict', `Conflict: Tag ${name} is already set to image ${image}, ${advice}`)
}

const encoded = (reference: string): string =>
  encodeURI(reference).replace(/[?#]/g, (character) => encodeURIComponent(character))
