import { asJson, isObject } from '../../src/api/json/json.ts'
import type { StepContext } from '../../src/translate/message.ts'

/** A platform parameter (`{"os":"linux","architecture":"amd64"}`) that names what the engine has anyway. */
export function isEnginesOwnPlatform(text: string, { engine }: StepContext): boolean {
  const platform = asJson(text)
  if (!isObject(platform)) return false
  const { os = engine.os, architecture = engine.arch, variant = '' } = platform
  return os === engine.os && architecture === engine.arch && variant === ''
}
