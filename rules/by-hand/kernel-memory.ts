import { ProxyError } from '../../src/api/errors.ts'
import { integer } from '../../src/api/json/json.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { LEAST_MEMORY } from './error-words/limits.ts'
import { olderWords } from './error-words.ts'
import { hostConfigOf } from './host-config.ts'

const MEMBERS = ['KernelMemory', 'KernelMemoryTCP'] as const
const TOO_LOW = 'Minimum kernel memory limit allowed is 6MB'

/**
 * Engines silently ignore both limits from this version on. A requested limit is refused rather than lost; zero and
 * negative values never were limits (daemon/daemon_unix.go:verifyPlatformContainerResources @v20.10).
 */
export function refuseKernelMemory(message: RequestMessage, context: StepContext, change: BoundChange): void {
  for (const member of MEMBERS) refuseLimit(member, message, context, change)
}

/** For clients of 1.42 to 1.51, whose engines ignore KernelMemory. */
export function refuseKernelMemoryTcp(message: RequestMessage, context: StepContext, change: BoundChange): void {
  refuseLimit('KernelMemoryTCP', message, context, change)
}

function refuseLimit(
  member: (typeof MEMBERS)[number],
  message: RequestMessage,
  context: StepContext,
  change: BoundChange,
): void {
  const limits = hostConfigOf(message, context)
  if (limits === undefined) return
  const limit = integer(limits[member]) ?? 0n
  // No engine accepts so little: the client gets the error of its own engine.
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

/** Engines of clients from this version on ignore both limits; older engines would apply them. */
export function ignoreKernelMemory(message: RequestMessage, context: StepContext, { id }: BoundChange): void {
  const limits = hostConfigOf(message, context)
  if (limits === undefined) return
  for (const member of MEMBERS) {
    if (limits[member] !== undefined) context.ignore(member, id)
    delete limits[member]
  }
}
