import type { Explained } from '../explain.ts'

const PODMAN_DIRECT = ['podman-5.4 direct', 'podman-5.8 direct']
const PODMAN_AT_1_24 = ['podman-5.4 at 1.24', 'podman-5.8 at 1.24']
const PODMAN = [...PODMAN_DIRECT, ...PODMAN_AT_1_24]

const versions = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `1.${from + index}`)

/** Clients from 1.23 on: what a pin, or an engine that serves only newer versions, cannot say or do. */
const differences: readonly Omit<Explained, 'scenario'>[] = [
  {
    why: 'Asked for 1.42 or newer an engine has no limit of kernel memory: a container is not made without a limit that its client asked for.',
    at: [
      { against: 'own', calls: '028', paths: ['status'], problem: /^is 400, there 201$/ },
      { against: 'own', calls: '004', paths: ['body.KernelMemory'], problem: /^is false, there true$/ },
    ],
  },
  {
    why: 'Engines that read a start’s body replace every setting by it; a container that the bridge makes again for it keeps what the body does not name.',
    at: [
      {
        against: 'own',
        calls: '108',
        paths: ['Dns', 'DnsOptions', 'DnsSearch', 'IpcMode'].map((name) => `body.HostConfig.${name}`),
        clients: ['1.23'],
        ways: ['20.10 at 1.41'],
      },
    ],
  },
  {
    why: 'A target from 1.30 on ends a build with a record of the image’s id (1.30/build-aux), one below does not: the stream passes as bytes, and clients do without.',
    at: [{ against: 'own', calls: '168', paths: ['body'], problem: /\["aux"\]/ }],
  },
  {
    why: 'Up to 1.43 a read-only bind left the mounts below it writable: asked for 1.44 or newer it is made as a mount, and the list, unlike inspect, does not tell it from one (1.44/read-only-binds).',
    at: [
      {
        against: 'own',
        calls: '098 100 101 102 103',
        paths: ['body[].Mounts[].Mode'],
        problem: /^is "", there "ro"$/,
      },
    ],
  },
  {
    why: 'Engines up to 1.11 told the 64 newest events at most: which is the oldest of them hangs on how many events the calls made.',
    at: [
      {
        against: 'own',
        calls: '219 220',
        paths: ['body'],
        problem: /^(has|lacks) /,
        clients: ['1.23'],
        ways: ['28.5-min1.44', '20.10 at 1.41'],
        chance: true,
      },
    ],
  },
  {
    why: 'What the bridge refuses itself, or asks the engine for, is not done to the engine’s own answer: a create with two networks, the id of a running container that is not removed.',
    at: [
      {
        against: 'own',
        calls: '071',
        paths: ['text'],
        clients: versions(24, 43),
        ways: ['26.1 direct', '28.5 direct'],
      },
      {
        against: 'own',
        calls: '215',
        paths: ['text'],
        clients: versions(24, 43),
        ways: ['26.1 direct', '28.5 direct'],
      },
      { against: 'own', calls: '215', paths: ['text'], clients: versions(44, 49), ways: ['28.5 direct'] },
      {
        against: 'own',
        calls: '071',
        paths: ['status'],
        clients: ['1.24', '1.32', '1.41'],
        ways: ['podman-5.8 direct'],
        problem: /^is 500, there 400$/,
      },
    ],
  },
  {
    why: 'Asked for 1.45 or newer an engine no longer tells by which container an image was made: what an image itself says is shown.',
    at: [
      {
        against: 'own',
        calls: '021 166',
        paths: [
          'body.Container',
          ...['Cmd', 'Hostname', 'Image', 'Labels.k'].map((member) => `body.ContainerConfig.${member}`),
        ],
      },
    ],
  },
  {
    why: 'Podman writes its errors about paths as text at every version; the bridge gives them the form of the client’s version.',
    at: [
      {
        against: 'own',
        calls: '014 015 178',
        paths: ['type'],
        ways: ['podman-5.4 direct'],
        problem: /^is text\/plain; charset=utf-8, there application\/json$/,
      },
    ],
  },
  {
    why: 'Podman lets others share the IPC namespace of a container unless it is told not to; clients from 1.40 on mean private when they say nothing, and a pin below says so (1.40/ipc-private-default).',
    at: [
      {
        against: 'own',
        operations: ['ContainerInspect'],
        paths: ['body.HostConfig.IpcMode'],
        clients: ['1.40', '1.44'],
        ways: PODMAN_AT_1_24,
        problem: /^is "private", there "shareable"$/,
      },
    ],
  },
  {
    why: 'The bridge asks for the Content-Type that Docker asks for at the client’s version; Podman takes any.',
    at: [
      {
        against: 'own',
        calls: '083 084',
        paths: ['status'],
        ways: PODMAN_DIRECT,
        problem: /^is 201, there (400|500)$/,
      },
    ],
  },
  {
    why: 'Podman calls a stream multiplexed without an upgrade as well, Docker only after one (moby, api/server/router/container/exec.go).',
    at: [
      {
        against: 'own',
        calls: '125 132',
        paths: ['type'],
        ways: ['podman-5.8 direct'],
        problem: /^is application\/vnd\.docker\.multiplexed-stream, there application\/vnd\.docker\.raw-stream$/,
      },
    ],
  },
  {
    why: 'Podman names no type of logs and knows no `type` of disk usage; with a pin below, the bridge does what the client’s version asks for.',
    at: [
      {
        against: 'own',
        calls: '121 123',
        paths: ['type'],
        ways: ['podman-5.8 at 1.24'],
        problem: /^is application\/vnd\.docker\.multiplexed-stream, there $/,
      },
      {
        against: 'own',
        calls: '231',
        paths: ['body.BuildCache', 'body.Containers', 'body.Images'],
        ways: ['podman-5.8 at 1.24'],
      },
    ],
  },
  {
    why: 'Podman ignores resources at the top level of create; the bridge moves them to HostConfig, where the client’s version has them read',
    at: [
      {
        against: 'own',
        calls: '107',
        ways: PODMAN_DIRECT,
        paths: ['CpuShares', 'CpusetCpus', 'Memory', 'MemorySwap', 'MemorySwappiness'].map(
          (member) => `body.HostConfig.${member}`,
        ),
      },
    ],
  },
  {
    why: 'Podman answers so or so to the same call: the exit code of a killed container, which of two networks it misses first, the names an image once had.',
    at: [
      {
        against: 'own',
        operations: ['ImageList'],
        paths: ['body[].History'],
        ways: PODMAN,
        chance: true,
      },
      {
        against: 'own',
        calls: '112 208',
        paths: ['body.StatusCode'],
        ways: PODMAN,
        chance: true,
      },
      {
        against: 'own',
        calls: '071',
        paths: ['text'],
        ways: PODMAN,
        chance: true,
      },
    ],
  },
  {
    why: 'Podman takes a container that has ended off its network, and calls it exited instead of stopped, a moment later; how the host forwards is told as it is at that moment.',
    at: [
      {
        against: 'own',
        calls: '213 214',
        paths: [
          'body.NetworkSettings.Gateway',
          'body.NetworkSettings.IPAddress',
          'body.NetworkSettings.IPPrefixLen',
          'body.NetworkSettings.MacAddress',
          'body.NetworkSettings.SandboxKey',
          'body.NetworkSettings.Networks.bridge.Gateway',
          'body.NetworkSettings.Networks.bridge.IPAddress',
          'body.NetworkSettings.Networks.bridge.IPPrefixLen',
          'body.NetworkSettings.Networks.bridge.MacAddress',
          'body.State.Status',
          'body[].NetworkSettings.Networks.bridge.Gateway',
          'body[].NetworkSettings.Networks.bridge.IPAddress',
          'body[].NetworkSettings.Networks.bridge.IPPrefixLen',
          'body[].NetworkSettings.Networks.bridge.MacAddress',
          'body[].State',
        ],
        ways: PODMAN,
        problem: /^is (".*"|\d+), there (".*"|\d+)$/,
        chance: true,
      },
      {
        against: 'own',
        calls: '004',
        paths: ['body.IPv4Forwarding'],
        ways: PODMAN,
        chance: true,
      },
    ],
  },
  {
    why: 'A refusal names the version that the engine is asked for, which is another with a pin.',
    at: [
      {
        against: 'own',
        calls: '051',
        paths: ['text'],
        ways: ['podman-5.4 at 1.24'],
        problem:
          /^is HostConfig\.Capabilities, which only engine 19\.03 had, is not supported by the engine: it needs API 1\.40 and the engine is asked for 1\.24, there /,
      },
      {
        against: 'own',
        calls: '218',
        paths: ['text'],
        ways: ['podman-5.8 at 1.24'],
        problem: /^is pruning anonymous volumes only is not supported/,
      },
    ],
  },
  {
    why: 'A create without a HostConfig gets one from the bridge where a default of the client’s version has to be said: the engine notes its runtime in it at once.',
    at: [
      {
        against: 'own',
        calls: '054 108',
        paths: ['body.HostConfig.Runtime'],
        clients: ['1.41'],
        ways: ['20.10 at 1.24', '20.10 at 1.32'],
        problem: /^is "runc", there missing$/,
      },
      {
        against: 'own',
        calls: '054 108',
        paths: ['body.HostConfig.Runtime'],
        clients: ['1.24', '1.30', '1.37'],
        ways: ['20.10 direct'],
        problem: /^is missing, there "runc"$/,
      },
    ],
  },
  {
    why: 'A pin below the client: what the version asked for cannot say is refused (a platform, two endpoints, a prune that spares named volumes) or passes as that version has it (one reading of stats at once, the sizes images share).',
    at: [
      { against: 'own', calls: '071', paths: ['status'], problem: /^is 400, there 201$/ },
      { against: 'own', calls: '086', paths: ['status'], problem: /^is 400, there 404$/ },
      {
        against: 'own',
        calls: '117',
        paths: [
          'body.precpu_stats.cpu_usage.percpu_usage',
          'body.precpu_stats.online_cpus',
          'body.precpu_stats.system_cpu_usage',
          'body.preread',
          'body.id',
          'body.name',
        ],
      },
      { against: 'own', calls: '218', paths: ['status'], problem: /^is 400, there 200$/ },
      { against: 'own', calls: '218', paths: ['body.VolumesDeleted'], clients: ['1.44', '1.51'] },
      { against: 'own', calls: '017', paths: ['body[].SharedSize'], problem: /^is -1, there 0$/ },
    ],
  },
  {
    why: 'A pin below the client: what the version asked for does not tell is not made up (new members of info, warnings, records of images in events).',
    at: [
      {
        against: 'own',
        calls: '004',
        paths: [
          ...['Containerd', 'FirewallBackend', 'KernelMemoryTCP', 'SecurityOptions[]'].map((name) => `body.${name}`),
          ...['io.containerd.runc.v2', 'runc'].map((name) => `body.Runtimes.${name}.status`),
        ],
        clients: ['1.44', '1.47', '1.51'],
        ways: ['26.1 at 1.24', '28.5 at 1.24', '28.5 at 1.44'],
        problem: /^is (missing|"name=seccomp,profile=default"), there/,
      },
      {
        against: 'own',
        calls: '025 058',
        paths: ['body.Warnings'],
        problem: /, there \["The container-wide MacAddress field is now deprecated/,
      },
      { against: 'own', calls: '219 220', paths: ['body'], problem: /^lacks image create / },
    ],
  },
]

export const later: readonly Explained[] = differences.map((entry) => ({ ...entry, scenario: 'later' }))
