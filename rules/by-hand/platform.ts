import { asJson, isObject } from '../../src/api/json/json.ts'
import type { StepContext } from '../../src/translate/message.ts'
import type { Operations } from '../../src/translate/ops/by-hand.ts'
import { callRefused, type Op } from '../../src/translate/ops.ts'

/** Other names of an architecture (containerd/platforms normalizeArch). */
const USUAL: Readonly<Record<string, string>> = { x86_64: 'amd64', 'x86-64': 'amd64', aarch64: 'arm64', i386: '386' }

const architecture = (name: string): string => USUAL[name] ?? name

/** Whether a name such as `linux/amd64`, `linux` or `amd64` is the engine's own platform. */
export function isOwnPlatform(value: string, { engine }: StepContext): boolean {
  const [os = '', arch, variant] = value.toLowerCase().split('/')
  if (variant !== undefined && !(variant === 'v8' && architecture(engine.arch) === 'arm64')) return false
  if (arch === undefined) return os === engine.os || architecture(os) === architecture(engine.arch)
  return os === engine.os && architecture(arch) === architecture(engine.arch)
}

/** Whether a parameter such as `{"os":"linux","architecture":"amd64"}` names the engine's own platform. */
export function isEnginesOwnPlatform(text: string, { engine }: StepContext): boolean {
  const platform = asJson(text)
  if (!isObject(platform)) return false
  const { os = engine.os, architecture = engine.arch, variant = '' } = platform
  return os === engine.os && architecture === engine.arch && variant === ''
}

/** Calls that name more than one platform are refused, with this text or as a loss. */
export const onePlatform = (
  operations: Operations,
  text: string,
  how: { leg?: 'requestUp'; says?: 'bad-request' } = {},
): Op =>
  callRefused(operations, 'more than one platform', {
    ...how,
    finds: ({ query }) => (query.getAll('platform').length > 1 ? text : undefined),
    samples: [['platform=a&platform=b', text]],
  })
