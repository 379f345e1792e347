import { isObject, memberAt } from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { inspectCalled } from './looked-up.ts'

export const RAW = 'application/vnd.docker.raw-stream'
export const MULTIPLEXED = 'application/vnd.docker.multiplexed-stream'

const NOTE = 'stream.multiplexed'

/** Without a terminal a stream is multiplexed; only inspect shows whether the container has one. */
export async function rememberTerminal(message: RequestMessage, context: EmulationContext): Promise<void> {
  if (context.operation === 'ContainerAttach' && !message.headers.has('Upgrade')) return // raw at every version
  const { status, body } = await inspectCalled(context)
  const config = status < 400 ? memberAt(body, 'Config') : undefined
  if (isObject(config)) context.memory.set(NOTE, config['Tty'] !== true)
}

/** The body of an exec start says whether it has a terminal. */
export function rememberExecTerminal({ body, headers }: RequestMessage, { memory }: StepContext): void {
  if (!headers.has('Upgrade') || (isObject(body) && body['Detach'] === true)) return
  memory.set(NOTE, !(isObject(body) && body['Tty'] === true))
}

/** Sets the type of the stream, as engines from 23.0 on do. */
export function nameStream({ headers, status }: ResponseMessage, { memory }: StepContext): void {
  const multiplexed = memory.get(NOTE)
  if (multiplexed === undefined || status >= 300) return
  headers.set('Content-Type', multiplexed === true ? MULTIPLEXED : RAW)
}
