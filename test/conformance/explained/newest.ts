import type { Explained } from '../explain.ts'

const OLD = ['20.10', '26.1'] as const
const LISTED = 'body[].NetworkSettings.Networks.bridge'
const FEATURES = 'status.org.opencontainers.runtime-spec.features'
const RUNTIMES = [
  ...['runc', 'io.containerd.runc.v2'].flatMap((name) => [`${name}.status`, `${name}.${FEATURES}`]),
  'io.containerd.runtime.v1.linux',
]
const against = 'recorded'

/** Newest clients on engines of other ages, measured by 29.8: what these lack, do otherwise, or say of themselves. */
const differences: readonly Omit<Explained, 'scenario'>[] = [
  {
    why: 'What an engine says of itself and of its machine: its parts, runtimes, plugins, kernel features, registries, firewall.',
    at: [
      { against, calls: '003', paths: ['Module', 'ModuleVersion'].map((name) => `body.Components[].Details.${name}`) },
      { against, calls: '003', paths: ['body.Components[].Details.GitCommit'], ways: OLD },
      {
        against,
        operations: ['SystemInfo'],
        paths: ['CDISpecDirs', 'Containerd', 'ContainerdCommit.ID', 'RegistryConfig.InsecureRegistryCIDRs'].map(
          (name) => `body.${name}`,
        ),
        ways: OLD,
      },
      {
        against,
        operations: ['SystemInfo'],
        paths: ['body.FirewallBackend', 'body.FirewallBackend.Info'],
        problem: /^is missing/,
      },
      { against, operations: ['SystemInfo'], paths: ['body.Plugins.Log'], ways: ['20.10', '28.5'] },
      {
        against,
        operations: ['SystemInfo'],
        paths: ['body.RegistryConfig.Mirrors'],
        problem: /^is null, there \[\]$/,
        ways: ['26.1', '28.5'],
      },
      { against, operations: ['SystemInfo'], paths: RUNTIMES.map((name) => `body.Runtimes.${name}`) },
      { against, operations: ['SystemInfo'], paths: ['body.SecurityOptions[]'], problem: /seccomp/, ways: ['20.10'] },
      {
        against,
        operations: ['SystemInfo'],
        paths: ['body.Warnings'],
        problem: /^is null, there \["WARNING: Support for cgroup v1 is deprecated/,
      },
    ],
  },
  {
    why: 'The lowest version is the bridge’s.',
    at: [
      {
        against,
        calls: '003',
        paths: ['body.Components[].Details.MinAPIVersion', 'body.MinAPIVersion'],
        problem: /^is "1\.12", there "1\.40"$/,
      },
    ],
  },
  {
    why: 'The recorded engine was built before 1.56 was cut: it knows neither Umask, which the bridge refuses for older engines, nor the filter annotation, which the bridge carries out where lists show annotations.',
    at: [
      { against, calls: 'n06', paths: ['status'], problem: /^is 400, there 201$/ },
      { against, calls: 'n05', paths: ['status'], problem: /^is 200, there 400$/, ways: ['28.5'] },
      { against, calls: 'n05', paths: ['text'], problem: /^is filter annotation is not supported/, ways: OLD },
    ],
  },
  {
    why: 'A setting that the engine lacks is refused in words that name it, not dropped: image mounts, parts of volumes, networks without IPv4, two endpoints at create, limits of the build cache, prunes that spare named volumes, logs as JSON, attestations.',
    at: [
      { against, calls: 'n10', paths: ['status'], problem: /^is 400, there 201$/, ways: OLD },
      { against, calls: 'n14', paths: ['text'], ways: ['20.10'] },
      { against, calls: 'n50', paths: ['text'], ways: OLD },
      { against, calls: '071', paths: ['status'], problem: /^is 400, there 201$/, ways: ['20.10'] },
      { against, calls: 'n70', paths: ['status'], problem: /^is 400, there 200$/, ways: OLD },
      { against, calls: '218', paths: ['status'], problem: /^is 400, there 200$/, ways: ['20.10'] },
      { against, calls: 'n72', paths: ['text'], ways: ['20.10'] },
      { against, calls: 'n26 n28', paths: ['text'], problem: /^is GET \/images\/.* needs API 1\.55/ },
      { against, calls: 'n40 n41', paths: ['status'], problem: /^is 400, there 200$/ },
      { against, calls: '218', paths: ['body.VolumesDeleted'], ways: ['20.10'] }, // what the refused prune left
    ],
  },
  {
    why: 'A hint that the engine lacks is left out, with a warning where the answer has warnings: annotations, the interval of first health checks, the priority of a gateway, the MAC address of a connection, empty lists of device limits.',
    at: [
      { against, calls: 'n02 n07', paths: ['body.Warnings'], ways: ['20.10'] },
      { against, calls: 'n03 n56', paths: ['body.HostConfig.Annotations'], ways: ['20.10'] },
      { against, calls: 'n04 098 100 101', paths: ['body[].HostConfig.Annotations'], ways: OLD },
      { against, calls: 'n56', paths: ['body.NetworkSettings.Networks.rec-net.GwPriority'], ways: OLD },
      { against, calls: 'n56', paths: ['body.NetworkSettings.Networks.rec-net.MacAddress'] },
      { against, calls: '213', paths: ['body.HostConfig.BlkioWeightDevice'], problem: /^is null, there \[\]$/ },
    ],
  },
  {
    why: 'The engine does not keep it, or counts it with its whole disk usage only: sizes that images share, addresses in use of a network, the gateway that it chose.',
    at: [
      { against, calls: '017', paths: ['body[].SharedSize'], ways: ['20.10'] },
      { against, operations: ['NetworkInspect'], paths: ['body.Status'], problem: /^is missing/ },
      { against, calls: '183 190 191', paths: ['body.IPAM.Config[].Gateway'], problem: /^is missing/ },
      { against, calls: '183', paths: ['body[].IPAM.Config[].Gateway'], problem: /^is missing/ },
    ],
  },
  {
    why: 'Older engines give containers IPv6 addresses of a network with an IPv6 subnet, whether it says EnableIPv6 or not; 29 drops the subnet and refuses the address.',
    at: [
      { against, calls: 'n53', paths: ['status'], problem: /^is 201, there 400$/ },
      { against, calls: 'n52', paths: ['body.IPAM.Config'] },
    ],
  },
  {
    why: 'Links on the default bridge do on older engines all that they did: nothing is to be warned of. Mounts of images are an experiment on 28.5, which warns of them.',
    at: [
      {
        against,
        calls: 'n13 025',
        paths: ['body.Warnings'],
        problem: /, there \["Links on the default bridge network are deprecated/,
      },
      { against, calls: 'n10', paths: ['body.Warnings'], problem: /"Image mount is an experimental/, ways: ['28.5'] },
    ],
  },
  {
    why: 'Paths that the engine hides from containers: engines hide what was known to leak when they were made.',
    at: [{ against, operations: ['ContainerInspect'], paths: ['body.HostConfig.MaskedPaths'], ways: OLD }],
  },
  {
    why: 'An engine up to 20.10 notes the runtime of a container without a HostConfig when it starts.',
    at: [
      {
        against,
        operations: ['ContainerInspect'],
        paths: ['body.HostConfig.Runtime'],
        problem: /^is missing, there "runc"$/,
        ways: ['20.10'],
      },
    ],
  },
  {
    why: 'Up to 26 a container that stopped keeps its endpoint until it is removed or starts again, and 20.10 gives one that never ran no MAC address.',
    at: [
      {
        against,
        calls: '109 213',
        paths: ['SandboxID', 'SandboxKey'].map((name) => `body.NetworkSettings.${name}`),
        ways: OLD,
      },
      {
        against,
        calls: '098 099 100 101',
        paths: ['EndpointID', 'Gateway', 'IPAddress', 'IPPrefixLen', 'MacAddress', 'NetworkID'].map(
          (name) => `${LISTED}.${name}`,
        ),
        ways: OLD,
      },
    ],
  },
  {
    why: 'Older engines write their version into the images that they make.',
    at: [{ against, operations: ['ImageInspect'], paths: ['body.DockerVersion'], problem: /there missing$/ }],
  },
  {
    why: 'Words that come of the runtime, of a stream that has begun, or that name what older words do not: a repository, the endpoints of a network.',
    at: [
      { against, calls: '097', paths: ['text'] },
      { against, calls: '134', paths: ['text'], ways: OLD },
      { against, calls: '137', paths: ['text'], chance: true },
      { against, calls: '193', paths: ['text'], ways: OLD },
      { against, calls: '080', paths: ['text'], ways: ['20.10'] },
    ],
  },
  {
    why: 'Older engines tell no event of a commit’s image; 20.10 does not tell how long a container ran.',
    at: [
      { against, calls: '219 220 n73', paths: ['body'], problem: /^lacks image create /, ways: OLD },
      {
        against,
        calls: '219 220 n73',
        paths: ['body'],
        problem: /^(?:has container die \["exitCode"|lacks container die \["execDuration")/,
        ways: ['20.10'],
      },
      { against, calls: '221', paths: ['body[].Actor.Attributes'], ways: ['20.10'] },
    ],
  },
]

export const newest: readonly Explained[] = differences.map((entry) => ({ ...entry, scenario: 'newest' }))
