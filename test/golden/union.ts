import type { Explained } from '../support/golden-explain.ts'

const FOR_1_19 = ['20.10.24', '26.1', '28.5', '28.5-min1.44', '29-arrays', '29.1.4', '29-overlayfs']
const ALL = ['20.10', ...FOR_1_19]
const ENDPOINT = ['EndpointID', 'HairpinMode', 'SandboxKey', 'SecondaryIPAddresses', 'SecondaryIPv6Addresses']
const LIMITS = ['Memory', 'MemorySwap', 'CpuShares', 'Cpuset']

type Row = readonly [
  operation: Explained['operation'],
  client: string,
  paths: readonly string[],
  engines?: readonly string[],
]

const rows: readonly Row[] = [
  ...(['ContainerInspect', 'ImageInspect'] as const).flatMap((operation): Row[] => [
    [operation, '1.18', ['GraphDriver']],
    [operation, '1.19', ['GraphDriver']],
  ]),
  ...(
    [
      ['ContainerInspect', ''],
      ['ExecInspect', 'Container.'],
    ] as const
  ).flatMap(([operation, at]): Row[] => [
    [operation, '1.18', [`${at}Config.VolumeDriver`, ...ENDPOINT.map((name) => `${at}NetworkSettings.${name}`)]],
    ...['1.18', '1.19', '1.20'].map((client): Row => [operation, client, [`${at}NetworkSettings.SandboxID`]]),
  ]),
  ['ContainerInspect', '1.19', LIMITS.map((name) => `Config.${name}`)],
  ['ContainerInspect', '1.20', ['Config.MacAddress', 'Config.VolumeDriver']],
  ['ContainerInspect', '1.20', ['Config.NetworkDisabled'], ALL.filter((engine) => engine !== '20.10.24')],
  ['ContainerInspect', '1.20', ['Config.ExposedPorts'], ALL.filter((engine) => !/^29(\.|-o)/.test(engine))],
]

/** Members that the engine of the client's version lacks and later engines (1.9 to 25) show to the same version. */
export const union: readonly Explained[] = rows.map(([operation, client, paths, engines]) => ({
  operation,
  paths,
  problem: 'new',
  clients: [client],
  engines: engines ?? (client === '1.19' ? FOR_1_19 : ALL),
  why: 'Later engines show it to this version; what one real engine gives beside what another gives stays.',
}))
