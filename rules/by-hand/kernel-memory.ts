import { integer, type JsonObject } from '../../src/api/json/json.ts'
import { UpdateConfig } from '../../src/api/shapes/shapes.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { ignored, type Op, refusedWhere } from '../../src/translate/ops.ts'
import { LEAST_MEMORY } from './error-words/create.ts'
import { olderWords } from './error-words.ts'
import { CreateHostConfig } from './places.ts'

const SHAPES = [CreateHostConfig, UpdateConfig]
const TOO_LOW = 'Minimum kernel memory limit allowed is 6MB'

/** No engine accepts so little: the client gets the error of its own engine. */
function tooLow({ KernelMemory: value }: JsonObject, context: StepContext): string | undefined {
  const limit = integer(value) ?? 0n
  if (limit <= 0n || limit >= LEAST_MEMORY) return undefined
  const { status, text } = olderWords(400, TOO_LOW, context)
  return `${status} ${text}`
}

/**
 * A limit that newer engines silently ignore is refused rather than lost; zero and negative values never were limits
 * (daemon/daemon_unix.go:verifyPlatformContainerResources @v20.10).
 */
export const limitRefused = (member: 'KernelMemory' | 'KernelMemoryTCP', version: string): Op[] =>
  SHAPES.flatMap((shape) => {
    const text = `${member} is not supported by the engine: it is ignored from API ${version} on`
    const tooLowOnes = refusedWhere(shape, 'a limit of kernel memory that is too low', {
      ...{ leg: 'requestUp', says: 'validation', finds: tooLow },
      samples: [[{ KernelMemory: 1 }, TOO_LOW]],
    })
    return [
      ...(member === 'KernelMemory' ? [tooLowOnes] : []),
      refusedWhere(shape, `the limit ${member}`, {
        ...{ leg: 'requestUp', says: 'loss' },
        finds: ({ [member]: limit }) => ((integer(limit) ?? 0n) > 0n ? text : undefined),
        samples: [[{ [member]: 50_000_000 }, text]],
      }),
      ignored(shape, member, { sample: 0 }),
    ]
  })

/** Engines of clients from this version on ignore the limits; older engines would apply them. */
export const limitsIgnored = (): Op[] =>
  SHAPES.map((shape) => ignored(shape, ['KernelMemory', 'KernelMemoryTCP'], { leg: 'requestDown', sample: 50_000_000 }))
