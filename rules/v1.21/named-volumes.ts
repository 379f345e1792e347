import { ProxyError } from '../../src/api/errors.ts'
import { type JsonObject, listOf } from '../../src/api/json/json.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { hostConfigOf } from '../by-hand/host-config.ts'

/** The first volume name among the sources of `Binds`: `name:/target[:mode]`. */
function nameIn({ Binds: binds }: JsonObject): string | undefined {
  const sources = listOf(binds).flatMap((bind) =>
    typeof bind === 'string' && bind.includes(':') ? [bind.split(':')[0]] : [],
  )
  return sources.find((source) => source !== undefined && source !== '' && !source.startsWith('/'))
}

const inWords = (name: string): string => `volume ${name} of HostConfig.Binds`

/**
 * Engines 1.6 and 1.7 refused it with 500. Newer engines that serve these versions create the volume (seen on 20.10 at
 * 1.18), so it passes and is reported; it is refused only if the loss policy is strict.
 */
export function reportNamedVolume(message: RequestMessage, context: StepContext, change: BoundChange): void {
  const name = nameIn(hostConfigOf(message, context) ?? {})
  if (name === undefined) return
  if (context.policy.losses !== 'strict') {
    context.ignore(inWords(name), change.id)
    return
  }
  const text = `cannot bind mount volume: ${name} volume paths must be absolute.`
  throw new ProxyError('validation', text, { status: 500 })
}

export function namedVolume(hostConfig: JsonObject): string | undefined {
  const name = nameIn(hostConfig)
  return name === undefined ? undefined : inWords(name)
}
