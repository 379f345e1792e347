import { isObject } from '../../src/api/json/json.ts'
import { Ipam, Version } from '../../src/api/shapes/shapes.ts'
import type { Deviation } from '../../src/translate/deviation.ts'
import { added, byHand, retyped } from '../../src/translate/ops.ts'
import { documentedAddresses, wireAddresses } from '../by-hand/aux-addresses.ts'

const SWITCHES = ['CpuCfsPeriod', 'CpuCfsQuota', 'OomKillDisable', 'ExperimentalBuild']

export default [
  {
    id: 'spec/info-switches',
    clients: ['1.18', '1.22'],
    summary: 'Info has CpuCfsPeriod, CpuCfsQuota, OomKillDisable and ExperimentalBuild in every version.',
    see: 'specification, 2.6; engine 1.6 has none of them',
    ops: [
      byHand('SystemInfo', 'a switch that the engine does not name is off', {
        responseDown: ({ body }) => {
          if (isObject(body)) for (const member of SWITCHES) body[member] ??= false
        },
      }),
    ],
    examples: [
      {
        on: 'SystemInfo',
        leg: 'responseDown',
        before: { body: { CpuCfsPeriod: true } },
        after: {
          body: { CpuCfsPeriod: true, CpuCfsQuota: false, OomKillDisable: false, ExperimentalBuild: false },
        },
      },
    ],
  },
  {
    id: 'spec/info-proxies',
    clients: ['1.18', '1.18'],
    summary: 'Info names the proxies where none is set as well.',
    see: 'specification, 2.6; engine 1.6 leaves them out',
    ops: [
      byHand('SystemInfo', 'a proxy that is not set is empty', {
        responseDown: ({ body }) => {
          if (isObject(body)) for (const member of ['HttpProxy', 'HttpsProxy', 'NoProxy']) body[member] ??= ''
        },
      }),
    ],
    examples: [
      {
        on: 'SystemInfo',
        leg: 'responseDown',
        before: { body: { NoProxy: 'localhost' } },
        after: { body: { HttpProxy: '', HttpsProxy: '', NoProxy: 'localhost' } },
      },
    ],
  },
  {
    id: 'spec/version-experimental',
    clients: ['1.21', '1.22'],
    summary: 'Version says Experimental, false where it is no experimental build.',
    see: 'specification, 2.6; engines leave it out when it is false',
    ops: [
      byHand('SystemVersion', 'Experimental always', {
        responseDown: ({ body }) => {
          if (isObject(body)) body['Experimental'] ??= false
        },
      }),
    ],
    examples: [
      {
        on: 'SystemVersion',
        leg: 'responseDown',
        before: { body: { Version: '20.10.24' } },
        after: { body: { Version: '20.10.24', Experimental: false } },
      },
    ],
  },
  {
    id: 'spec/version-experimental-from-1.21',
    clients: ['1.18', '1.20'],
    summary: 'Version does not say Experimental before 1.21.',
    see: 'specification, 2.6 and 9; engine 1.7 has it',
    ops: [added(Version, 'Experimental', { onLoss: 'ignore' })],
    examples: [
      {
        on: 'SystemVersion',
        leg: 'responseDown',
        client: '1.19',
        before: { body: { Version: '1.7.1', Experimental: true } },
        after: { body: { Version: '1.7.1' } },
      },
    ],
  },
  {
    id: 'spec/network-aux-address',
    clients: ['1.21', '1.22'],
    summary: 'Reserved addresses of a network are called AuxAddress.',
    see: 'specification, 2.8; AuxiliaryAddresses on every engine',
    ops: [
      retyped(Ipam, 'Config', {
        toNewer: wireAddresses,
        sides: 'request',
        words: 'IPAM.Config[].AuxAddress is sent as AuxiliaryAddresses',
      }),
      byHand(['NetworkInspect', 'NetworkList'], 'AuxAddress is shown', {
        responseDown: ({ body }) => documentedAddresses(body),
      }),
    ],
    examples: [
      {
        on: 'NetworkCreate',
        leg: 'requestUp',
        before: { body: { IPAM: { Config: [{ AuxAddress: { a: '10.0.0.9' } }] } } },
        after: { body: { IPAM: { Config: [{ AuxiliaryAddresses: { a: '10.0.0.9' } }] } } },
      },
      {
        on: 'NetworkInspect',
        leg: 'responseDown',
        before: { body: { IPAM: { Config: [{ AuxiliaryAddresses: { a: '10.0.0.9' } }] } } },
        after: {
          body: { IPAM: { Config: [{ AuxiliaryAddresses: { a: '10.0.0.9' }, AuxAddress: { a: '10.0.0.9' } }] } },
        },
      },
    ],
  },
] satisfies readonly Deviation[]
