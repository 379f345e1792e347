import { isObject, isUnset, type JsonValue, listOf, memberAt, objectOf } from '../../src/api/json/json.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import type { EmulationContext, RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { AUTO_REMOVE } from '../../src/translate/run/old-engines.ts'
import { inspectCalled } from './looked-up.ts'

const WANTED = '1.25/auto-remove'

/** Engines before 1.25 store it without effect: the container gets a label, and the bridge removes it (src/engine/auto-removal.ts). */
export function markAutoRemove({ body }: RequestMessage, context: StepContext, change: BoundChange): void {
  const host = memberAt(body, 'HostConfig')
  if (!isObject(body) || !isObject(host)) return
  const wanted = !isUnset(host['AutoRemove'])
  delete host['AutoRemove']
  if (!wanted) return
  const what = 'HostConfig.AutoRemove'
  const { autoRemoval } = context
  if (autoRemoval === undefined || autoRemoval.full)
    context.lose({ what, needs: change.version, change: change.id, onLoss: 'refuse' })
  body['Labels'] = { ...objectOf(body['Labels']), [AUTO_REMOVE]: '' }
  context.memory.set(WANTED, true)
  const said = `${what} by the engine: the bridge removes the container when it stops`
  context.lose({ what: said, needs: change.version, change: change.id, onLoss: 'ignore' })
}

export function watchAutoRemove({ body }: ResponseMessage, { memory, autoRemoval, engine }: StepContext): void {
  const id = memberAt(body, 'Id')
  if (memory.get(WANTED) === true && typeof id === 'string') autoRemoval?.add(engine, id)
}

/** Removes the mark from the labels; true if it was there. */
function takeMark(owner: JsonValue | undefined): boolean {
  const labels = memberAt(owner, 'Labels')
  if (!isObject(labels) || !(AUTO_REMOVE in labels)) return false
  delete labels[AUTO_REMOVE]
  return true
}

export function showAutoRemove({ body }: ResponseMessage): void {
  if (!isObject(body)) return
  const marked = takeMark(body['Config'])
  if (isObject(body['HostConfig'])) body['HostConfig']['AutoRemove'] = marked
}

export function hideMarks({ body }: ResponseMessage): void {
  for (const item of listOf(body)) takeMark(item)
}

/** The daemon removes such a container if its start fails (daemon/start.go @v1.13.0); `docker run` waits for that. */
export async function removeNotStarted(_message: ResponseMessage, context: EmulationContext): Promise<void> {
  const { body } = await inspectCalled(context)
  if (isObject(body)) context.autoRemoval?.notStarted(context.engine, String(body['Id']))
}
