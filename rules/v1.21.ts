import type { Changes } from '../src/translate/change.ts'
import create from './v1.21/create.ts'
import exec from './v1.21/exec.ts'
import hostConfig from './v1.21/host-config.ts'
import images from './v1.21/images.ts'
import inspect from './v1.21/inspect.ts'
import inspectNetwork from './v1.21/inspect-network.ts'
import list from './v1.21/list.ts'
import stats from './v1.21/stats.ts'
import systemNetworks from './v1.21/system-networks.ts'

export default [
  create,
  hostConfig,
  exec,
  inspect,
  inspectNetwork,
  list,
  stats,
  images,
  systemNetworks,
] satisfies readonly Changes[]
