import { ProxyError } from '../../src/api/errors.ts'
import { isObject, memberAt } from '../../src/api/json/json.ts'
import type { EmulationContext, EngineAnswer, RequestMessage } from '../../src/translate/message.ts'
import { isTrue } from '../../src/translate/ops.ts'
import { listed } from './looked-up.ts'

const calledExec = ({ call }: EmulationContext): string => call.params['id'] ?? ''
const inspectExec = (context: EmulationContext): Promise<EngineAnswer> =>
  context.engineCall('GET', `/exec/${encodeURIComponent(calledExec(context))}/json`)

/** Execs that were started through this process; the oldest are dropped first. */
const started = new Set<string>()
const REMEMBERED = 10_000

function remember(id: string): void {
  started.delete(id)
  started.add(id)
  for (const oldest of started) {
    if (started.size <= REMEMBERED) return
    started.delete(oldest)
  }
}

/**
 * Refuses a second start, which would kill engine 1.9. Engine 1.10 shows `ExitCode: null` until an exec has run; older
 * engines show 0, so the bridge has to remember the execs that it started.
 */
export async function refuseSecondStart(_message: RequestMessage, context: EmulationContext): Promise<void> {
  const { status, body } = await inspectExec(context)
  if (status !== 200 || !isObject(body)) return // the start will report it
  const full = typeof body['ID'] === 'string' ? body['ID'] : calledExec(context)
  const code = body['ExitCode']
  const ran = context.engine.highest < 22 ? code !== 0 || started.has(full) : code !== null
  if (body['Running'] === true) throw new ProxyError('conflict', `Error: Exec command ${full} is already running`)
  if (ran) throw new ProxyError('conflict', `Error: Exec command ${full} has already run`)
  remember(full)
}

/** Older engines allow two networks of the same name, so the bridge checks first. */
export async function refuseDuplicate({ body }: RequestMessage, context: EmulationContext): Promise<void> {
  const name = memberAt(body, 'Name')
  if (typeof name !== 'string' || name === '') return
  const networks = await listed(context, '/networks')
  if (networks?.some((network) => network['Name'] === name))
    throw new ProxyError('conflict', `network with name ${name} already exists`)
}

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
