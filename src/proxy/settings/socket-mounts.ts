import type { Listening } from '../../http/listen/inherited.ts'
import type { SocketMounts } from '../../translate/message.ts'
import { clean } from '../../translate/run/socket-mounts.ts'
import type { Config } from './settings.ts'

/** Default socket paths of engines. */
const USUAL = ['/run/docker.sock', '/run/podman/podman.sock']

/** Resolves `--socket-mounts`. Throws a readable error if there is no socket to mount. */
export function socketMountsOf(
  { 'socket-mounts': wish, engine }: Pick<Config, 'socket-mounts' | 'engine'>,
  listening: readonly Listening[],
): SocketMounts | undefined {
  if (wish === 'keep') return undefined
  const [own] =
    wish === 'follow' ? listening.flatMap(({ address }) => (address.kind === 'unix' ? [address.path] : [])) : [wish]
  if (own === undefined)
    throw new Error('--socket-mounts follow: no listener is a unix socket that a container could mount')
  if (wish === 'follow' && engine.kind !== 'unix')
    throw new Error(
      '--socket-mounts follow: the engine is on another machine; say the path that the socket of a bridge has there',
    )
  const paths = engine.kind === 'tcp' ? USUAL : [...USUAL, engine.path]
  return { engine: new Set(paths.map(clean)), own }
}
