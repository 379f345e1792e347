/** A call of a client, and a part of the answer that the client reads. */
export interface FirstCall {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'DELETE'
  /** `{api}` is the version that the client speaks, `{id}` the last `Id` that it was given. */
  readonly path: string
  readonly json?: object
  readonly status?: number
  readonly has?: string
}

export interface FirstCalls {
  /** The version that it pins, or negotiates at most; without one, its calls have no prefix unless `version` says one. */
  readonly speaks?: string
  readonly agent?: string
  readonly calls: readonly FirstCall[]
}

const get = (path: string, has: string, status = 200): FirstCall => ({ method: 'GET', path, has, status })
const ping: FirstCall = { method: 'HEAD', path: '/_ping', has: '"api-version":"1.51"' }
const create = (json: object, has: string): FirstCall => ({
  method: 'POST',
  path: '/v{api}/containers/create',
  json: { Image: 'busybox', Cmd: ['true'], ...json },
  status: 201,
  has,
})
const remove: FirstCall = { method: 'DELETE', path: '/v{api}/containers/{id}?force=1', status: 204 }
const SOCKET = '/var/run/docker.sock:/var/run/docker.sock'
/** The builder's container has the bridge's socket in place of the engine's. */
const builder = create({ HostConfig: { Binds: [SOCKET], SecurityOpt: ['label=disable'] } }, "the engine's socket")
const filter = (filters: object): string => encodeURIComponent(JSON.stringify(filters))

/** The first calls of the client of each example, from its source and from the versions in error texts that people reported. */
export const firstCalls: Readonly<Record<string, FirstCalls>> = {
  // spring-boot 3: buildpack/platform/docker/DockerApi.java (API_VERSION, getApiVersion), build/Lifecycle.java
  'build-image': {
    speaks: '1.24',
    calls: [ping, get('/v1.24/images/busybox/json', '"Id"'), builder, remove],
  },
  // docker/cli 28: `docker run` without a terminal
  ci: { speaks: '1.51', calls: [ping, create({ HostConfig: {} }, '"Id"'), remove] },
  // docker/compose 1.29.2: cli/docker_client.py (get_client, version 'auto'), service.py (containers)
  'compose-v1': {
    speaks: '1.43',
    agent: 'docker-compose/1.29.2 docker-py/5.0.3 Linux/6.1.0',
    calls: [get('/version', '"ApiVersion":"1.43"'), get('/v{api}/containers/json?limit=-1&all=1&size=0', '"Names"')],
  },
  // amir20/dozzle: internal/docker/client.go (NewLocalClient); its texts name 1.41 (#4265)
  dozzle: {
    speaks: '1.41',
    calls: [
      ping,
      get('/v{api}/info', '"NCPU"'),
      get('/v{api}/version', '"Components"'),
      get('/v{api}/containers/json?all=1', '"Names"'),
      get('/v{api}/containers/{container}/json', '"Created"'),
      get('/v{api}/containers/{container}/logs?stdout=1&stderr=1&timestamps=1&tail=100', ''),
    ],
  },
  // drone-runners/drone-runner-docker: engine/engine.go (NewEnv, Setup, create, Destroy); docker/engine of 2020-03 (go.mod)
  drone: {
    speaks: '1.40',
    calls: [
      ping,
      { method: 'POST', path: '/v1.40/volumes/create', json: { Name: 'drone-vol', Driver: 'local' }, status: 201 },
      { method: 'POST', path: '/v1.40/networks/create', json: { Name: 'drone-net', Driver: 'bridge' }, status: 201 },
      create({ HostConfig: { Binds: ['drone-vol:/drone/src'] } }, '"Id"'),
      remove,
      { method: 'DELETE', path: '/v1.40/volumes/drone-vol?force=1', status: 204 },
      { method: 'DELETE', path: '/v1.40/networks/drone-net', status: 204 },
    ],
  },
  // gitlab-org/gitlab-runner 16: executors/docker/docker.go (connectDocker, getPrebuiltImage); its texts name 1.42
  'gitlab-runner': {
    speaks: '1.42',
    calls: [
      ping,
      get('/v{api}/info', '"OSType":"linux"'),
      get('/v{api}/version', '"ApiVersion"'),
      get('/v{api}/images/gitlab-runner-helper:nosuch/json', 'No such image', 404),
    ],
  },
  // jenkinsci/docker-plugin: DockerAPI.java (versionCmd), DockerCloud.java (listContainersCmd); docker-java without a version
  jenkins: {
    agent: 'Apache-HttpClient/5.4 (Java/21.0.5)',
    calls: [
      get('/version', '"ApiVersion":"1.51"'),
      get(`/containers/json?filters=${filter({ label: ['com.nirima.jenkins.plugins.docker.JenkinsId=x'] })}`, '[]'),
    ],
  },
  // jesseduffield/lazydocker 0.23: pkg/commands/docker.go (APIVersion), container.go, image.go, network.go, volume.go
  lazydocker: {
    speaks: '1.25',
    calls: [
      get('/v1.25/containers/json?all=1', '"Names"'),
      get('/v1.25/containers/{container}/json', '"State"'),
      get('/v1.25/images/json', '"VirtualSize"'),
      get('/v1.25/networks', '"Containers"'),
      get('/v1.25/volumes', '"Volumes"'),
    ],
  },
  // buildpacks/pack 0.38: pkg/client/client.go (1.38), build.go (Info), internal/build/phase_config_provider.go
  pack: {
    speaks: '1.38',
    calls: [get('/v1.38/info', '"OSType":"linux"'), get('/v1.38/images/busybox/json', '"Id"'), builder, remove],
  },
  // portainer/portainer 2.33: api/docker/client, api/docker/snapshot.go; its texts name 1.41
  portainer: {
    speaks: '1.41',
    calls: [
      ping,
      get('/v1.41/info', '"ServerVersion"'),
      get('/v1.41/containers/json?all=1', '"Names"'),
      get('/v1.41/images/json', '"VirtualSize"'),
      get('/v1.41/volumes', '"Volumes"'),
      get('/v1.41/networks', '"Containers"'),
      get('/v1.41/version', '"ApiVersion"'),
    ],
  },
  // containers/image 5.29: docker/daemon/client.go (defaultAPIVersion), daemon_src.go (ImageSave)
  skopeo: { speaks: '1.22', calls: [get('/v1.22/images/get?names=busybox%3Alatest', 'manifest.json')] },
  // influxdata/telegraf 1.21: plugins/inputs/docker/client.go (version), docker.go (Gather)
  telegraf: {
    speaks: '1.21',
    agent: 'engine-api-cli-1.0',
    calls: [
      get('/v1.21/info', '"NCPU"'),
      get(`/v1.21/containers/json?filters=${filter({ status: { running: true } })}&limit=0`, '"Names"'),
      get('/v1.21/containers/{container}/stats?stream=0', '"cpu_stats"'),
      get('/v1.21/containers/{container}/json', '"Env"'),
    ],
  },
  // kreuzwerker/terraform-provider-docker 3.0.2: internal/provider/config.go (NewClient), resource_docker_image_funcs.go
  terraform: {
    speaks: '1.41',
    calls: [ping, get('/v{api}/version', '"ApiVersion"'), get('/v{api}/images/json', '"Id"')],
  },
  // traefik 3.6.0: pkg/provider/docker (config.go: DockerAPIVersion, pdocker.go)
  traefik: {
    speaks: '1.24',
    calls: [
      get('/v1.24/version', '"ApiVersion"'),
      get('/v1.24/containers/json?limit=0', '"Names"'),
      get('/v1.24/containers/{container}/json', '"NetworkSettings"'),
    ],
  },
  // containrrr/watchtower 1.7: internal/flags (1.25), pkg/container/client.go (ListContainers, GetContainer)
  watchtower: {
    speaks: '1.25',
    calls: [
      get(`/v1.25/containers/json?filters=${filter({ status: { running: true } })}`, '"Names"'),
      get('/v1.25/containers/{container}/json', '"HostConfig"'),
      get('/v1.25/images/busybox/json', '"ContainerConfig"'),
    ],
  },
}
