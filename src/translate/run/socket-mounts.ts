import { posix } from 'node:path'
import { isObject, type JsonValue, listOf, memberAt } from '../../api/json/json.ts'
import type { OperationName } from '../../api/operations.ts'
import type { RequestStep, StepContext } from '../message.ts'

/** `/var/run` is a link to `/run` on systemd hosts (file-hierarchy(7)). */
export const clean = (path: string): string =>
  posix
    .normalize(path)
    .replace(/(?<=.)\/$/, '')
    .replace(/^\/var\/run\//, '/run/')

/** For operations whose body contains or is a HostConfig; its members have their canonical spelling by then. */
export const SOCKET_STEPS: Partial<Record<OperationName, RequestStep>> = {
  ContainerCreate: ({ body }, context) => inHostConfig(memberAt(body, 'HostConfig'), context),
  ContainerStart: ({ body }, context) => inHostConfig(body, context),
}

function inHostConfig(hostConfig: JsonValue | undefined, context: StepContext): void {
  const { socketMounts } = context.policy
  if (!isObject(hostConfig) || socketMounts === undefined) return
  const follow = (path: string): string => {
    if (!socketMounts.engine.has(clean(path)) || clean(path) === clean(socketMounts.own)) return path
    context.note?.(`the engine's socket ${path} is mounted as that of the bridge, ${socketMounts.own}`)
    return socketMounts.own
  }
  const { Binds: binds, Mounts: mounts } = hostConfig
  if (Array.isArray(binds))
    hostConfig['Binds'] = binds.map((bind) => {
      const [source = '', ...rest] = typeof bind === 'string' ? bind.split(':') : []
      return rest.length === 0 ? bind : [follow(source), ...rest].join(':')
    })
  for (const mount of listOf(mounts).filter(isObject))
    if (mount['Type'] === 'bind' && typeof mount['Source'] === 'string') mount['Source'] = follow(mount['Source'])
}
