import { Info, Ipam, Version } from '../../src/api/shapes/shapes.ts'
import type { Deviation } from '../../src/translate/deviation.ts'
import { added, byHand, filled, retyped } from '../../src/translate/ops.ts'
import { documentedAddresses, wireAddresses } from '../by-hand/aux-addresses.ts'

const SWITCHES = ['CpuCfsPeriod', 'CpuCfsQuota', 'OomKillDisable', 'ExperimentalBuild']

export default [
  {
    id: 'spec/info-switches',
    clients: ['1.18', '1.22'],
    summary: 'Info has CpuCfsPeriod, CpuCfsQuota, OomKillDisable and ExperimentalBuild in every version.',
    see: 'specification, 2.6; engine 1.6 has none of them',
    ops: SWITCHES.map((member) => filled(Info, member, false)),
  },
  {
    id: 'spec/info-proxies',
    clients: ['1.18', '1.18'],
    summary: 'Info names the proxies where none is set as well.',
    see: 'specification, 2.6; engine 1.6 leaves them out',
    ops: ['HttpProxy', 'HttpsProxy', 'NoProxy'].map((member) => filled(Info, member, '')),
  },
  {
    id: 'spec/version-experimental',
    clients: ['1.21', '1.22'],
    summary: 'Version says Experimental, false where it is no experimental build.',
    see: 'specification, 2.6; engines leave it out when it is false',
    ops: [filled(Version, 'Experimental', false)],
  },
  {
    id: 'spec/version-experimental-from-1.21',
    clients: ['1.18', '1.20'],
    summary: 'Version does not say Experimental before 1.21.',
    see: 'specification, 2.6 and 9; engine 1.7 has it',
    ops: [added(Version, 'Experimental', { sample: true, onLoss: 'ignore' })],
    examples: {
      'SystemVersion responseDown body': [
        [{ Version: '1.7.1', Experimental: true }, { Version: '1.7.1' }, { client: '1.19' }],
      ],
    },
  },
  {
    id: 'spec/network-aux-address',
    clients: ['1.21', '1.22'],
    summary: 'Reserved addresses of a network are called AuxAddress.',
    see: 'specification, 2.8; AuxiliaryAddresses on every engine',
    ops: [
      retyped(Ipam, 'Config', {
        samples: [
          [[{ AuxAddress: { a: '10.0.0.9' } }], [{ AuxiliaryAddresses: { a: '10.0.0.9' } }]],
          [
            [{ AuxiliaryAddresses: { a: '10.0.0.9' }, AuxAddress: { a: '10.0.0.9' } }],
            [{ AuxiliaryAddresses: { a: '10.0.0.9' } }],
          ],
        ],
        toNewer: wireAddresses,
        sides: 'request',
        words: 'IPAM.Config[].AuxAddress is sent as AuxiliaryAddresses',
      }),
      byHand(['NetworkInspect', 'NetworkList'], 'AuxAddress is shown', {
        responseDown: ({ body }) => documentedAddresses(body),
      }),
    ],
    examples: {
      'NetworkInspect responseDown body.IPAM.Config.[]': [
        [
          { AuxiliaryAddresses: { a: '10.0.0.9' } },
          { AuxiliaryAddresses: { a: '10.0.0.9' }, AuxAddress: { a: '10.0.0.9' } },
        ],
      ],
    },
  },
] satisfies readonly Deviation[]
