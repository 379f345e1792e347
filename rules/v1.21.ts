import type { Changes } from '../src/translate/change.ts'
import containers from './v1.21/containers.ts'
import create from './v1.21/create.ts'
import exec from './v1.21/exec.ts'
import hostConfig from './v1.21/host-config.ts'
import images from './v1.21/images.ts'
import inspect from './v1.21/inspect.ts'
import inspectNetwork from './v1.21/inspect-network.ts'
import systemNetworks from './v1.21/system-networks.ts'

export default [
  create,
  hostConfig,
  exec,
  inspect,
  inspectNetwork,
  containers,
  images,
  systemNetworks,
] satisfies readonly Changes[]
