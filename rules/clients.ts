import type { OperationName } from '../src/api/operations.ts'
import { type ApiVersion, apiVersion, isOlder } from '../src/api/version.ts'

/** A program that works only if it is told another version than the engine's, or served at another than it requests. */
export interface KnownClient {
  readonly name: string
  /** The product in its User-Agent, in lower case: `docker-compose` in `docker-compose/1.29.2 docker-py/5.0.3`. */
  readonly agent: string
  /** Only releases below this one; default: all releases, and User-Agents without one. */
  readonly before?: readonly number[]
  /** Only releases from this one on. */
  readonly from?: readonly number[]
  /** The newest version whose answers it reads correctly. */
  readonly understands?: ApiVersion
  /** The bridge announces the version but serves calls at the one they request: other programs send this User-Agent, too. */
  readonly onlyTold?: true
  /** The oldest version that it supports. For an older engine the bridge announces `instead`, or this version. */
  readonly needs?: ApiVersion
  readonly instead?: ApiVersion
  /** Older calls of these operations are served at this version: it pins one that is older than the types it reads. */
  readonly served?: Readonly<Partial<Record<OperationName, ApiVersion>>>
  /** Calls of these operations without a version are served at this one at most: the program reads members that newer ones lack. */
  readonly unversioned?: Readonly<Partial<Record<OperationName, ApiVersion>>>
  /** It pins a version older than its library, whose newer members pass where engines obey and show them at every version. */
  readonly newerFields?: 'obeyed'
  readonly reason: string
  readonly see: string
  /** A User-Agent that it sends. */
  readonly example: string
}

/** The version to announce instead of `highest`; undefined if the client supports `highest`. */
export function toldInstead(client: KnownClient, highest: ApiVersion): ApiVersion | undefined {
  const { understands, needs, instead = needs } = client
  if (understands !== undefined && isOlder(understands, highest)) return understands
  return needs !== undefined && isOlder(highest, needs) ? instead : undefined
}

/** The version at which a call is served. `asked`: the one it requests or, with `requestsNone`, the one it gets by default. */
export function servedAs(
  { served, unversioned }: KnownClient,
  operation: OperationName | undefined,
  asked: ApiVersion,
  requestsNone: boolean,
): ApiVersion {
  if (operation === undefined) return asked
  const least = served?.[operation]
  if (least !== undefined && isOlder(asked, least)) return least
  const most = requestsNone ? unversioned?.[operation] : undefined
  return most !== undefined && isOlder(most, asked) ? most : asked
}

/**
 * How a call's newer members are treated. /version has none of them: go-dockerclient of June 2014 to June 2015 reads it before
 * each call, as a map of strings (client.go @2c14527, @fa72cda).
 */
export const newerFieldsIn = ({ newerFields }: KnownClient, operation: OperationName | undefined): 'obeyed' | 'drop' =>
  operation === 'SystemVersion' ? 'drop' : (newerFields ?? 'drop')

/** With `auto` docker-py takes the version from /version; its release names the version it was made for. */
const docker_py = (
  agent: 'docker-py' | 'docker-sdk-python',
  before: readonly number[],
  minor: number,
  last: string,
): KnownClient => ({
  name: `docker-py before ${before.join('.')}`,
  agent,
  before,
  understands: apiVersion(minor),
  newerFields: 'obeyed',
  reason: `was made for 1.${minor}; with "auto" it speaks the engine's highest`,
  see: `docker-py ${last}: docker/constants.py (DEFAULT_DOCKER_API_VERSION) and the newest version that its code asks for`,
  example: `${agent}/${last}`,
})

/** A program that reads the address of a container where 1.52 no longer has it (moby #50846). */
const readsAddress = (
  row: Pick<KnownClient, 'name' | 'agent' | 'before' | 'see' | 'example'>,
  more = '',
): KnownClient => ({
  ...row,
  understands: apiVersion(51),
  reason: `reads the address of a container from NetworkSettings.IPAddress, which 1.52 no longer has${more}`,
  see: `${row.see}; moby #50846`,
})

/**
 * Engines send these at every version: booleans in info from 1.7 on (the library fails on numbers), Action and Actor of events
 * from 1.10 on (Traefik 1 and ECS's agent, at 1.21, wait for them), and exit codes from 1.11 on (`docker run` ends with it).
 */
const AS_NEW_AS_ITS_LIBRARY = {
  served: { SystemInfo: apiVersion(19), SystemEvents: apiVersion(23) },
  newerFields: 'obeyed',
} as const

/**
 * Programs that request no version read VirtualSize and ContainerConfig of images, which are gone from 1.44 and 1.45 on, and
 * the first of RepoTags, which is `<none>:<none>` only up to 1.42:
 * metricbeat v6.2: metricbeat/module/docker (go-dockerclient; image.size.virtual); cadvisor v0.37.1, zabbix agent 2.
 */
const OLD_IMAGES = {
  unversioned: { ImageList: apiVersion(42), ImageInspect: apiVersion(42), SystemDataUsage: apiVersion(42) },
} as const

/** 1.52 has no NetworkSettings.IPAddress, and no status, id and from of events. */
const BEFORE_52 = {
  unversioned: { ...OLD_IMAGES.unversioned, ContainerInspect: apiVersion(51), SystemEvents: apiVersion(51) },
} as const

/** From 1.45 on the IPAM of networks without a subnet of their own has null in place of an empty list. */
const OLD_NETWORKS = { NetworkList: apiVersion(44), NetworkInspect: apiVersion(44) } as const

/** The first matching row applies. Most clients that pin a version, or negotiate up to their own, need none. */
export const knownClients: readonly KnownClient[] = [
  {
    name: 'Docker Compose 1',
    agent: 'docker-compose',
    before: [2],
    understands: apiVersion(43),
    reason: 'reads ContainerConfig of an image, which newer versions do not have: KeyError',
    see: 'docker/compose 1.29.2: compose/service.py (get_container_data_volumes), compose/cli/utils.py (generate_user_agent)',
    example: 'docker-compose/1.29.2 docker-py/5.0.3 Linux/6.1.0',
  },
  {
    name: 'docker-py before 1.9',
    agent: 'python-requests',
    understands: apiVersion(22),
    onlyTold: true,
    newerFields: 'obeyed',
    reason:
      'was made for 1.22 at most, and sends the User-Agent of its HTTP library; with "auto" it speaks the engine\'s highest',
    see: 'docker-py 1.2.3 to 1.8.1: docker/client.py (no User-Agent before 1.9.0); airflow 1.9, dd-agent 5.8 (docker-py 1.3.1)',
    example: 'python-requests/2.22.0',
  },
  {
    name: 'aiodocker until 2023',
    agent: 'aiohttp',
    before: [3, 9],
    understands: apiVersion(43),
    onlyTold: true,
    newerFields: 'obeyed',
    reason:
      'sends the User-Agent of its HTTP library, whose releases before 3.9 are older than 1.44; with "auto" it speaks the engine\'s highest',
    see: 'aiodocker v0.21.0: aiodocker/docker.py (_check_version), tests/test_integration.py (PublishAllPorts beside HostConfig)',
    example: 'Python/3.11 aiohttp/3.8.4',
  },
  docker_py('docker-py', [1, 10], 22, '1.9.0'),
  docker_py('docker-py', [2], 24, '1.10.6'),
  docker_py('docker-sdk-python', [3], 31, '2.7.0'),
  docker_py('docker-sdk-python', [4], 35, '3.7.3'),
  docker_py('docker-sdk-python', [5], 40, '4.4.4'),
  docker_py('docker-sdk-python', [7, 1], 41, '6.1.3'),
  docker_py('docker-sdk-python', [7, 2], 44, '7.1.0'),
  {
    name: 'docker-py',
    agent: 'docker-sdk-python',
    newerFields: 'obeyed',
    reason: 'may serve a program that pins an old version and makes containers again from what inspect shows',
    see: 'ouroboros 1.4.3: pyouroboros/helpers.py (set_properties; 1.35)',
    example: 'docker-sdk-python/7.2.0',
  },
  {
    name: 'Ansible (community.docker)',
    agent: 'ansible-community.docker',
    newerFields: 'obeyed',
    reason:
      'reads and sends newer members where a playbook pins an old api_version: without them it makes containers again',
    see: 'community.docker 5.2: plugins/module_utils/_api/constants.py, plugins/module_utils/_module_container/docker_api.py',
    example: 'ansible-community.docker',
  },
  {
    name: 'Kitematic',
    agent: 'kitematic',
    ...BEFORE_52,
    reason:
      'requests no version, and reads the first of RepoTags, and status and id of events, which newer versions may lack: these calls are served at older ones',
    see: 'kitematic v0.17.13: src/utils/DockerUtil.js (fetchAllImages, listen)',
    example: 'kitematic',
  },
  {
    ...readsAddress({
      name: 'docker-maven-plugin (Apache HttpClient 4)',
      agent: 'apache-httpclient',
      before: [5],
      see: 'fabric8io/docker-maven-plugin #1887 (up to 0.47.0), which has no User-Agent of its own',
      example: 'Apache-HttpClient/4.5.13 (Java/17.0.9)',
    }),
    ...OLD_IMAGES,
  },
  {
    ...readsAddress(
      {
        name: 'docker-java (Apache HttpClient 5)',
        agent: 'apache-httpclient',
        see: 'docker-java 3: InspectContainerResponse.NetworkSettings, DefaultDockerClientConfig (no version: calls without a prefix); testcontainers-java: DockerClientProviderStrategy (1.32), OllamaContainer; jenkinsci/docker-plugin 1.2.6: DockerTemplate.getEffectiveRemoteFs',
        example: 'Apache-HttpClient/5.0.3 (Java/17.0.9)',
      },
      '; Testcontainers pins 1.32 and asks for GPUs (DeviceRequests), Jenkins reads the working directory of an image from ContainerConfig',
    ),
    ...OLD_IMAGES,
    newerFields: 'obeyed',
  },
  {
    ...readsAddress(
      {
        name: 'docker-client for Java (Jersey)',
        agent: 'jersey',
        see: 'eclipse-linuxtools #575 (org.mandas.docker-client); spotify/docker-client v8.16.0: messages/Image.java, messages/ImageInfo.java; v7.0.2, v8.8.2: messages/Ipam.java',
        example: 'Jersey/2.22.2 (Apache HttpClient 4.5)',
      },
      '; Spotify’s reads no image without VirtualSize, Container and ContainerConfig, and from 7.0.0 to 8.8.2 no network without IPAM.Config: its calls have no prefix unless a program asks for one',
    ),
    unversioned: { ...OLD_IMAGES.unversioned, ...OLD_NETWORKS },
  },
  {
    name: 'Docker.DotNet',
    agent: 'docker.dotnet',
    unversioned: { ...BEFORE_52.unversioned, ...OLD_NETWORKS },
    newerFields: 'obeyed',
    reason:
      'requests no version unless a program asks for one, and reads sizes, names and settings of images, IPAM.Config of networks, addresses of containers and the status of events, which newer versions may lack',
    see: 'dotnet/Docker.DotNet v3.125.15: DockerClient.cs (UserAgent), Models/ImagesListResponse, ImageInspectResponse, NetworkSettings, Message',
    example: 'Docker.DotNet',
  },
  {
    ...readsAddress(
      {
        name: 'go-dockerclient',
        agent: 'go-dockerclient',
        see: 'fsouza/go-dockerclient client.go (userAgent), container.go (NetworkSettings), misc.go (DockerInfo)',
        example: 'go-dockerclient',
      },
      '; its calls have no prefix unless a program asks for one',
    ),
    ...AS_NEW_AS_ITS_LIBRARY,
    ...OLD_IMAGES,
  },
  {
    name: 'docker command line 29',
    agent: 'docker-client',
    from: [29],
    needs: apiVersion(44),
    reason: 'refuses engines whose highest version is below 1.44',
    see: 'moby v29.0: client/client.go (MinAPIVersion), client/ping.go (negotiateAPIVersion)',
    example: 'Docker-Client/29.0.0 (linux)',
  },
  {
    name: 'docker command line',
    agent: 'docker-client',
    needs: apiVersion(24),
    // Below 1.25 releases up to 20.10 send the User-Agent of any Go program.
    instead: apiVersion(44),
    reason:
      'ends an attached run with 125 on engines up to 1.10: it reads the exit code from events, which have one from 1.23 on',
    see: 'docker/cli cli/command/container/utils.go: legacyWaitExitOrRemoved; moby v20.10 client/request.go:addHeaders; from 28 on it refuses what is below 1.24',
    example: 'Docker-Client/20.10.24 (linux)',
  },
  {
    name: 'Traefik up to 1.3',
    agent: 'traefik',
    ...AS_NEW_AS_ITS_LIBRARY,
    reason:
      'pins 1.21 and waits for Action in events; its library, engine-api, sends its own User-Agent below 1.25, too, and that of later releases does not',
    see: 'traefik v1.3.8: provider/docker/docker.go (httpHeaders, startStopHandle); docker/engine-api v0.4.0 client/request.go; moby client/request.go (addHeaders) @v1.13.0',
    example: 'Traefik v1.3.8',
  },
  {
    name: 'program with engine-api',
    agent: 'engine-api-cli-1.0',
    ...AS_NEW_AS_ITS_LIBRARY,
    reason:
      'may pin a version older than its library, as Go programs do that name no User-Agent: this one is that of the library’s documentation',
    see: 'docker/engine-api v0.4.0: README.md, client/request.go; local-persist v1.3.0: driver.go (1.21)',
    example: 'engine-api-cli-1.0',
  },
  {
    name: 'docker-api (Ruby)',
    agent: 'swipely',
    ...AS_NEW_AS_ITS_LIBRARY,
    ...BEFORE_52,
    reason:
      'pinned 1.16 from 2015 to 2018 and went on to newer calls and members: it waits for a single record of statistics; since 2.0 its calls have no prefix',
    see: 'swipely/docker-api v1.20.0 to v1.34.2: lib/docker/version.rb, lib/docker/container.rb (stats), lib/docker/event.rb; v2.2.0: spec/docker/image_spec.rb (CpuShares beside HostConfig, VirtualSize)',
    example: 'Swipely/Docker-API 1.34.2',
  },
  {
    // Go 1.4, the last before engine 1.7, sent `Go 1.1 package http`.
    name: 'Go program',
    agent: 'go-http-client',
    ...AS_NEW_AS_ITS_LIBRARY,
    ...BEFORE_52,
    reason:
      'may pin a version older than its library, whose members it reads and sends at that version too: engines obey and show them',
    see: 'telegraf v1.14: plugins/inputs/docker/client.go (1.21; counts of containers, health); watchtower v1.4: internal/flags (1.25), pkg/container/client.go (makes containers again from what inspect shows); traefik v1.7: provider/docker (DockerAPIVersion = "1.21"); amazon-ecs-agent 1.60; gitlab-runner up to 11.8: executors/docker/consts.go, helpers/docker/official_docker_client.go; docker/docker api/types/types.go (Info) @v1.13.1; cadvisor v0.30.0 to v0.37.1: container/docker/client.go (no version), handler.go (ipAddress)',
    example: 'Go-http-client/1.1',
  },
]
