import type { Explained } from '../explain.ts'

const NEWER = ['26.1', '28.5', '28.5-min1.44'] as const
const INSPECT_OR_LIST = ['ContainerInspect', 'ContainerList'] as const
const NETWORK = 'body.NetworkSettings'
const LISTED_NETWORK = 'body[].NetworkSettings.Networks.bridge'

/** Differences of other engines from 20.10. */
const differences: readonly Omit<Explained, 'scenario'>[] = [
  {
    why: 'What an engine says of itself and of its machine: commits, runtimes, kernel features, registries.',
    at: [{ against: 'own', calls: '004', ways: ['28.5', '28.5-min1.44'] }],
  },
  {
    why: 'Newer engines keep "bridge" for both words (1.44/network-mode-default-name); the bridge shows the word that far more clients had sent.',
    at: [
      {
        against: 'own',
        operations: ['ContainerList'], // which does not show what tells them apart
        paths: ['body[].HostConfig.NetworkMode'],
        problem: /^is "default", there "bridge"$/,
        ways: NEWER,
      },
      {
        against: 'own',
        operations: ['ContainerInspect'],
        paths: ['body.HostConfig.NetworkMode'],
        problem: /^is "bridge", there ""$/,
        clients: ['1.18', '1.19'],
        ways: NEWER,
      },
    ],
  },
  {
    why: 'Newer engines settle the endpoint when the container is made (its address), and give its network back when it stops or fails to start; 20.10 settles it at the start, and shows what it had.',
    at: [
      {
        against: 'own',
        calls: '308',
        paths: [`${NETWORK}.MacAddress`, `${NETWORK}.Networks.bridge.MacAddress`],
        ways: NEWER,
      },
      {
        against: 'own',
        operations: INSPECT_OR_LIST,
        paths: [
          ...['SandboxID', 'SandboxKey', 'Networks.bridge.NetworkID'].map((member) => `${NETWORK}.${member}`),
          ...['EndpointID', 'Gateway', 'IPAddress', 'IPPrefixLen', 'MacAddress', 'NetworkID'].map(
            (member) => `${LISTED_NETWORK}.${member}`,
          ),
        ],
        problem: /^is (""|0), there ("<text>"|16)$/,
        clients: ['1.22'],
        ways: ['28.5', '28.5-min1.44'],
      },
    ],
  },
  {
    why: 'The counters of a container that does not run are zero or left out, as the engine has it; the old ones gave no answer at all.',
    at: [{ against: 'own', calls: '324', paths: ['body.network'], clients: ['1.18', '1.19', '1.20'] }],
  },
  {
    why: 'What the runtime says of a command that could not run, in its own words.',
    at: [
      { against: 'own', calls: '413 427', paths: ['text'] },
      { against: 'own', calls: '522 526', paths: ['body.State.Error'], ways: NEWER },
      { against: 'own', calls: '613', paths: ['body.State.Error'], ways: ['28.5', '28.5-min1.44'] },
    ],
  },
  {
    why: 'Newer engines make a container’s files before they look for its network; 20.10 has none when the network is missing.',
    at: [
      {
        against: 'own',
        calls: '613',
        paths: ['HostnamePath', 'HostsPath', 'LogPath', 'ResolvConfPath'].map((member) => `body.${member}`),
        clients: ['1.18', '1.19', '1.20'],
        ways: ['28.5', '28.5-min1.44'],
      },
    ],
  },
  {
    why: 'Old engines told the 64 newest events at most: which is the oldest of them hangs on how many events the calls made.',
    at: [{ against: 'own', calls: '651 654 655 658 659', paths: ['body'], problem: /^(has|lacks) /, chance: true }],
  },
]

export const byEngines: readonly Explained[] = differences.map((entry) => ({ ...entry, scenario: 'old' }))
