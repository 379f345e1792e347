import { ANY, type Row, type Source } from './row.ts'

const ALL = ['1.19', '1.21', '1.22']
const FROM_2 = ['1.21', '1.22']
const ONLY_3 = ['1.22']

/** Inspect shows `members` for a container that was created with `made`. */
const shown = (test: string, made: object, members: Row['members'], ages: readonly string[] = ALL): Row => ({
  ...{ test, given: 'created', made, asks: 'GET /containers/{c}/json', status: 200, ages },
  ...(members === undefined ? {} : { members }),
})

/** A NotFoundException, which is a 404. */
const notFound = (test: string, asks: string, ages: readonly string[] = ALL, body?: object): Row => ({
  ...{ test, asks, status: 404, ages },
  ...(body === undefined ? {} : { body }),
})

const host = (settings: object): object => ({ HostConfig: settings })

/** Assertions of docker-java's integration tests, at the API version that was the newest at each release. */
export const dockerJava: Source = {
  name: 'docker-java src/test/java/…/core/command',
  tags: { '1.19': 'docker-java-1.4.0', '1.21': 'docker-java-2.1.4', '1.22': 'docker-java-3.0.0' },
  rows: [
    shown('createContainerWithVolume', { Volumes: { '/var/log': {} } }, { 'Config.Volumes./var/log': ANY }),
    shown(
      'createContainerWithVolume',
      { Volumes: { '/var/log': {} } },
      { 'Mounts.0.Destination': '/var/log', 'Mounts.0.Mode': '', 'Mounts.0.RW': true },
      FROM_2,
    ),
    shown('createContainerWithEnv', { Env: ['VARIABLE=success'] }, { 'Config.Env.0': 'VARIABLE=success' }),
    shown('createContainerWithHostname', { Hostname: 'docker-java' }, { 'Config.Hostname': 'docker-java' }),
    shown('createContainerWithName', {}, { Name: '/{c}' }),
    shown('createContainerWithCapAddAndCapDrop', host({ CapAdd: ['NET_ADMIN'], CapDrop: ['MKNOD'] }), {
      'HostConfig.CapAdd': 'NET_ADMIN',
      'HostConfig.CapDrop': 'MKNOD',
    }),
    shown('createContainerWithDns', host({ Dns: ['8.8.8.8', '8.8.4.4'] }), { 'HostConfig.Dns': '8.8.8.8,8.8.4.4' }),
    shown('createContainerWithEntrypoint', { Entrypoint: ['sleep', '9999'] }, { 'Config.Entrypoint': 'sleep,9999' }),
    shown('createContainerWithExtraHosts', host({ ExtraHosts: ['dockerhost:127.0.0.1', 'otherhost:10.0.0.1'] }), {
      'HostConfig.ExtraHosts': 'dockerhost:127.0.0.1,otherhost:10.0.0.1',
    }),
    shown(
      'createContainerWithDevices',
      host({ Devices: [{ PathOnHost: '/dev/zero', PathInContainer: '/dev/nulo', CgroupPermissions: 'rwm' }] }),
      {
        'HostConfig.Devices.0.PathOnHost': '/dev/zero',
        'HostConfig.Devices.0.PathInContainer': '/dev/nulo',
        'HostConfig.Devices.0.CgroupPermissions': 'rwm',
      },
    ),
    shown(
      'createContainerWithPortBindings',
      {
        ExposedPorts: { '22/tcp': {}, '23/tcp': {} },
        ...host({ PortBindings: { '22/tcp': [{ HostPort: '11022' }], '23/tcp': [{ HostPort: '11023' }] } }),
      },
      {
        'Config.ExposedPorts.22/tcp': ANY,
        'Config.ExposedPorts.23/tcp': ANY,
        'HostConfig.PortBindings.22/tcp.0.HostPort': '11022',
        'HostConfig.PortBindings.23/tcp.0.HostPort': '11023',
      },
    ),
    shown('createContainerWithRestartPolicy', host({ RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 5 } }), {
      'HostConfig.RestartPolicy.Name': 'on-failure',
      'HostConfig.RestartPolicy.MaximumRetryCount': 5,
    }),
    shown('createContainerWithPidMode', host({ PidMode: 'host' }), { 'HostConfig.PidMode': 'host' }, FROM_2),
    shown('createContainerWithNetworkMode', host({ NetworkMode: 'host' }), { 'HostConfig.NetworkMode': 'host' }),
    shown(
      'createContainerWithMacAddress',
      { MacAddress: '00:80:41:ae:fd:7e' },
      { 'Config.MacAddress': '00:80:41:ae:fd:7e' },
    ),
    shown('createContainerWithULimits', host({ Ulimits: [{ Name: 'nproc', Soft: 709, Hard: 1026 }] }), {
      'HostConfig.Ulimits.0.Name': 'nproc',
      'HostConfig.Ulimits.0.Soft': 709,
      'HostConfig.Ulimits.0.Hard': 1026,
    }),
    shown(
      'createContainerWithLabels',
      { Labels: { 'com.github.dockerjava.a': 'liquid' } },
      { 'Config.Labels': ANY },
      FROM_2,
    ),
    shown(
      'createContainerWithLogConfig',
      host({ LogConfig: { Type: 'none', Config: null } }),
      { 'HostConfig.LogConfig.Type': 'none' },
      FROM_2,
    ),
    shown(
      'createContainerWithCgroupParent',
      host({ CgroupParent: '/parent' }),
      { 'HostConfig.CgroupParent': '/parent' },
      ONLY_3,
    ),
    {
      test: 'createContainerWithExistingName',
      given: 'created',
      asks: 'POST /containers/create?name={c}',
      body: { Image: 'busybox', Cmd: ['env'] },
      status: 409,
      ages: ALL,
    },
    notFound('removeNonExistingContainer', 'DELETE /containers/non-existing'),
    notFound('testStopNonExistingContainer', 'POST /containers/non-existing/stop?t=2'),
    notFound('killNonExistingContainer', 'POST /containers/non-existing/kill'),
    notFound('restartNonExistingContainer', 'POST /containers/non-existing/restart'),
    notFound('testWaitNonExistingContainer', 'POST /containers/non-existing/wait'),
    notFound('testContainerDiffWithNonExistingContainer', 'GET /containers/non-existing/changes'),
    notFound('commitNonExistingContainer', 'POST /commit?container=non-existing'),
    notFound('tagNonExistingImage', 'POST /images/non-existing/tag?repo=docker-java/busybox&tag=x&force=0'),
    notFound('removeNonExistingImage', 'DELETE /images/non-existing'),
    notFound('copyFromNonExistingContainer', 'POST /containers/non-existing/copy', ALL, { Resource: '/test' }),
    notFound('inspectNonExistingContainer', 'GET /containers/non-existing/json'),
    notFound('asyncLogNonExistingContainer', 'GET /containers/non-existing/logs?stdout=1&stderr=1'),
    notFound('inspectNonExistentVolume', 'GET /volumes/non-existing', ONLY_3),
    {
      test: 'testStopContainer',
      given: 'running',
      asks: 'POST /containers/{c}/stop?t=1',
      status: 204,
      ages: ALL,
    },
    { test: 'killContainer', given: 'running', asks: 'POST /containers/{c}/kill', status: 204, ages: ALL },
    { test: 'restartContainer', given: 'running', asks: 'POST /containers/{c}/restart?t=1', status: 204, ages: ALL },
    {
      test: 'testWaitContainer',
      given: 'exited',
      asks: 'POST /containers/{c}/wait',
      status: 200,
      members: { StatusCode: 0 },
      ages: ALL,
    },
    {
      test: 'testContainerDiff',
      given: 'exited',
      asks: 'GET /containers/{c}/changes',
      status: 200,
      members: { '0.Path': '/made', '0.Kind': 1 },
      ages: ALL,
    },
    { test: 'removeContainer', given: 'exited', asks: 'DELETE /containers/{c}', status: 204, ages: ALL },
    {
      test: 'renameContainer',
      given: 'running',
      asks: 'POST /containers/{c}/rename?name=renamed-{u}',
      status: 204,
      ages: ONLY_3,
    },
    {
      test: 'execCreateTest',
      given: 'running',
      asks: 'POST /containers/{c}/exec',
      body: { Cmd: ['touch', 'file.log'] },
      status: 201,
      members: { Id: ANY },
      ages: ALL,
    },
    {
      test: 'updateContainer',
      given: 'running',
      asks: 'POST /containers/{c}/update',
      body: { CpuShares: 512, CpuPeriod: 100000, CpuQuota: 50000, Memory: 314572800, MemorySwap: 514288000 },
      status: 200,
      ages: ONLY_3,
    },
    {
      test: 'inspectContainerWithSize',
      given: 'created',
      asks: 'GET /containers/{c}/json?size=true',
      status: 200,
      members: { SizeRootFs: ANY },
      ages: ONLY_3,
    },
    {
      test: 'inspectNetwork',
      asks: 'GET /networks/bridge',
      status: 200,
      members: { Name: 'bridge', Scope: 'local', Driver: 'bridge', 'IPAM.Config.0.Subnet': ANY, 'IPAM.Driver': ANY },
      ages: ONLY_3,
    },
    {
      test: 'createVolume',
      asks: 'POST /volumes/create',
      body: { Name: 'oracle-{u}', Driver: 'local' },
      status: 201,
      members: { Name: 'oracle-{u}', Driver: 'local', Mountpoint: ANY },
      ages: ONLY_3,
    },
    {
      test: 'createVolumeWithExistingName',
      given: 'volume',
      asks: 'POST /volumes/create',
      body: { Name: '{v}', Driver: 'local' },
      status: 201,
      members: { Name: '{v}', Driver: 'local', Mountpoint: ANY },
      ages: ONLY_3,
    },
    {
      test: 'info',
      asks: 'GET /info',
      status: 200,
      members: { Containers: ANY, Images: ANY, Debug: ANY },
      ages: ALL,
    },
    {
      test: 'version',
      asks: 'GET /version',
      status: 200,
      members: { GoVersion: ANY, Version: ANY, ApiVersion: ANY },
      ages: ALL,
    },
  ],
}
