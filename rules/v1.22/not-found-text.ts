import { type OperationName, operationNames } from '../../src/api/operations.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'

/** Operations whose container, image, volume or exec can be missing. */
export const LOOKS_UP: readonly OperationName[] = operationNames.filter((name) =>
  /^((Put)?Container|Exec|Image|Volume(Inspect|Delete)|Network(Connect|Disconnect))/.test(name),
)

const NO_CONTAINER = /\bno such container:? (\S+)/gi
const NO_IMAGE = /\bno such (image|id)\b|^digest not found/i
const NO_EXEC = /^No such exec instance: (.+)$/

type Reword = (text: string, context: StepContext) => string

/**
 * The errors of engines up to 1.9 for missing objects. The phrase "No such image" of create and inspect stays: clients pull
 * if they see it. Recorded on 1.6.2, 1.7.1, 1.8.3, 1.9.1 (…-404).
 */
export function asBefore110(message: ResponseMessage, context: StepContext): void {
  const { text, status } = message
  // Engine 20.10 answers 500 for the filters since and before of the list.
  const listed = context.operation === 'ContainerList' && status === 500
  if (text === undefined || (status !== 404 && !listed)) return
  const reworded = (special[context.operation] ?? container)(text, context)
  if (listed && reworded !== text) message.status = 404
  message.text = reworded
}

const container: Reword = (text) =>
  text.replace(NO_CONTAINER, 'no such id: $1').replace(NO_EXEC, "No such exec instance '$1' found in daemon")

const image: Reword = (text, { call }) =>
  NO_IMAGE.test(text) ? `could not find image: no such id: ${call.params['name']}` : text

const plainImage: Reword = (text, { call }) => (NO_IMAGE.test(text) ? `No such image: ${call.params['name']}` : text)

const deletedImage: Reword = (text, context) => (context.client < 21 ? plainImage : image)(text, context)

const endpoint: Reword = (text) =>
  text.replace(/^no such container: (\S+)$/i, 'invalid container <nil> : nosuchcontainer: no such id: $1')

const volume: Reword = (text) => text.replace(/^get \S+: (no such volume)$/, '$1')

const kill: Reword = (text, context) => {
  const { client, call } = context
  const missing = container(text.replace(/^cannot kill container:? [^:]+: (no such container: .+)$/i, '$1'), context)
  if (missing === text) return text
  if (client < 20) return missing
  return `Cannot kill container ${call.params['name']}: ${client < 21 ? '' : 'nosuchcontainer: '}${missing}`
}

const wait: Reword = (text, context) => {
  const missing = container(text, context)
  return context.client < 19 && missing !== text ? `wait: ${missing}` : missing
}

const special: { readonly [Name in OperationName]?: Reword } = {
  ContainerKill: kill,
  ContainerWait: wait,
  ContainerCreate: (text) => text,
  ImageInspect: plainImage,
  ImageHistory: image,
  ImageTag: image,
  ImageGet: image,
  ImageDelete: deletedImage,
  ImageCommit: container,
  NetworkConnect: endpoint,
  NetworkDisconnect: endpoint,
  VolumeInspect: volume,
  VolumeDelete: volume,
}
