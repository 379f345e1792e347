import { ProxyError } from '../../src/api/errors.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { hostConfigOf } from '../by-hand/host-config.ts'

/** The first volume name among the sources of `Binds`: `name:/target[:mode]`. */
function namedVolume(message: RequestMessage, context: StepContext): string | undefined {
  const binds = hostConfigOf(message, context)?.['Binds']
  if (!Array.isArray(binds)) return undefined
  const sources = binds.flatMap((bind) => (typeof bind === 'string' && bind.includes(':') ? [bind.split(':')[0]] : []))
  return sources.find((source) => source !== undefined && source !== '' && !source.startsWith('/'))
}

/**
 * Engines 1.6 and 1.7 refused it with 500. Newer engines that serve these versions create the volume (seen on 20.10 at
 * 1.18), so it passes and is reported; it is refused only if the loss policy is strict.
 */
export function namedVolumesUp(message: RequestMessage, context: StepContext, change: BoundChange): void {
  const name = namedVolume(message, context)
  if (name === undefined) return
  if (context.policy.losses !== 'strict') {
    context.ignore(`volume ${name} of HostConfig.Binds`, change.id)
    return
  }
  const text = `cannot bind mount volume: ${name} volume paths must be absolute.`
  throw new ProxyError('validation', text, { status: 500 })
}

export function namedVolumesDown(message: RequestMessage, context: StepContext, change: BoundChange): void {
  const name = namedVolume(message, context)
  if (name === undefined) return
  const what = `volume ${name} of HostConfig.Binds`
  context.lose({ what, needs: change.from, change: change.id, onLoss: 'refuse' })
}
