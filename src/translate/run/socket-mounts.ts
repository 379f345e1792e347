import { isObject, type JsonObject, type JsonValue, listOf } from '../../api/json/json.ts'
import { fieldOf, memberNamed } from '../../api/json/names.ts'
import type { OperationName } from '../../api/operations.ts'
import type { RequestStep, StepContext } from '../message.ts'

/** `/var/run` is a link to `/run` on systemd hosts (file-hierarchy(7)). */
export const clean = (path: string): string =>
  path
    .replace(/\/+/g, '/')
    .replace(/(?<=.)\/$/, '')
    .replace(/^\/var\/run\//, '/run/')

/** For operations whose body contains or is a HostConfig. */
export const SOCKET_STEPS: Partial<Record<OperationName, RequestStep>> = {
  ContainerCreate: ({ body }, context) => inHostConfig(fieldOf(body, 'HostConfig'), context),
  ContainerStart: ({ body }, context) => inHostConfig(body, context),
}

function inHostConfig(hostConfig: JsonValue | undefined, context: StepContext): void {
  const { socketMounts } = context.policy
  if (!isObject(hostConfig) || socketMounts === undefined) return
  const follow = (path: string): string | undefined => {
    if (!socketMounts.engine.has(clean(path)) || clean(path) === clean(socketMounts.own)) return undefined
    context.note?.(`the engine's socket ${path} is mounted as that of the bridge, ${socketMounts.own}`)
    return socketMounts.own
  }
  inBinds(hostConfig, follow)
  inMounts(fieldOf(hostConfig, 'Mounts'), follow)
}

function inBinds(hostConfig: JsonObject, follow: (path: string) => string | undefined): void {
  const name = memberNamed(hostConfig, 'Binds')
  const binds = name === undefined ? undefined : hostConfig[name]
  if (name === undefined || !Array.isArray(binds)) return
  hostConfig[name] = binds.map((bind) => {
    if (typeof bind !== 'string') return bind
    const [source = '', ...rest] = bind.split(':')
    const own = rest.length === 0 ? undefined : follow(source)
    return own === undefined ? bind : [own, ...rest].join(':')
  })
}

function inMounts(mounts: JsonValue | undefined, follow: (path: string) => string | undefined): void {
  for (const mount of listOf(mounts)) {
    const source = fieldOf(mount, 'Source')
    if (!isObject(mount) || fieldOf(mount, 'Type') !== 'bind' || typeof source !== 'string') continue
    const own = follow(source)
    const name = memberNamed(mount, 'Source')
    if (own !== undefined && name !== undefined) mount[name] = own
  }
}
