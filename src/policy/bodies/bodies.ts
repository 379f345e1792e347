import { VOLUME_NAME } from '../../api/engine-facts.ts'
import { ProxyError } from '../../api/errors.ts'
import { readAsGo } from '../../api/json/read.ts'
import type { OperationName } from '../../api/operations.ts'
import type { Bodies } from '../file/rules.ts'
import { Judge, read } from '../judge.ts'
import type { Read } from '../outgoing.ts'
import { judgeBuild } from './builds.ts'
import { judgeHostConfig, judgeMembersBeside, judgeNamespace } from './host-config.ts'
import { judgeImage, withTag } from './images.ts'
import { Members, Violation } from './members.ts'
import { judgeDriver, judgeVolumes } from './mounts.ts'
import { judgeNetwork } from './networks.ts'
import { judgeService } from './service.ts'

type ByBody = (judge: Judge, body: Members) => void
type ByQuery = (judge: Judge, query: URLSearchParams, params: Readonly<Record<string, string>>) => void

/**
 * The HostConfig of a body, and its members beside it, which engines up to 20.10 accept too (runconfig/config_unix.go,
 * ContainerConfigWrapper).
 */
function judgeHostConfigs(judge: Judge, body: Members): void {
  judgeMembersBeside(judge, body)
  judgeHostConfig(judge, read.object(body.get('HostConfig'), 'HostConfig'))
}

/** Operations judged by their bodies. */
const BODIES: Partial<Record<OperationName, ByBody>> = {
  ContainerCreate: (judge, body) => {
    judgeImage(judge, read.text(body.get('Image'), 'Image'))
    judgeHostConfigs(judge, body)
    judgeVolumes(judge, read.object(body.get('Volumes'), 'Volumes'))
    const networking = read.object(body.get('NetworkingConfig'), 'NetworkingConfig')
    const endpoints = read.object(networking?.get('EndpointsConfig'), 'EndpointsConfig')
    for (const [network] of endpoints?.entries ?? [])
      judgeNamespace(judge, 'network', network, 'a network of NetworkingConfig')
  },
  ContainerStart: (judge, body) => {
    if (body.get('HostConfig') === undefined) judgeHostConfig(judge, body)
    else judgeHostConfigs(judge, body)
  },
  ContainerUpdate: judgeHostConfig,
  ContainerExec: (judge, body) => {
    if (read.flag(body.get('Privileged'))) judge.deny('privileged', 'the exec is privileged')
  },
  ContainerCopy: (judge, body) => judge.containerPath(read.text(body.get('Resource'), 'Resource')),
  NetworkCreate: judgeNetwork,
  VolumeCreate: (judge, body) => judgeDriver(judge, body.get('Driver'), body.get('DriverOpts')),
  ServiceCreate: judgeService,
  ServiceUpdate: judgeService,
}

const archive: ByQuery = (judge, query) => {
  for (const path of one(query, 'path')) judge.containerPath(path)
}
const makesImages: ByQuery = (judge) => judge.deny('new-images', 'the new image could contain anything')
const plugins: ByQuery = (judge) => judge.deny('plugins', 'a plugin can control the host')
const swarm: ByQuery = (judge) => judge.deny('swarm', 'a swarm manager decides what its nodes run')

/** Operations judged by query and path. */
const QUERIES: Partial<Record<OperationName, ByQuery>> = {
  ContainerArchive: archive,
  ContainerArchiveInfo: archive,
  PutContainerArchive: archive,
  ContainerExport: (judge) => judge.deny('container-paths', 'an export contains all paths'),
  // Restores processes from files of the host (engines with experimental features).
  ContainerStart: (judge, query) => {
    for (const folder of query.getAll('checkpoint-dir'))
      if (folder !== '') judge.hostPath(folder, false, 'checkpoint-dir')
    for (const name of query.getAll('checkpoint'))
      if (name !== '' && !VOLUME_NAME.test(name)) judge.hostPath(name, false, 'checkpoint')
  },
  ImageBuild: (judge, query, params) => {
    judgeBuild(judge, query)
    for (const mode of query.getAll('networkmode')) judgeNamespace(judge, 'network', mode, 'networkmode')
    if (query.getAll('cgroupparent').some((parent) => parent !== ''))
      judge.deny('cgroup-parent', 'the parameter cgroupparent of a build')
    for (const option of query.getAll('securityopt'))
      if (!['', '[]', 'null'].includes(option)) judge.unlessListed('security-opts', option, `securityopt ${option}`)
    makesImages(judge, query, params)
  },
  ImageLoad: makesImages,
  ImageCommit: makesImages,
  ImageCreate: (judge, query, params) => {
    for (const source of query.getAll('fromsrc').filter((one) => one !== '')) {
      makesImages(judge, query, params)
      // Podman reads anything but a URL from the host: files, divided by colons (common, libimage/import.go).
      if (source !== '-' && !/^[a-z]+:\/\//i.test(source))
        for (const path of source.split(':')) judge.hostPath(path, true, 'fromSrc')
    }
    const [tag = ''] = one(query, 'tag')
    for (const name of one(query, 'fromimage')) judgeImage(judge, tag === '' ? name : withTag(name, tag))
  },
  // Podman writes to the host: `dir:/etc`, `docker-archive:/etc/x` (common, libimage/push.go).
  ImagePush: (judge, query) => {
    if (query.getAll('destination').some((place) => place !== ''))
      judge.deny('host-mounts', 'the destination of a push, which may be a place on the host')
  },
  // The new name would be trusted from then on, so the source must be listed as well.
  ImageTag: (judge, _query, { name = '' }) => judgeImage(judge, name),
  // The engine takes what the service was before, not the body.
  ServiceUpdate: (_judge, query) => {
    if (query.getAll('rollback').some((way) => way !== '' && way !== 'none'))
      throw new Violation('unreadable', 'a rollback brings back a service that cannot be judged')
  },
  NetworkConnect: (judge, _query, { name = '' }) => judgeNamespace(judge, 'network', name, 'the network'),
  // h2c to BuildKit: its calls cannot be inspected.
  Grpc: (judge) => judge.deny('buildkit', 'calls to BuildKit over /grpc cannot be judged'),
  PluginPull: plugins,
  PluginCreate: plugins,
  PluginUpgrade: plugins,
  PluginSet: plugins,
  PluginEnable: plugins,
  // The plugin may be an authorization plugin.
  PluginDisable: plugins,
  PluginDelete: plugins,
  SwarmInit: swarm,
  SwarmJoin: swarm,
  SwarmUpdate: swarm,
  SwarmInspect: swarm, // contains the join token of managers
  SwarmUnlockKey: swarm,
  NodeUpdate: swarm, // can promote a node to manager
}

/** Docker uses the first of repeated parameters, Podman the last: allow only one. */
function one(query: URLSearchParams, name: string): readonly string[] {
  const values = query.getAll(name)
  if (values.length > 1) throw new Violation('ambiguous', `the parameter ${name} is given ${values.length} times`)
  return values.filter((value) => value !== '')
}

/** Whether any rules judge the body of an operation. */
export const hasBodyRules = (operation: OperationName): boolean => BODIES[operation] !== undefined

/** Returns the first violated rule on bodies. */
export function judgeRequest(bodies: Bodies, request: Read): Violation | undefined {
  if (bodies.size === 0) return undefined
  try {
    judge(new Judge(bodies), request)
    return undefined
  } catch (cause) {
    if (cause instanceof Violation) return cause
    if (cause instanceof ProxyError) return new Violation('unreadable', cause.message) // JSON too deep or too large
    throw cause
  }
}

function judge(judging: Judge, { match, query, unclearQuery, body }: Read): void {
  if (match === undefined) return
  const { name } = match.operation
  const byQuery = QUERIES[name]
  if (byQuery !== undefined && unclearQuery !== undefined) throw new Violation('ambiguous', unclearQuery)
  byQuery?.(judging, query, match.params)
  const byBody = BODIES[name]
  if (byBody === undefined || body === undefined) return
  if (body === 'streamed') throw new Violation('unreadable', 'the body was not read')
  if (body.length > 0) byBody(judging, bodyMembers(body))
}

/** The body as Go decodes it to a struct; null leaves it empty. */
function bodyMembers(body: Buffer): Members {
  const { value, ambiguous, rest } = readAsGo(body.toString())
  if (value === undefined || rest !== '') throw new Violation('unreadable', 'the body is not JSON')
  // Unreachable after a translation, which rewrites such bodies (src/proxy/engine-side/engine-request.ts).
  if (ambiguous) throw new Violation('ambiguous', 'the body has a member twice')
  return read.object(value, 'the body') ?? new Members({})
}
