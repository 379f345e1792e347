import { escaped, words } from '../config/text.ts'
import { type ApiVersion, apiVersion } from './version.ts'
/**
 * The table of operations: one row per endpoint. `request` and `response` give the kind of body, which determines the
 * lane (see src/proxy/lanes/choose.ts):
 * - `none`, `json`: as named. `stream`: bytes that are never parsed (tar, raw logs).
 * - `progress`: JSON records whose shape never changed (build, pull, push); passed as bytes.
 * - `records`: JSON records whose shape differs between versions, translated one by one.
 * - `hijack`: the connection itself becomes the body.
 * Source: docs/api/v1.18.md … v1.24.md, api/swagger.yaml v1.25 … v1.52, moby's router tables.
 */
export type RequestKind = 'none' | 'json' | 'stream'
export type ResponseKind = 'none' | 'json' | 'text' | 'stream' | 'progress' | 'records' | 'hijack'

type Row = readonly [method: string, path: string, request: RequestKind, response: ResponseKind]

const TABLE = {
  // containers
  ContainerList: ['GET', '/containers/json', 'none', 'json'],
  ContainerListPs: ['GET', '/containers/ps', 'none', 'json'],
  ContainerCreate: ['POST', '/containers/create', 'json', 'json'],
  ContainerInspect: ['GET', '/containers/{name}/json', 'none', 'json'],
  ContainerTop: ['GET', '/containers/{name}/top', 'none', 'json'],
  ContainerLogs: ['GET', '/containers/{name}/logs', 'none', 'stream'],
  ContainerChanges: ['GET', '/containers/{name}/changes', 'none', 'json'],
  ContainerExport: ['GET', '/containers/{name}/export', 'none', 'stream'],
  ContainerStats: ['GET', '/containers/{name}/stats', 'none', 'records'],
  ContainerResize: ['POST', '/containers/{name}/resize', 'none', 'none'],
  ContainerStart: ['POST', '/containers/{name}/start', 'json', 'none'],
  ContainerStop: ['POST', '/containers/{name}/stop', 'none', 'none'],
  ContainerRestart: ['POST', '/containers/{name}/restart', 'none', 'none'],
  ContainerKill: ['POST', '/containers/{name}/kill', 'none', 'none'],
  ContainerUpdate: ['POST', '/containers/{name}/update', 'json', 'json'],
  ContainerRename: ['POST', '/containers/{name}/rename', 'none', 'none'],
  ContainerPause: ['POST', '/containers/{name}/pause', 'none', 'none'],
  ContainerUnpause: ['POST', '/containers/{name}/unpause', 'none', 'none'],
  ContainerAttach: ['POST', '/containers/{name}/attach', 'none', 'hijack'],
  ContainerAttachWebsocket: ['GET', '/containers/{name}/attach/ws', 'none', 'hijack'],
  // From 1.30 on the head is sent at once and the single record when the container stops: `docker run` waits for the
  // head before it starts the container.
  ContainerWait: ['POST', '/containers/{name}/wait', 'none', 'records'],
  // `{name:.*}` in the engines' router also matches `DELETE /containers/` and the name of a link (recorded:
  // delete-empty, delete-link-404).
  ContainerDelete: ['DELETE', '/containers/{name**}', 'none', 'none'],
  ContainerCopy: ['POST', '/containers/{name}/copy', 'json', 'stream'],
  ContainerArchiveInfo: ['HEAD', '/containers/{name}/archive', 'none', 'none'],
  ContainerArchive: ['GET', '/containers/{name}/archive', 'none', 'stream'],
  PutContainerArchive: ['PUT', '/containers/{name}/archive', 'stream', 'none'],
  ContainerPrune: ['POST', '/containers/prune', 'none', 'json'],
  // exec
  ContainerExec: ['POST', '/containers/{name}/exec', 'json', 'json'],
  ExecStart: ['POST', '/exec/{id}/start', 'json', 'hijack'],
  ExecResize: ['POST', '/exec/{id}/resize', 'none', 'none'],
  ExecInspect: ['GET', '/exec/{id}/json', 'none', 'json'],
  // images
  ImageList: ['GET', '/images/json', 'none', 'json'],
  ImageSearch: ['GET', '/images/search', 'none', 'json'],
  ImageGetAll: ['GET', '/images/get', 'none', 'stream'],
  ImageCreate: ['POST', '/images/create', 'stream', 'progress'],
  ImageLoad: ['POST', '/images/load', 'stream', 'progress'],
  ImagePrune: ['POST', '/images/prune', 'none', 'json'],
  ImageInspect: ['GET', '/images/{name*}/json', 'none', 'json'],
  ImageHistory: ['GET', '/images/{name*}/history', 'none', 'json'],
  ImageGet: ['GET', '/images/{name*}/get', 'none', 'stream'],
  ImageAttestations: ['GET', '/images/{name*}/attestations', 'none', 'json'],
  ImagePush: ['POST', '/images/{name*}/push', 'stream', 'progress'],
  ImageTag: ['POST', '/images/{name*}/tag', 'none', 'none'],
  ImageDelete: ['DELETE', '/images/{name*}', 'none', 'json'],
  ImageBuild: ['POST', '/build', 'stream', 'progress'],
  BuildPrune: ['POST', '/build/prune', 'none', 'json'],
  BuildCancel: ['POST', '/build/cancel', 'none', 'none'],
  ImageCommit: ['POST', '/commit', 'json', 'json'],
  DistributionInspect: ['GET', '/distribution/{name*}/json', 'none', 'json'],
  // system
  SystemAuth: ['POST', '/auth', 'json', 'json'],
  SystemInfo: ['GET', '/info', 'none', 'json'],
  SystemVersion: ['GET', '/version', 'none', 'json'],
  SystemPing: ['GET', '/_ping', 'none', 'text'],
  SystemPingHead: ['HEAD', '/_ping', 'none', 'none'],
  SystemEvents: ['GET', '/events', 'none', 'records'],
  SystemDataUsage: ['GET', '/system/df', 'none', 'json'],
  Session: ['POST', '/session', 'none', 'hijack'],
  Grpc: ['POST', '/grpc', 'none', 'hijack'],
  // volumes and networks
  VolumeList: ['GET', '/volumes', 'none', 'json'],
  VolumeCreate: ['POST', '/volumes/create', 'json', 'json'],
  VolumePrune: ['POST', '/volumes/prune', 'none', 'json'],
  VolumeInspect: ['GET', '/volumes/{name*}', 'none', 'json'],
  VolumeUpdate: ['PUT', '/volumes/{name*}', 'json', 'none'],
  VolumeDelete: ['DELETE', '/volumes/{name*}', 'none', 'none'],
  NetworkList: ['GET', '/networks', 'none', 'json'],
  NetworkCreate: ['POST', '/networks/create', 'json', 'json'],
  NetworkPrune: ['POST', '/networks/prune', 'none', 'json'],
  NetworkConnect: ['POST', '/networks/{name*}/connect', 'json', 'none'],
  NetworkDisconnect: ['POST', '/networks/{name*}/disconnect', 'json', 'none'],
  NetworkInspect: ['GET', '/networks/{name*}', 'none', 'json'],
  NetworkDelete: ['DELETE', '/networks/{name*}', 'none', 'none'],
  // plugins, swarm: from 1.24 on
  PluginList: ['GET', '/plugins', 'none', 'json'],
  PluginPrivileges: ['GET', '/plugins/privileges', 'none', 'json'],
  PluginPull: ['POST', '/plugins/pull', 'json', 'progress'],
  PluginCreate: ['POST', '/plugins/create', 'stream', 'none'],
  PluginInspect: ['GET', '/plugins/{name*}/json', 'none', 'json'],
  PluginEnable: ['POST', '/plugins/{name*}/enable', 'none', 'none'],
  PluginDisable: ['POST', '/plugins/{name*}/disable', 'none', 'none'],
  PluginUpgrade: ['POST', '/plugins/{name*}/upgrade', 'json', 'progress'],
  PluginPush: ['POST', '/plugins/{name*}/push', 'none', 'progress'],
  PluginSet: ['POST', '/plugins/{name*}/set', 'json', 'none'],
  PluginDelete: ['DELETE', '/plugins/{name*}', 'none', 'json'],
  SwarmInspect: ['GET', '/swarm', 'none', 'json'],
  SwarmInit: ['POST', '/swarm/init', 'json', 'json'],
  SwarmJoin: ['POST', '/swarm/join', 'json', 'none'],
  SwarmLeave: ['POST', '/swarm/leave', 'none', 'none'],
  SwarmUpdate: ['POST', '/swarm/update', 'json', 'none'],
  SwarmUnlockKey: ['GET', '/swarm/unlockkey', 'none', 'json'],
  SwarmUnlock: ['POST', '/swarm/unlock', 'json', 'none'],
  NodeList: ['GET', '/nodes', 'none', 'json'],
  NodeInspect: ['GET', '/nodes/{id}', 'none', 'json'],
  NodeDelete: ['DELETE', '/nodes/{id}', 'none', 'none'],
  NodeUpdate: ['POST', '/nodes/{id}/update', 'json', 'none'],
  ServiceList: ['GET', '/services', 'none', 'json'],
  ServiceCreate: ['POST', '/services/create', 'json', 'json'],
  ServiceInspect: ['GET', '/services/{id}', 'none', 'json'],
  ServiceDelete: ['DELETE', '/services/{id}', 'none', 'none'],
  ServiceUpdate: ['POST', '/services/{id}/update', 'json', 'json'],
  ServiceLogs: ['GET', '/services/{id}/logs', 'none', 'stream'],
  TaskList: ['GET', '/tasks', 'none', 'json'],
  TaskInspect: ['GET', '/tasks/{id}', 'none', 'json'],
  TaskLogs: ['GET', '/tasks/{id}/logs', 'none', 'stream'],
  SecretList: ['GET', '/secrets', 'none', 'json'],
  SecretCreate: ['POST', '/secrets/create', 'json', 'json'],
  SecretInspect: ['GET', '/secrets/{id}', 'none', 'json'],
  SecretDelete: ['DELETE', '/secrets/{id}', 'none', 'none'],
  SecretUpdate: ['POST', '/secrets/{id}/update', 'json', 'none'],
  ConfigList: ['GET', '/configs', 'none', 'json'],
  ConfigCreate: ['POST', '/configs/create', 'json', 'json'],
  ConfigInspect: ['GET', '/configs/{id}', 'none', 'json'],
  ConfigDelete: ['DELETE', '/configs/{id}', 'none', 'none'],
  ConfigUpdate: ['POST', '/configs/{id}/update', 'json', 'none'],
} as const satisfies Record<string, Row>

export type OperationName = keyof typeof TABLE

export interface Operation {
  readonly name: OperationName
  readonly method: string
  /** `{name}` is one segment, `{name*}` may contain slashes (image names), `{name**}` may also be empty. */
  readonly path: string
  readonly request: RequestKind
  readonly response: ResponseKind
}

export interface Match {
  readonly operation: Operation
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>
}

interface Route extends Operation {
  readonly pattern: RegExp
  readonly parameter: string | undefined
}

function route(name: OperationName): Route {
  const [method, path, request, response] = TABLE[name]
  const parameter = /\{(\w+)\*{0,2}\}/.exec(path)?.[1]
  const pattern = path
    .replace(/\{\w+\*\*\}/, '(.*)')
    .replace(/\{\w+\*\}/, '(.+)')
    .replace(/\{\w+\}/, '([^/]+)')
  return { name, method, path, request, response, pattern: new RegExp(`^${pattern}$`), parameter }
}

const names = Object.keys(TABLE) as OperationName[]
const routes: readonly Route[] = names.map(route)
const byName = new Map<OperationName, Operation>(routes.map((r) => [r.name, r]))
const fixed = new Map(routes.filter((r) => !r.parameter).map((r) => [`${r.method} ${r.path}`, r]))
/** Parameterised routes by method and first segment: a handful each. */
const withParameter = routes.filter((r) => r.parameter)
const variable = Map.groupBy(withParameter, (r) => `${r.method} ${r.path.split('/')[1]}`)

export const operationNames: readonly OperationName[] = names

export function operationNamed(name: OperationName): Operation {
  const operation = byName.get(name)
  if (operation === undefined) throw new Error(`no operation is called ${name}`)
  return operation
}

/** The operations that a pattern names: one, or several (`Container*`). */
export function operationsLike(pattern: string): readonly OperationName[] {
  const expression = new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`)
  return operationNames.filter((name) => expression.test(name))
}

/** The operations of names and patterns, separated by spaces. Throws on an unknown name. */
export function operationsNamed(patterns: string): readonly OperationName[] {
  const like = (text: string) =>
    text.includes('*') ? operationsLike(text) : operationNamed(text as OperationName).name
  const all = new Set(words(patterns).flatMap(like))
  return operationNames.filter((name) => all.has(name))
}

export const isOperationName = (name: string): name is OperationName => byName.has(name as OperationName)

/**
 * Operations that use at least the last of these versions that the engine serves. Below 1.52, engines from 29.0 on lose
 * precision in an event's nanoseconds (system_routes.go:backFillLegacy; seen on 29.8). Below the others, engines drop
 * members of a service that an update has to keep (swarm/helpers.go:adjustForAPIVersion @docker-v29.7.2).
 */
export const askedAtLeast: Partial<Record<OperationName, readonly ApiVersion[]>> = {
  SystemEvents: [apiVersion(52)],
  ServiceUpdate: [40, 41, 44, 46, 52].map(apiVersion),
}

/** Updates that replace a whole object, each with the operation that shows it. */
export const shownBefore: Partial<Record<OperationName, OperationName>> = {
  ServiceUpdate: 'ServiceInspect',
  SwarmUpdate: 'SwarmInspect',
  SecretUpdate: 'SecretInspect',
  ConfigUpdate: 'ConfigInspect',
}

const none: Readonly<Record<string, string>> = Object.freeze({})

/**
 * The operation of `method path`, or undefined. The path has neither version prefix nor query and is percent-decoded,
 * because engines decode before they route (net/http URL.Path, gorilla/mux).
 */
export function findOperation(method: string, path: string): Match | undefined {
  const exact = fixed.get(`${method} ${path}`)
  if (exact !== undefined) return { operation: exact, params: none }
  const end = path.indexOf('/', 1)
  for (const candidate of variable.get(`${method} ${path.slice(1, end === -1 ? undefined : end)}`) ?? []) {
    const found = candidate.pattern.exec(path)
    if (found?.[1] !== undefined && candidate.parameter !== undefined)
      return { operation: candidate, params: { [candidate.parameter]: found[1] } }
  }
  return undefined
}
