import type { BoundChange } from '../../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { hostConfigOf } from '../by-hand/host-config.ts'

/** The propagation of engine 1.9. */
const PRIVATE = new Set(['private', 'rprivate'])
/** Other propagation changes where a mount is visible. */
const SHARED = new Set(['shared', 'rshared', 'slave', 'rslave'])

/** Removes the propagation from the third field of Binds (volume/volume_propagation_linux.go @v1.10.3). */
export function withoutPropagation(message: RequestMessage, context: StepContext, change: BoundChange): void {
  const hostConfig = hostConfigOf(message, context)
  const binds = hostConfig?.['Binds']
  if (hostConfig === undefined || !Array.isArray(binds)) return
  const refuse = (word: string): void =>
    context.lose({ what: `HostConfig.Binds (${word})`, needs: change.version, change: change.id, onLoss: 'refuse' })
  hostConfig['Binds'] = binds.map((bind) => (typeof bind === 'string' ? plainBind(bind, refuse) : bind))
}

function plainBind(bind: string, refuse: (word: string) => void): string {
  const [source, target, mode, ...more] = bind.split(':')
  if (mode === undefined || more.length > 0) return bind
  const words = mode.split(',')
  for (const word of words) if (SHARED.has(word)) refuse(word)
  const kept = words.filter((word) => !PRIVATE.has(word)).join(',')
  return [source, target, ...(kept === '' ? [] : [kept])].join(':')
}
