import { changes } from '../../rules/index.ts'
import { TaskContainerSpec } from '../../src/api/shapes/swarm-shapes.ts'

/** A request, and the rule of a policy that refuses it. */
export interface Case {
  readonly what: string
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  /** Sent without changes. */
  readonly text?: string
  readonly type?: string
  /** The rule that refuses it; undefined if it goes to the engine. */
  readonly refused?: string
}

const create = (what: string, body: object, refused?: string): Case => ({
  what,
  method: 'POST',
  path: '/v1.51/containers/create',
  body: { Image: 'alpine', ...body },
  ...(refused === undefined ? {} : { refused }),
})
const host = (what: string, hostConfig: object, refused?: string): Case =>
  create(what, { HostConfig: hostConfig }, refused)
const text = (what: string, json: string, refused: string): Case => ({
  what,
  method: 'POST',
  path: '/v1.51/containers/create',
  text: json,
  refused,
})
const post = (what: string, path: string, body: unknown, refused?: string): Case => ({
  what,
  method: 'POST',
  path: `/v1.51${path}`,
  ...(body === undefined ? {} : { body }),
  ...(refused === undefined ? {} : { refused }),
})

const MOUNTS = 'bodies.host-mounts'
const SPACES = 'bodies.host-namespaces'
const JOINS = 'bodies.container-namespaces'
const OPTS = 'bodies.security-opts'
const NETWORKS = 'bodies.network-drivers'
const UNKNOWN = 'bodies.unknown-members'
const AMBIGUOUS = 'bodies.ambiguous'
const UNREADABLE = 'bodies.unreadable'

const bind = (source: string, more: object = {}): object => ({ Type: 'bind', Source: source, Target: '/x', ...more })
const volume = (options: object, more: object = {}): object => ({
  Type: 'volume',
  Source: 'v',
  Target: '/x',
  VolumeOptions: { DriverConfig: { Name: 'local', Options: options, ...more } },
})

const containerSpec = [
  ...TaskContainerSpec.members,
  ...changes.flatMap(({ ops }) =>
    ops.flatMap(({ adds }) => (adds?.shape === TaskContainerSpec.name ? [adds.member] : [])),
  ),
]

/** Under `STRICT`, see below. */
export const strictCases: readonly Case[] = [
  create('a plain container', {}),
  host('limits and ports', {
    Memory: 1e8,
    PortBindings: { '80/tcp': [{ HostPort: '80' }] },
    RestartPolicy: { Name: 'no' },
  }),
  host('zero values, as command lines send them', {
    Binds: null,
    Privileged: false,
    CapAdd: null,
    SecurityOpt: null,
    NetworkMode: 'default',
    PidMode: '',
    IpcMode: '',
    UTSMode: '',
    UsernsMode: '',
    CgroupnsMode: '',
    Cgroup: '',
    CgroupParent: '',
    Devices: [],
    DeviceCgroupRules: null,
    DeviceRequests: null,
    VolumesFrom: null,
    VolumeDriver: '',
    MaskedPaths: null,
    ReadonlyPaths: null,
    Runtime: '',
    Annotations: null,
  }),
  host('a privileged container', { Privileged: true }, 'bodies.privileged'),
  host('a privileged container in the words of old clients', { Privileged: 'true' }, 'bodies.privileged'),
  host('a privileged container as a number', { Privileged: 1 }, 'bodies.privileged'),
  host('a privileged container in small letters', { privileged: true }, 'bodies.privileged'),
  host('a privileged container in mixed letters', { pRiViLeGeD: true }, 'bodies.privileged'),
  text('a host config in small letters', '{"Image":"alpine","hostconfig":{"Privileged":true}}', 'bodies.privileged'),
  text('a name with the long s', '{"Image":"alpine","Ho\u017ftConfig":{"Privileged":true}}', 'bodies.privileged'),
  text('a name with the Kelvin sign', '{"Image":"alpine","HostConfig":{"networ\u212aMode":"host"}}', SPACES),
  text('a name with escapes', '{"Image":"alpine","HostConfi\\u0067":{"Privilege\\u0064":true}}', 'bodies.privileged'),
  text('prose', 'not json', UNREADABLE),
  text('a list for a body', '[{"HostConfig":{"Privileged":true}}]', UNREADABLE),
  text('a second value behind the first', '{"Image":"alpine"} {"HostConfig":{"Privileged":true}}', UNREADABLE),
  host('a bind of the host', { Binds: ['/etc:/x'] }, MOUNTS),
  host('a bind of the root', { Binds: ['/:/x'] }, MOUNTS),
  host('the socket of the engine', { Binds: ['/var/run/docker.sock:/var/run/docker.sock'] }, MOUNTS),
  host('a bind within the list', { Binds: ['/srv/data/a:/x'] }),
  host('a bind of the listed folder itself', { Binds: ['/srv/data:/x', '/srv/data/:/y'] }),
  host('a bind beside the list', { Binds: ['/srv/database:/x'] }, MOUNTS),
  host('a bind that climbs out', { Binds: ['/srv/data/../../etc:/x'] }, MOUNTS),
  host('a bind with doubled slashes', { Binds: ['//etc:/x'] }, MOUNTS),
  host('a bind with dots', { Binds: ['/./etc:/x'] }, MOUNTS),
  host('a relative bind, which Podman takes', { Binds: ['./etc:/x'] }, MOUNTS),
  host('a bind of a Windows host', { Binds: ['C:\\:c:\\x'] }, MOUNTS),
  host('a named volume', { Binds: ['data:/x', 'data:/y:ro'] }),
  host('a volume without a name', { Binds: ['/x'] }),
  host('a bind that is no list', { Binds: '/etc:/x' }, MOUNTS),
  host('a bind that is an object', { Binds: { a: '/etc:/x' } }, UNREADABLE),
  host('a bind that is a number', { Binds: [1] }, UNREADABLE),
  host('a read-only place, read-only', { Binds: ['/var/log:/x:ro'] }),
  host('a read-only place, with options', { Binds: ['/var/log:/x:z,ro'] }),
  host('a read-only place, to write', { Binds: ['/var/log:/x'] }, MOUNTS),
  host('a read-only place, said to be rw', { Binds: ['/var/log:/x:rw'] }, MOUNTS),
  host('a mount of the host', { Mounts: [bind('/etc')] }, MOUNTS),
  host('a mount within the list', { Mounts: [bind('/srv/data')] }),
  host('a read-only mount', { Mounts: [bind('/var/log', { ReadOnly: true })] }),
  host('a read-only place mounted to write', { Mounts: [bind('/var/log', { ReadOnly: 'true' })] }, MOUNTS),
  host('a mount in small letters', { mounts: [{ type: 'bind', source: '/etc', target: '/x' }] }, MOUNTS),
  host('a mount without a type', { Mounts: [{ Source: '/etc', Target: '/x' }] }, MOUNTS),
  host('a mount of an unknown type', { Mounts: [{ Type: 'glob', Source: '/etc', Target: '/x' }] }, MOUNTS),
  host(
    'a pipe of Windows',
    { Mounts: [{ Type: 'npipe', Source: '\\\\.\\pipe\\docker_engine', Target: '/x' }] },
    MOUNTS,
  ),
  host('a volume whose source is a path', { Mounts: [{ Type: 'volume', Source: '/etc', Target: '/x' }] }, MOUNTS),
  host('a tmpfs', { Mounts: [{ Type: 'tmpfs', Target: '/x' }] }),
  host(
    'a volume that is a bind of the host',
    { Mounts: [volume({ type: 'none', o: 'bind', device: '/etc' })] },
    MOUNTS,
  ),
  host('a volume that is a bind within the list', {
    Mounts: [volume({ type: 'none', o: 'bind', device: '/srv/data' })],
  }),
  host('a volume that is a disk', { Mounts: [volume({ type: 'ext4', device: '/dev/sda1' })] }, MOUNTS),
  host('a volume of another driver', { Mounts: [volume({}, { Name: 'evil' })] }, 'bodies.volume-drivers'),
  host('a volume driver beside the mounts', { VolumeDriver: 'evil' }, 'bodies.volume-drivers'),
  host('mounts of another container', { VolumesFrom: ['other'] }, 'bodies.volumes-from'),
  host('the network of the host', { NetworkMode: 'host' }, SPACES),
  host('a network of one’s own', { NetworkMode: 'my_net' }),
  host('no network', { NetworkMode: 'none' }),
  host('a network by path, as Podman takes it', { NetworkMode: 'ns:/proc/1/ns/net' }, SPACES),
  host('the network of another container', { NetworkMode: 'container:other' }, JOINS),
  create('the network of the host among endpoints', { NetworkingConfig: { EndpointsConfig: { host: {} } } }, SPACES),
  host('the processes of the host', { PidMode: 'host' }, SPACES),
  host('the processes of another container', { PidMode: 'container:other' }, JOINS),
  host('the memory of the host', { IpcMode: 'host' }, SPACES),
  host('memory of its own', { IpcMode: 'private' }),
  host('the name of the host', { UTSMode: 'host' }, SPACES),
  host('the users of the host', { UsernsMode: 'host' }, SPACES),
  host('the cgroups of the host', { CgroupnsMode: 'host' }, SPACES),
  host('the cgroup of another container', { Cgroup: 'container:other' }, JOINS),
  host('a namespace as a list', { PidMode: ['host'] }, UNREADABLE),
  host('a cgroup of its own choice', { CgroupParent: '/' }, 'bodies.cgroup-parent'),
  host('an added capability', { CapAdd: ['SYS_ADMIN'] }, 'bodies.capabilities'),
  host('all capabilities', { CapAdd: ['ALL'] }, 'bodies.capabilities'),
  host('a capability as a text', { CapAdd: 'SYS_ADMIN' }, 'bodies.capabilities'),
  host('a listed capability in any spelling', { CapAdd: ['CHOWN', 'CAP_CHOWN', 'cap_chown'] }),
  host('a dropped capability', { CapDrop: ['ALL'] }),
  host('a device', { Devices: [{ PathOnHost: '/dev/sda', PathInContainer: '/dev/sda' }] }, 'bodies.devices'),
  host('a listed device', { Devices: [{ PathOnHost: '/dev/dri/card0' }] }),
  host('a device that climbs out', { Devices: [{ PathOnHost: '/dev/dri/../sda' }] }, 'bodies.devices'),
  host('rules on devices', { DeviceCgroupRules: ['a *:* rwm'] }, 'bodies.devices'),
  host('requests for devices', { DeviceRequests: [{ Count: -1 }] }, 'bodies.devices'),
  host('no seccomp', { SecurityOpt: ['seccomp=unconfined'] }, OPTS),
  host('a seccomp profile of its own', { SecurityOpt: ['seccomp={"defaultAction":"SCMP_ACT_ALLOW"}'] }, OPTS),
  host('no AppArmor', { SecurityOpt: ['apparmor:unconfined'] }, OPTS),
  host('no SELinux', { SecurityOpt: ['label=disable'] }, OPTS),
  host('new privileges', { SecurityOpt: ['no-new-privileges=false'] }, OPTS),
  host('no new privileges', { SecurityOpt: ['no-new-privileges', 'no-new-privileges:true'] }),
  host('more masked paths (Podman)', { SecurityOpt: ['mask=/etc/passwd:/a'] }),
  host('nothing masked', { MaskedPaths: [] }, OPTS),
  host('nothing read-only', { ReadonlyPaths: [] }, OPTS),
  host('another runtime', { Runtime: 'evil' }, 'bodies.runtimes'),
  host('runc', { Runtime: 'runc' }),
  host('an init of the host', { InitPath: '/bin/sh' }, UNKNOWN),
  host('annotations', { Annotations: { 'run.oci.hooks': 'x' } }, UNKNOWN),
  host('a member that only the rules know yet', { HostUsers: 'all' }, UNKNOWN),
  host('LXC', { LxcConf: [{ Key: 'lxc.mount.entry', Value: '/ x' }] }, UNKNOWN),
  post('an exec that is started', '/exec/x/start', { Detach: true }),
  post('a privileged exec', '/containers/x/exec', { Cmd: ['id'], Privileged: true }, 'bodies.privileged'),
  post('an exec', '/containers/x/exec', { Cmd: ['id'], Privileged: false }),
  post('an update of limits', '/containers/x/update', { Memory: 1e8 }),
  post('an update of devices', '/containers/x/update', { Devices: [{ PathOnHost: '/dev/sda' }] }, 'bodies.devices'),
  post('a volume', '/volumes/create', { Name: 'v' }),
  post('a volume of tmpfs', '/volumes/create', { DriverOpts: { type: 'tmpfs', device: 'tmpfs', o: 'size=1m' } }),
  post('a volume that binds', '/volumes/create', { DriverOpts: { type: 'none', o: 'bind', device: '/etc' } }, MOUNTS),
  post('a volume that binds recursively', '/volumes/create', { DriverOpts: { o: 'rbind', device: '/' } }, MOUNTS),
  post(
    'a volume that is an overlay',
    '/volumes/create',
    { DriverOpts: { type: 'overlay', o: 'lowerdir=/etc' } },
    MOUNTS,
  ),
  post(
    'a volume whose options smuggle',
    '/volumes/create',
    { DriverOpts: { o: 'bind,uid=0', device: '/srv/data' } },
    MOUNTS,
  ),
  post('a volume of another driver', '/volumes/create', { Driver: 'evil' }, 'bodies.volume-drivers'),
  post('a container on the network of the host', '/networks/host/connect', { Container: 'x' }, SPACES),
  post('a container on a network', '/networks/mine/connect', { Container: 'x' }),
  post('a build', '/build?t=x', undefined),
  post('a build on the network of the host', '/build?networkmode=host', undefined, SPACES),
  post(
    'a build on the network of the host, told twice',
    '/build?networkmode=bridge&networkmode=host',
    undefined,
    SPACES,
  ),
  post('a build on another container', '/build?networkmode=container:x', undefined, JOINS),
  post('a build with an escape', '/build?networkmode=%68ost', undefined, SPACES),
  post('a service as it was before', '/services/x/update?version=1&rollback=previous', {}, UNREADABLE),
  post('a build in a cgroup of its own choice', '/build?cgroupparent=/', undefined, 'bodies.cgroup-parent'),
  post('a plugin', '/plugins/pull?remote=x', [], 'bodies.plugins'),
  post(
    'a service with a bind',
    '/services/create',
    { TaskTemplate: { ContainerSpec: { Image: 'a', Mounts: [bind('/')] } } },
    MOUNTS,
  ),
  post(
    'a service with a capability',
    '/services/create',
    { TaskTemplate: { ContainerSpec: { Image: 'a', CapabilityAdd: ['SYS_ADMIN'] } } },
    'bodies.capabilities',
  ),
  post(
    'a service on the network of the host',
    '/services/create',
    { TaskTemplate: { ContainerSpec: { Image: 'a' }, Networks: [{ Target: 'host' }] } },
    SPACES,
  ),
  post(
    'a service without seccomp',
    '/services/create',
    { TaskTemplate: { ContainerSpec: { Image: 'a', Privileges: { Seccomp: { Mode: 'unconfined' } } } } },
    OPTS,
  ),
  post(
    'a service with what a newer engine may give any meaning',
    '/services/create',
    { TaskTemplate: { ContainerSpec: { Image: 'a', Devices: ['/dev/sda'] } } },
    UNKNOWN,
  ),
  post('a service with every member of its container that gives nothing of the host', '/services/create', {
    TaskTemplate: { ContainerSpec: Object.fromEntries(containerSpec.map((name) => [name, null])) },
  }),
]

/** Several members fold to one, or a body can be read in two ways. The bridge may rewrite it to one reading before it forwards it. */
export const doubled: readonly Case[] = [
  text(
    'privileged twice, the first says yes',
    '{"Image":"a","HostConfig":{"Privileged":true,"Privileged":false}}',
    AMBIGUOUS,
  ),
  text(
    'privileged twice, the last says yes',
    '{"Image":"a","HostConfig":{"Privileged":false,"Privileged":true}}',
    AMBIGUOUS,
  ),
  text('two host configs', '{"Image":"a","HostConfig":{"Privileged":true},"HostConfig":{}}', AMBIGUOUS),
  text('two spellings of host config', '{"Image":"a","HostConfig":{},"hostConfig":{"Privileged":true}}', AMBIGUOUS),
  text('two spellings of binds', '{"Image":"a","HostConfig":{"Binds":[],"bindS":["/etc:/x"]}}', AMBIGUOUS),
]

export const STRICT = `
rules:
  preset: all
  bodies:
    base: strict
    host-mounts: [/srv/data, '/var/log:ro']
    capabilities: [CHOWN]
    devices: ['/dev/dri/*']
`

export const imageCases: readonly Case[] = [
  create('a listed image', { Image: 'alpine' }),
  create('a listed image with a tag', { Image: 'alpine:3.20' }),
  create('a listed image by its full name', { Image: 'docker.io/library/alpine:latest' }),
  create('an image of a listed registry', { Image: 'ghcr.io/acme/team/app:1' }),
  create('an image with the listed tag', { Image: 'busybox:1.36' }),
  create('an image with another tag', { Image: 'busybox:1.35' }, 'bodies.images'),
  create('an image with no tag where one is listed', { Image: 'busybox' }, 'bodies.images'),
  create('another image', { Image: 'evil' }, 'bodies.images'),
  create('a listed name of another registry', { Image: 'evil.example/library/alpine' }, 'bodies.images'),
  create('a listed name of another user', { Image: 'evil/alpine' }, 'bodies.images'),
  create('a listed registry as the beginning of another', { Image: 'ghcr.io.evil.example/acme/app' }, 'bodies.images'),
  create('an image by its id', { Image: `sha256:${'ab'.repeat(32)}` }, 'bodies.images'),
  create('an image by the beginning of its id', { Image: 'beef' }, 'bodies.images'),
  create('no image', { Image: '' }, 'bodies.images'),
  create('an image as a list', { Image: ['alpine'] }, UNREADABLE),
  post('a pull of a listed image', '/images/create?fromImage=alpine&tag=latest', undefined),
  post('a pull of another image', '/images/create?fromImage=evil&tag=latest', undefined, 'bodies.images'),
  post('a pull told twice', '/images/create?fromImage=alpine&fromImage=evil', undefined, AMBIGUOUS),
  post('an import', '/images/create?fromSrc=http://evil.example/x.tar&repo=alpine', undefined, 'bodies.new-images'),
  post('a load', '/images/load', undefined, 'bodies.new-images'),
  post('a build', '/build?t=alpine', undefined, 'bodies.new-images'),
  post('a commit', '/commit?container=x&repo=alpine', {}, 'bodies.new-images'),
  post('a call to BuildKit, which could make any image', '/grpc', undefined, 'bodies.buildkit'),
  post('a tag of another image', '/images/evil/tag?repo=alpine', undefined, 'bodies.images'),
  post('a tag of a listed image', '/images/alpine/tag?repo=mine', undefined),
]

export const IMAGES = `
rules:
  preset: all
  bodies:
    images: [alpine, 'ghcr.io/acme/**', 'busybox:1.36', 'redis:7.*']
    container-paths: [/data]
`

const archive = (what: string, path: string, refused?: string, method = 'GET'): Case => ({
  what,
  method,
  path: `/v1.51/containers/x/${path}`,
  ...(refused === undefined ? {} : { refused }),
})
const PATHS = 'bodies.container-paths'
export const pathCases: readonly Case[] = [
  archive('a file that is listed', 'archive?path=/data/a'),
  archive('a file that is listed, put there', 'archive?path=/data/a', undefined, 'PUT'),
  archive('a file that is not', 'archive?path=/etc/shadow', PATHS),
  archive('a file that is not, put there', 'archive?path=/etc', PATHS, 'PUT'),
  archive('a file by climbing out', 'archive?path=/data/../etc/shadow', PATHS),
  archive('a file by climbing out with escapes', 'archive?path=%2Fdata%2F..%2Fetc', PATHS),
  archive('two paths', 'archive?path=/data&path=/etc', AMBIGUOUS),
  archive('a path behind a semicolon', 'archive?path=/data;path=/etc', AMBIGUOUS),
  archive('a relative path', 'archive?path=data'),
  archive('all of it', 'export', PATHS),
]

const plainVolume = (target: string): object => ({ Type: 'volume', Source: 'data', Target: target })
const readOnlyBehind = (target: string): object => ({ ...bind('/var/log', { ReadOnly: true }), Target: target })
const log = (options: object): object => ({ LogConfig: { Type: 'json-file', Config: options } })

/** Forms of a request that engines accept beside the newest Docker's: the policy once let each of them through. */
export const otherWords: readonly Case[] = [
  create('a host config beside the body, which 20.10 takes: privileged', { Privileged: true }, 'bodies.privileged'),
  create('a host config beside the body: binds', { Binds: ['/etc:/x'] }, MOUNTS),
  create(
    'a host config beside the body, null in its place',
    { HostConfig: null, CapAdd: ['ALL'] },
    'bodies.capabilities',
  ),
  create('a host config beside an empty one', { HostConfig: {}, PidMode: 'host' }, SPACES),
  create('what old clients send beside it', { VolumesFrom: '', Memory: 0, CpuShares: 0, Volumes: { '/data': {} } }),
  {
    ...post('a host config beside another in a start', '/containers/x/start', { HostConfig: {}, Privileged: true }),
    refused: 'bodies.privileged',
  },
  post('a tmpfs that is a bind', '/volumes/create', { DriverOpts: { type: 'tmpfs', o: 'bind', device: '/' } }, MOUNTS),
  post(
    'a tmpfs that is a bind, behind others',
    '/volumes/create',
    { DriverOpts: { type: 'tmpfs', o: 'size=1m,rbind', device: '/' } },
    MOUNTS,
  ),
  host('a Tmpfs with options', { Tmpfs: { '/run': 'size=64m,mode=1777,exec,nodiratime', '/tmp': '' } }),
  // Shown on 28.5: writable /sys in a container that is not privileged.
  host('a Tmpfs that remounts /sys', { Tmpfs: { '/sys/': 'remount,rw' } }, MOUNTS),
  host('a Tmpfs that is a bind', { Tmpfs: { '/x': 'size=1m,rbind' } }, MOUNTS),
  host('a mounted tmpfs that is a bind', { Mounts: [volume({ type: 'tmpfs', o: 'bind', device: '/etc' })] }, MOUNTS),
  post('a tmpfs with options', '/volumes/create', {
    DriverOpts: { type: 'tmpfs', o: 'size=100m,uid=1000,mode=0700,noexec' },
  }),
  create('a bind among the volumes, which Podman takes', { Volumes: { '/etc:/x': {} } }, MOUNTS),
  create('a bind among the volumes, in other letters', { volumes: { '/data': {}, '/etc:/x:ro': {} } }, MOUNTS),
  create('volumes without a name', { Volumes: { '/data': {} } }),
  create('labels', { Labels: { a: 'b' } }),
  host('an option behind a comma (Podman)', { Mounts: [plainVolume('/x,volume-opt=device=/etc')] }, MOUNTS),
  host('a read-only mount with a line’s end before ro', { Mounts: [readOnlyBehind('/x\n')] }, MOUNTS),
  host('a mount with a quote', { Mounts: [plainVolume('"/x')] }, MOUNTS),
  host(
    'a subpath with a comma',
    { Mounts: [{ ...plainVolume('/x'), VolumeOptions: { Subpath: 'a,type=b' } }] },
    MOUNTS,
  ),
  host('a log that is a file of the host (Podman)', log({ path: '/etc/cron.d/x' }), MOUNTS),
  host('a log that is a file, behind another name', log({ 'path=/etc/cron.d/x': '' }), MOUNTS),
  host('a log with a key of the host', log({ 'syslog-tls-key': 'root/.docker/key.pem' }), MOUNTS),
  host('a log with an authority of the host', log({ 'splunk-capath': '../etc/ca.pem' }), MOUNTS),
  host('a log to a socket of the host', log({ 'syslog-address': 'unixgram:///run/x.sock' }), MOUNTS),
  host('a log to a file within the list', log({ path: '/srv/data/log' }), undefined),
  host('a log to a socket within the list', log({ 'syslog-address': 'unix:///srv/data/log.sock' })),
  host(
    'a log to a socket that only seems to be within the list: the driver drops the host of a URL',
    log({ 'syslog-address': 'unix://srv/data/run/docker.sock' }),
    MOUNTS,
  ),
  host(
    'a log to a socket that escapes lead out of the list',
    log({ 'fluentd-address': 'unix:///srv/data/%2e%2e/%2e%2e/run/docker.sock' }),
    MOUNTS,
  ),
  host('a log with limits', log({ 'max-size': '10m', tag: '{{.Name}}', 'syslog-address': 'tcp://logs.example:514' })),
  host(
    'a log to the syslog of the host, by default',
    { LogConfig: { Type: 'syslog', Config: { tag: 'sshd' } } },
    MOUNTS,
  ),
  host('a log to the journal of the host', { LogConfig: { Type: 'journald', Config: { tag: 'sshd' } } }, MOUNTS),
  host('a log to another syslog', {
    LogConfig: { Type: 'syslog', Config: { 'syslog-address': 'udp://logs.example' } },
  }),
  post(
    'a service whose log goes to the syslog of the host, by default',
    '/services/create',
    { TaskTemplate: { LogDriver: { Name: 'syslog' } } },
    MOUNTS,
  ),
  host('a log without options', { LogConfig: { Type: '', Config: null } }),
  post(
    'a service whose log goes to a socket',
    '/services/create',
    { TaskTemplate: { LogDriver: { Name: 'fluentd', Options: { 'fluentd-address': 'unix:///run/x.sock' } } } },
    MOUNTS,
  ),
  post('a push', '/images/alpine/push?tag=latest', undefined),
  post('a push to a folder of the host (Podman)', '/images/alpine/push?destination=dir:/etc/cron.d', undefined, MOUNTS),
  post('the same in other letters', '/images/alpine/push?Destination=oci-archive:/etc/x', undefined, MOUNTS),
  post('an import of a URL', '/images/create?fromSrc=https://files.example/x.tar&repo=x', undefined),
  post('an import of the body', '/images/create?fromSrc=-&repo=x', undefined),
  post('an import of a file of the host (Podman)', '/images/create?fromSrc=/var/backups/x.tar', undefined, MOUNTS),
  post('an import of a file beside a listed one', '/images/create?fromSrc=/srv/data/x:/etc/x', undefined, MOUNTS),
  post('an import of a listed file', '/images/create?fromSrc=/var/log/x.tar', undefined),
  { what: 'a secret', path: '/v1.51/secrets/x' },
  { what: 'a secret with its content (Podman)', path: '/v1.51/secrets/x?showsecret=1', refused: 'showsecret' },
  post('a build with a folder of the host (Podman)', '/build?volume=/etc:/x', undefined, MOUNTS),
  post('a build with a folder, in other letters', '/build?VoLume=/etc:/x', undefined, MOUNTS),
  post('a build with a context on the host', '/build?additionalbuildcontexts=a%3Dlocalpath:/etc', undefined, MOUNTS),
  post('a build that writes to the host', '/build?outputs=type%3Dlocal,dest%3D/etc', undefined, MOUNTS),
  post('a build that logs to the host', '/build?rusagelogfile=/etc/x', undefined, MOUNTS),
  post('a build with capabilities', '/build?addcaps=%5B%22ALL%22%5D', undefined, 'bodies.capabilities'),
  post('a build with devices', '/build?devices=%5B%22/dev/sda%22%5D', undefined, 'bodies.devices'),
  post('a build in other namespaces', '/build?nsoptions=%5B%5D', undefined, SPACES),
  post('a build in no container', '/build?isolation=2', undefined, SPACES),
  post('a build without seccomp', '/build?seccomp=unconfined', undefined, OPTS),
  post('a build on the network of the host, in other letters', '/build?NetworkMode=host', undefined, SPACES),
  post('a build by a file of the host', '/build?dockerfile=../../etc/shadow', undefined, MOUNTS),
  post('a build by a file of the host in a list', '/build?dockerfile=%5B%22a/../../x%22%5D', undefined, MOUNTS),
  post('a build by a file with dots in its name', '/build?dockerfile=docker/a..b/Dockerfile.test', undefined),
  post('a build with what nobody knows', '/build?hooks=/x', undefined, UNKNOWN),
  post('a build with what every object has', '/build?constructor=x', undefined, UNKNOWN),
  post(
    'a build as the docker command asks for it',
    '/build?buildargs=%7B%7D&cachefrom=%5B%5D&cgroupparent=&cpuperiod=0&dockerfile=Dockerfile&labels=%7B%7D&memory=0' +
      '&networkmode=default&rm=1&shmsize=0&t=x&target=&ulimits=null&version=2&buildid=1&session=s&platform=linux%2Famd64' +
      '&outputs=%5B%7B%22Type%22%3A%22local%22%7D%5D',
    undefined,
  ),
  ...['c6a9876da85db7aedbbfb6a7a16b831a99ee941a5efaf72685a5eb1a3c418ad2', '1x58xsdwrojxr42t1ckc6pmnv', 'c6a'].map(
    (id) =>
      post(
        `a service on what may be the id of the host’s network: ${id}`,
        '/services/create',
        { TaskTemplate: { ContainerSpec: { Image: 'a' }, Networks: [{ Target: id }] } },
        SPACES,
      ),
  ),
  post('a service on a network of its own, by name', '/services/create', {
    TaskTemplate: { ContainerSpec: { Image: 'a' }, Networks: [{ Target: 'stack_default' }] },
  }),
  post('a swarm that is joined', '/swarm/join', { RemoteAddrs: ['evil.example'] }, 'bodies.swarm'),
  post('a swarm that is made', '/swarm/init', { ListenAddr: '0.0.0.0' }, 'bodies.swarm'),
  { what: 'the tokens of a swarm', path: '/v1.51/swarm', refused: 'bodies.swarm' },
  { what: 'the key that unlocks a swarm', path: '/v1.51/swarm/unlockkey', refused: 'bodies.swarm' },
  post('a node that is made a manager', '/nodes/x/update?version=1', { Role: 'manager' }, 'bodies.swarm'),
  post('a plugin that refuses calls, taken off', '/plugins/x/disable?force=1', undefined, 'bodies.plugins'),
  { what: 'the same, removed', method: 'DELETE', path: '/v1.51/plugins/x?force=1', refused: 'bodies.plugins' },
  host('a volume below which Podman writes to the host', { Binds: ['data:/x:O,upperdir=/etc,workdir=/w'] }, MOUNTS),
  host('a listed place, the same', { Binds: ['/srv/data:/x:O,upperdir=/etc,workdir=/w'] }, MOUNTS),
  create('the same among the volumes', { Volumes: { 'data:/x:O,upperdir=/etc,workdir=/w': {} } }, MOUNTS),
  host('a read-only place that gets other owners (Podman)', { Binds: ['/var/log:/x:ro,U'] }, MOUNTS),
  host('a bind of more parts than there are', { Binds: ['/srv/data:/x:ro:rw'] }, MOUNTS),
  host('binds with the options of every engine', {
    Binds: ['/srv/data:/x:rw,rslave,z', 'data:/y:nocopy,Z,U', '/srv/data/a:/z:ro,cached'],
  }),
  host('a file that Podman removes with the container', { ContainerIDFile: '/etc/passwd' }, MOUNTS),
  host('a file with the id, where the client may write', { ContainerIDFile: '/srv/data/cid' }),
  host(
    'a tmpfs with a folder that Podman makes',
    { Mounts: [{ Type: 'tmpfs', Source: '/new', Target: '/x' }] },
    MOUNTS,
  ),
  post('a start from a folder of the host', '/containers/x/start?checkpoint=a&checkpoint-dir=/var', undefined, MOUNTS),
  post('a start from a checkpoint elsewhere', '/containers/x/start?checkpoint=../../y', undefined, MOUNTS),
  post('a start from a checkpoint', '/containers/x/start?checkpoint=a', undefined),
  post(
    'a build by a file of the host, with escapes',
    `/build?dockerfile=${encodeURIComponent('["\\u002e\\u002e/\\u002e./etc/passwd"]')}`,
    undefined,
    MOUNTS,
  ),
  post('a build by a whole path (Podman 3 and 6)', '/build?dockerfile=/etc/passwd', undefined, MOUNTS),
  post('a build by whole paths in a list', '/build?dockerfile=%5B%22a%22,%22/etc/passwd%22%5D', undefined, MOUNTS),
  post('a build by two files', '/build?dockerfile=%5B%22a%22,%22b/c%22%5D', undefined),
  post('a build that writes to the host, in brackets', '/build?outputs=%5B/../../etc', undefined, MOUNTS),
  post(
    'a build that writes to the host, in the words of BuildKit',
    `/build?outputs=${encodeURIComponent('[{"Type":"/../../etc/x"}]')}`,
    undefined,
    MOUNTS,
  ),
  post('a network', '/networks/create', {
    Name: 'n',
    Driver: 'bridge',
    Options: { 'com.docker.network.driver.mtu': '1400' },
  }),
  post('a network of swarm', '/networks/create', {
    Name: 'n',
    Driver: 'overlay',
    Attachable: true,
    IPAM: { Driver: 'default' },
  }),
  post(
    'a network that is the host’s own',
    '/networks/create',
    { Name: 'n', Driver: 'macvlan', Options: { parent: 'eth0' } },
    NETWORKS,
  ),
  post('the same in other letters', '/networks/create', { Name: 'n', driver: 'ipvlan' }, NETWORKS),
  post(
    'a bridge that the host has',
    '/networks/create',
    { Name: 'n', Options: { 'com.docker.network.bridge.name': 'br0' } },
    NETWORKS,
  ),
  post(
    'a bridge that Podman does not manage',
    '/networks/create',
    { Name: 'n', Options: { mode: 'unmanaged' } },
    NETWORKS,
  ),
  post('addresses by a plugin', '/networks/create', { Name: 'n', IPAM: { Driver: 'evil' } }, NETWORKS),
]

const form = (what: string, type: string): Case => ({
  what,
  method: 'POST',
  path: '/v1.51/images/create?fromImage=alpine&tag=latest',
  text: 'fromImage=evil',
  type,
  refused: AMBIGUOUS,
})
const FORM = 'application/x-www-form-urlencoded'

/** Query parameters that are repeated in a body, or in other letters. */
export const otherImages: readonly Case[] = [
  form('a form that goes before the query', FORM),
  form('a form behind a no-break space', Buffer.from(`\u00a0${FORM}`).toString('latin1')),
  form('a form with a dotted I', Buffer.from(FORM.replace('i', '\u0130')).toString('latin1')),
  form('a form in capitals with a parameter', `${FORM.toUpperCase()} ; charset`),
  post('a pull in other letters, which Podman takes', '/images/create?FromImage=evil', undefined, 'bodies.images'),
  post('a pull told twice in other letters', '/images/create?fromImage=alpine&fromimage=evil', undefined, AMBIGUOUS),
  create(
    'a listed name with the digest of any image',
    { Image: `busybox:1.36@sha256:${'ab'.repeat(32)}` },
    'bodies.images',
  ),
  create(
    'a digest behind a tag that a pattern fits',
    { Image: `redis:7.4@sha256:${'ab'.repeat(32)}` },
    'bodies.images',
  ),
  create('a tag that a pattern fits', { Image: 'redis:7.4' }),
  post('a pull whose tag replaces another', '/images/create?fromImage=redis:7.4&tag=6', undefined, 'bodies.images'),
  post('a pull of a digest with a tag', '/images/create?fromImage=redis@sha256:ab&tag=7.4', undefined, 'bodies.images'),
  post('a pull of a tag that a pattern fits', '/images/create?fromImage=redis&tag=7.4', undefined),
  post('a pull of two tags', '/images/create?fromImage=busybox&tag=1.36&tag=1.35', undefined, AMBIGUOUS),
]
