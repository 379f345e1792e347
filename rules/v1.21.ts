import type { Change } from '../src/translate/change.ts'
import create from './v1.21/create.ts'
import exec from './v1.21/exec.ts'
import images from './v1.21/images.ts'
import inspect from './v1.21/inspect.ts'
import inspectNetwork from './v1.21/inspect-network.ts'
import limits from './v1.21/limits.ts'
import list from './v1.21/list.ts'
import stats from './v1.21/stats.ts'
import system from './v1.21/system.ts'
import volumesNetworks from './v1.21/volumes-networks.ts'
import words from './v1.21/words.ts'

export default [
  ...create,
  ...words,
  ...limits,
  ...exec,
  ...inspect,
  ...inspectNetwork,
  ...list,
  ...stats,
  ...images,
  ...system,
  ...volumesNetworks,
] satisfies Change[]
