import { asJson, isObject } from '../../src/api/json/json.ts'
import type { StepContext } from '../../src/translate/message.ts'

/** Whether a parameter such as `{"os":"linux","architecture":"amd64"}` names the engine's own platform. */
export function isEnginesOwnPlatform(text: string, { engine }: StepContext): boolean {
  const platform = asJson(text)
  if (!isObject(platform)) return false
  const { os = engine.os, architecture = engine.arch, variant = '' } = platform
  return os === engine.os && architecture === engine.arch && variant === ''
}
