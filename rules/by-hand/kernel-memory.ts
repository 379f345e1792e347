import { ProxyError } from '../../src/api/errors.ts'
import { integer, isObject } from '../../src/api/json/json.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { LEAST_MEMORY } from './error-words/limits.ts'
import { olderWords } from './error-words.ts'

const MEMBERS = ['KernelMemory', 'KernelMemoryTCP'] as const
const TOO_LOW = 'Minimum kernel memory limit allowed is 6MB'

/**
 * Engines ignore both limits from this version on, without a word. A limit that its client asked for is refused rather
 * than lost; zero and less never were one (daemon/daemon_unix.go:verifyPlatformContainerResources @v20.10).
 */
export function refuseKernelMemory(message: RequestMessage, context: StepContext, change: BoundChange): void {
  for (const member of MEMBERS) refuseLimit(member, message, context, change)
}

/** Clients of 1.42 to 1.51 ask for nothing by the other one: their engines ignore it. */
export function refuseKernelMemoryTcp(message: RequestMessage, context: StepContext, change: BoundChange): void {
  refuseLimit('KernelMemoryTCP', message, context, change)
}

function refuseLimit(
  member: (typeof MEMBERS)[number],
  { body }: RequestMessage,
  context: StepContext,
  change: BoundChange,
): void {
  const limits = context.operation === 'ContainerCreate' && isObject(body) ? body['HostConfig'] : body
  if (!isObject(limits)) return
  const limit = integer(limits[member]) ?? 0n
  // No engine took so little: the client gets its own engine's words.
  if (member === 'KernelMemory' && limit > 0n && limit < LEAST_MEMORY) {
    const { status, text } = olderWords(400, TOO_LOW, context)
    throw new ProxyError('validation', text, { status })
  }
  if (limit > 0n)
    throw new ProxyError(
      'loss',
      `${member} is not supported by the engine: it is ignored from API 1.${change.version} on`,
    )
  delete limits[member]
}

/** Clients from this version on ask for nothing by it, whatever the engine would make of it. */
export function ignoreKernelMemory({ body }: RequestMessage, context: StepContext, { id }: BoundChange): void {
  const limits = context.operation === 'ContainerCreate' && isObject(body) ? body['HostConfig'] : body
  if (!isObject(limits)) return
  for (const member of MEMBERS) {
    if (limits[member] !== undefined) context.ignore(member, id)
    delete limits[member]
  }
}

export function hideKernelMemory({ body }: ResponseMessage): void {
  if (isObject(body)) for (const member of MEMBERS) delete body[member]
}
