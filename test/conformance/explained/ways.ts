import type { Explained } from '../explain.ts'

const NETWORK = 'body.NetworkSettings'

/** Differences that come from the way alone: a start that the bridge carries out, a pin below the client, the moment of a call. */
const differences: readonly Omit<Explained, 'scenario'>[] = [
  {
    why: 'A container that has just been started has written its file or has not.',
    at: [{ against: 'own', calls: '355', paths: ['body[].SizeRw'], chance: true }],
  },
  {
    why: 'Engines that read a start’s body replace every setting by it; one that the bridge makes again keeps what the body does not name, because a memory limit must not get lost.',
    at: [
      {
        against: 'own',
        calls: '503 516',
        paths: [
          ...['Binds', 'Dns', 'DnsOptions', 'DnsSearch', 'IpcMode', 'Memory', 'MemorySwap'].map(
            (name) => `body.HostConfig.${name}`,
          ),
          ...['Config.Memory', 'Config.MemorySwap'].map((name) => `body.${name}`),
          ...['EndpointID', 'NetworkID'].map((name) => `${NETWORK}.${name}`),
        ],
      },
    ],
  },
  {
    why: 'Asked for a version below the client’s, the engine leaves out what that version has not: the modes of volumes, the networks but the default one and what they are. What was not in the answer is not made up.',
    at: [
      {
        against: 'own',
        calls: '193 260 541 625',
        paths: ['body.Mounts[].Mode'],
        ways: ['20.10 at 1.18', '20.10 at 1.19'],
        problem: /^is "", there "z"$/,
      },
      {
        against: 'own',
        calls: '503',
        paths: ['body.Mounts[].Propagation'],
        clients: ['1.22'],
        ways: ['20.10 at 1.18', '20.10 at 1.19'],
      },
      {
        against: 'own',
        operations: ['ContainerInspect'],
        paths: ['bridge', 'none', 'rxnet'].map((name) => `${NETWORK}.Networks.${name}.NetworkID`),
        clients: ['1.22'],
        ways: ['20.10 at 1.18', '20.10 at 1.19', '20.10 at 1.20'],
        problem: /^is "", there "<text>"$/,
      },
      {
        against: 'own',
        calls: '503 611 613 619 625',
        paths: [
          ...['Aliases', 'IPAMConfig', 'EndpointID', 'Gateway', 'IPAddress', 'IPPrefixLen', 'MacAddress'].map(
            (member) => `${NETWORK}.Networks.rxnet.${member}`,
          ),
          ...[`${NETWORK}.Networks.none.EndpointID`, `${NETWORK}.Networks.rxnet`],
        ],
        clients: ['1.21', '1.22'],
        ways: ['20.10 at 1.18', '20.10 at 1.19', '20.10 at 1.20'],
      },
    ],
  },
]

export const byWays: readonly Explained[] = differences.map((entry) => ({ ...entry, scenario: 'old' }))
