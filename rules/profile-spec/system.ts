import { Info, Version } from '../../src/api/shapes/shapes.ts'
import type { Deviations } from '../../src/translate/change.ts'
import { added, filled } from '../../src/translate/ops.ts'
import { addressesSent, addressesShown } from '../by-hand/aux-addresses.ts'
import { NEW_SWITCHES } from '../v1.19.ts'

export default {
  'spec/info-switches': {
    clients: ['1.18', '1.22'],
    summary: 'Info has CpuCfsPeriod, CpuCfsQuota, OomKillDisable and ExperimentalBuild in every version.',
    see: 'specification, 2.6; engine 1.6 has none of them',
    ops: NEW_SWITCHES.map((member) => filled(Info, member, false)),
  },
  'spec/info-proxies': {
    clients: ['1.18', '1.18'],
    summary: 'Info has the proxies even if none is set.',
    see: 'specification, 2.6; engine 1.6 omits them',
    ops: ['HttpProxy', 'HttpsProxy', 'NoProxy'].map((member) => filled(Info, member, '')),
  },
  'spec/version-experimental': {
    clients: ['1.21', '1.22'],
    summary: 'Version has Experimental, false if the build is not experimental.',
    see: 'specification, 2.6; engines omit it if it is false',
    ops: filled(Version, 'Experimental', false),
  },
  'spec/version-experimental-from-1.21': {
    clients: ['1.18', '1.20'],
    summary: 'Version has no Experimental before 1.21.',
    see: 'specification, 2.6 and 9; engine 1.7 has it',
    ops: added(Version, 'Experimental', { sample: true }),
  },
  'spec/network-aux-address': {
    clients: ['1.21', '1.22'],
    summary: 'Reserved addresses of a network are called AuxAddress.',
    see: 'specification, 2.8; AuxiliaryAddresses on every engine',
    ops: [addressesSent, ...addressesShown],
  },
} satisfies Deviations
